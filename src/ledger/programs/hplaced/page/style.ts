/**
 * How the page looks. Colours keep their contrast in light and dark, and say nothing that the text does not
 * say as well.
 */
export const STYLE = `
:root { color-scheme: light dark; --line: #8886; --used: #2b6cb0; --full: #c05621; --over: #c53030; --chosen: #2f855a; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 90rem; padding: 0 1rem 3rem; }
header { display: flex; gap: 1.5rem; align-items: baseline; flex-wrap: wrap; border-bottom: 1px solid var(--line); }
header p { flex: 1; } header form { margin: 0; }
h1 { font-size: 1.4rem; margin: .6rem 0; }
h2 { font-size: 1.1rem; margin: 1.2rem 0 .5rem; }
main, .two { display: grid; grid-template-columns: minmax(20rem, 2fr) 3fr; gap: 2rem; }
@media (max-width: 60rem) { main, .two { grid-template-columns: 1fr; } }
textarea { width: 100%; box-sizing: border-box; font: 13px/1.4 ui-monospace, monospace; }
button { font: inherit; padding: .15rem .7rem; }
#trouble { background: #c5303022; border-left: 4px solid var(--over); padding: .5rem .8rem; white-space: pre-wrap; }
#answers { padding-left: 2.2rem; max-height: 30rem; overflow: auto; }
#answers button { display: block; width: 100%; text-align: left; border: 1px solid var(--line); background: none; color: inherit; margin: .2rem 0; border-radius: 4px; cursor: pointer; }
#answers button[aria-pressed="true"] { border-color: var(--chosen); box-shadow: inset 4px 0 var(--chosen); }
#answers small { display: block; opacity: .8; }
.tree { border: 1px solid var(--line); border-radius: 6px; margin: .5rem 0; padding: .4rem .6rem; }
.provider { padding: .15rem 0 .15rem calc(var(--depth) * 1.4rem); }
.provider.chosen { box-shadow: inset 4px 0 var(--chosen); background: #2f855a1a; }
.name { font-weight: 600; }
.group { background: var(--chosen); color: #fff; border-radius: 3px; padding: 0 .35rem; margin-left: .4rem; font-size: .85em; }
.trait { border: 1px solid var(--line); border-radius: 3px; padding: 0 .3rem; margin-left: .3rem; font-size: .78em; opacity: .85; }
.room { display: grid; grid-template-columns: 11rem minmax(6rem, 1fr) 11rem; gap: .6rem; align-items: center; font-size: .88em; }
.bar { height: .7rem; background: #8883; border-radius: 3px; overflow: hidden; position: relative; }
.bar i { display: block; height: 100%; background: var(--used); }
.bar i.full { background: var(--full); } .bar i.over { background: var(--over); }
.bar b { position: absolute; top: 0; height: 100%; background: var(--chosen); }
@media (max-width: 30rem) { .room { grid-template-columns: 6rem 1fr; } .room .figures { grid-column: 2; } }
.bar u { position: absolute; top: 0; height: 100%; border-left: 2px solid currentColor; margin-left: -1px; }
.pod button { margin-top: .3rem; font-size: .88em; }
.state { border-radius: 3px; padding: 0 .35rem; margin-left: .4rem; font-size: .85em; border: 1px solid var(--line); }
.state.exhausted { background: var(--full); color: #fff; } .state.maintenance, .state.closed { background: #4a5568; color: #fff; }
#where td, .tenants td { overflow-wrap: break-word; }
.unmeasured { margin: .2rem 0; opacity: .8; font-size: .88em; } .verdict { font-weight: 600; }
.figures { text-align: right; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .88em; }
th, td { text-align: left; padding: .2rem .7rem .2rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td { overflow-wrap: anywhere; } #history td:nth-child(-n + 4) { overflow-wrap: normal; white-space: nowrap; }
#reasons table { margin: .5rem 0; }
`;
