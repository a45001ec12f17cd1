/**
 * How pages look: light or dark as the reader's system is, black on white on paper. Parts out of sight are
 * laid out when they come into sight.
 */

export const STYLE = `
:root{color-scheme:light dark;--paper:#fff;--ink:#1b1f24;--soft:#57606a;--line:#d0d7de;--panel:#f6f8fa;--used:#0b62c4;--kept:#b35900;--free:#dfe5ec;--good:#1a7f37;--bad:#c2232d}
@media (prefers-color-scheme:dark){:root{--paper:#0f1318;--ink:#e6edf3;--soft:#9aa6b2;--line:#30363d;--panel:#171c23;--used:#58a6ff;--kept:#f0a04b;--free:#2c343d;--good:#56d364;--bad:#ff7b72}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:80rem;padding:1rem;background:var(--paper);color:var(--ink);font:15px/1.45 system-ui,sans-serif}
h1{font-size:1.5rem;margin:.2rem 0}h2{font-size:1.15rem;margin:1.8rem 0 .5rem}
section{content-visibility:auto;contain-intrinsic-size:auto 40rem}
p{margin:.4rem 0}.soft{color:var(--soft)}
.figures{display:flex;flex-wrap:wrap;gap:.6rem;margin:.8rem 0;padding:0}
.figures div{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:.4rem .7rem;min-width:7.5rem}
.figures dt{color:var(--soft);font-size:.85rem}.figures dd{margin:0;font-size:1.15rem;font-weight:600;overflow-wrap:anywhere}
.wide{overflow-x:auto;border:1px solid var(--line);border-radius:6px}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{text-align:left;vertical-align:top;padding:.25rem .55rem;border-bottom:1px solid var(--line);overflow-wrap:break-word}
thead th{position:sticky;top:0;background:var(--panel);font-size:.85rem}
tbody th{font-weight:600}th,td,.line{white-space:nowrap}.n{text-align:right}.t{min-width:14rem}.t,td details{white-space:normal}
.good{color:var(--good)}.bad{color:var(--bad)}
.filter{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;margin:.5rem 0}
input,button{font:inherit;color:inherit;background:var(--paper);border:1px solid var(--soft);border-radius:6px;padding:.3rem .6rem}
button{cursor:pointer;background:var(--panel)}
:focus-visible{outline:3px solid var(--used);outline-offset:1px}.wide:focus-visible,pre:focus-visible{outline-offset:-3px}
pre{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:.7rem;overflow:auto;max-height:32rem;margin:.4rem 0}
details>summary{cursor:pointer;white-space:nowrap}td details[open]{min-width:22rem}details ul{margin:.2rem 0;padding-left:1.1rem}
svg{display:block;max-width:100%;height:auto}.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,30rem),1fr));column-gap:1.5rem}.chart{max-width:min(100%,45rem)}.grid{stroke:var(--line);stroke-width:1}
.bars{min-width:7rem}.bars svg{width:100%;height:1.25rem;max-width:none}
.bars small{color:var(--soft);white-space:nowrap}
.key.used{background:var(--used)}.key.kept{background:var(--kept)}.key.free{background:var(--free)}
.used{fill:var(--used)}.kept{fill:var(--kept);stroke:var(--paper);stroke-width:1px;vector-effect:non-scaling-stroke}.free{fill:var(--free)}
.key{display:inline-block;width:.9em;height:.9em;border-radius:2px;vertical-align:-1px;margin:0 .25rem 0 .8rem}
.axis{stroke:var(--soft);stroke-width:1}.curve{fill:none;stroke:var(--used);stroke-width:2}.point{fill:var(--kept)}
svg text{fill:var(--soft);font:12px system-ui,sans-serif}
@media (max-width:40rem){.chart text{font-size:20px}body{padding:.6rem}th,td{padding:.2rem .35rem}.bars{min-width:5rem}}
@media print{section{content-visibility:visible}:root{color-scheme:light;--paper:#fff;--ink:#000;--soft:#444;--line:#999;--panel:#fff;--used:#0b62c4;--kept:#b35900;--free:#ddd}
body{max-width:none;font-size:10pt}.filter,button{display:none}.wide{overflow:visible;border:0}pre{max-height:none;white-space:pre-wrap}tr{break-inside:avoid}h2{break-after:avoid}thead th{position:static}
.key{print-color-adjust:exact;-webkit-print-color-adjust:exact}th,td{padding:.2rem .4rem}thead th{white-space:normal}.t{min-width:9rem}td details:not([open]){display:none}}
`.trim();
