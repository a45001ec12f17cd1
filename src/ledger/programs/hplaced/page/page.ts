/** The page for people: one document with its style and script, which asks nobody but this service. */
import { hashOf } from '../../../../kit/report/html/page.ts';
import { STYLE } from '../../../../kit/report/html/style.ts';
import { PODS_SCRIPT } from './pods-script.ts';
import { SCRIPT } from './script.ts';
import { OWN_STYLE } from './style.ts';

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
