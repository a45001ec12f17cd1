/** What this page has beyond the common style: trees of providers, pods with bars, answers of a query. */
export const OWN_STYLE = `
header form{margin-left:auto}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));gap:0 1.5rem}
textarea{display:block;width:100%;font:13px/1.4 ui-monospace,monospace;margin:.2rem 0}
#trouble{border:1px solid var(--bad);border-left-width:5px;border-radius:8px;padding:.5rem .8rem;white-space:pre-wrap}
#answers{padding-left:2.2rem;max-height:30rem;overflow:auto}
#answers button{display:block;width:100%;text-align:left;margin:.2rem 0}
#answers button[aria-pressed="true"]{border-color:var(--good);box-shadow:inset 4px 0 var(--good)}
#answers small{display:block}
.tree{background:var(--panel);border:1px solid var(--line);border-radius:8px;margin:.5rem 0;padding:.4rem .8rem .6rem}
.provider{padding:.15rem 0 .15rem calc(var(--depth)*1.4rem)}
.provider.chosen{box-shadow:inset 4px 0 var(--good);padding-left:calc(var(--depth)*1.4rem + .7rem)}
.name{font-weight:600;overflow-wrap:anywhere}
.group,.trait,.state{border:1px solid var(--line);border-radius:4px;padding:0 .35rem;margin-left:.4rem;font-size:.82em;color:var(--soft);overflow-wrap:anywhere}
.group{border-color:var(--good);color:var(--good)}.state.exhausted{border-color:var(--bad);color:var(--bad);font-weight:600}
.room{display:grid;grid-template-columns:9rem minmax(5rem,1fr) 10rem;gap:.6rem;align-items:center;font-size:.9em}
.room>span:first-child{overflow-wrap:anywhere}
.level{display:block;height:.6rem;background:var(--free);border-radius:2px;overflow:hidden;position:relative}
.level i{display:block;height:100%;background:var(--after)}.level i.full{background:var(--kept)}.level i.over{background:var(--bad)}
.level b{position:absolute;top:0;height:100%;background:var(--good)}
.level u{position:absolute;top:0;height:100%;border-left:2px solid var(--ink);margin-left:-1px}
.figures{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.verdict{font-weight:600}td{white-space:normal;overflow-wrap:anywhere;min-width:6rem}#history td:nth-child(-n+4){white-space:nowrap}
@media (max-width:40rem){.room{grid-template-columns:6rem 1fr;gap:0 .6rem}.room .figures{grid-column:2;text-align:left}header form{margin:0}}
`.trim();
