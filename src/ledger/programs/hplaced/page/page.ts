/** The page for people: one document with its style and script, which asks nobody but this service. */
import { hashOf } from '../../../../kit/report/html/page.ts';
import { STYLE } from '../../../../kit/report/html/style.ts';
import { PODS_SCRIPT } from './pods-script.ts';
import { SCRIPT } from './script.ts';

const OWN_STYLE = `
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

/** One style and one script, so that one digest of each lets them in. */
const WHOLE_STYLE = `${STYLE}\n${OWN_STYLE}`;
const WHOLE_SCRIPT = SCRIPT + PODS_SCRIPT;

/** Only this script runs, and it may talk to this service only. */
export const PAGE_POLICY = `default-src 'none'; style-src ${hashOf(WHOLE_STYLE)}; script-src ${hashOf(WHOLE_SCRIPT)}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** @param version the newest microversion that the service speaks, such as `1.39` */
export const pageHtml = (version: string): string => `<!doctype html>
<html lang="en" data-version="${version}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>hplaced</title>
<style>${WHOLE_STYLE}</style>
</head>
<body>
<header><h1>hplaced</h1>
<nav aria-label="Parts"><a href="#candidates-part">Candidates</a><a href="#trees-part">Provider trees</a><a href="#pods-part">Pods</a><a href="#history-part">History</a></nav>
<form id="who"><label>Token <input id="token" type="password" autocomplete="off" size="16"></label></form></header>
<p id="trouble" role="alert" hidden></p>
<main>
<dl class="cards">
<div><dt>What it keeps</dt><dd class="answer" id="totals" role="status">connecting...</dd></div>
<div><dt>Pods</dt><dd class="answer" id="pod-totals" role="status">connecting...</dd><dd id="pod-policy"></dd></div>
<div><dt>The last change</dt><dd class="answer" id="last-change">none</dd><dd id="last-time"></dd></div>
</dl>
<div class="pair">
<section id="candidates-part"><h2>Candidates</h2>
<form id="query">
<label for="parameters">Query, one parameter a line</label>
<textarea id="parameters" rows="4" spellcheck="false">resources=VCPU:1
limit=20</textarea>
<p><button type="submit">Find candidates</button> <button type="button" id="clear">Clear</button></p>
</form>
<p id="count" role="status"></p>
<ol id="answers"></ol>
<div id="reasons"></div>
</section>
<section id="trees-part"><h2>Provider trees</h2>
<form id="search" class="filter">
<label for="name">Show those with</label> <input id="name" size="16">
<button type="submit">Show</button> <button type="button" id="more" hidden>More</button>
</form>
<div id="trees"></div>
</section>
</div>
<section id="pods-part"><h2>Pods</h2>
<div class="pair">
<div>
<form id="pod-search" class="filter">
<label for="pod-name">Show those with</label> <input id="pod-name" size="16">
<button type="submit">Show</button> <button type="button" id="more-pods" hidden>More</button>
</form>
<div id="pods"></div>
</div>
<div>
<form id="ask-pod">
<p class="filter"><label for="tenant">Where would go: tenant</label> <input id="tenant" size="14" required>
<label for="zone">zone</label> <input id="zone" size="8"></p>
<label for="specs">Extra specs, KEY=VALUE a line</label>
<textarea id="specs" rows="2" spellcheck="false"></textarea>
<p><button type="submit">Which pod?</button></p>
</form>
<div id="where" role="status"></div>
</div>
</div>
</section>
<section id="history-part"><h2>History</h2>
<div class="wide" tabindex="0" role="region" aria-label="history"><table>
<thead><tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">What</th><th scope="col">Provider</th><th scope="col">Consumer</th><th scope="col">Before</th><th scope="col">After</th></tr></thead>
<tbody id="history"></tbody>
</table></div>
<p><button type="button" id="older" hidden>Older</button></p>
</section>
</main>
<script>${WHOLE_SCRIPT}</script>
</body>
</html>
`;
