/**
 * The page for people: one document with its style and its script in it, which asks nobody but this service.
 */
import { createHash } from 'node:crypto';
import { PODS_SCRIPT } from './pods-script.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

/** One script, so that one digest lets it run. */
const WHOLE_SCRIPT = SCRIPT + PODS_SCRIPT;

const digest = createHash('sha256').update(WHOLE_SCRIPT).digest('base64');

/** Only this script runs, and it may talk to this service only. */
export const PAGE_POLICY = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${digest}'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** @param version the newest microversion that the service speaks, such as `1.39` */
export const pageHtml = (version: string): string => `<!doctype html>
<html lang="en" data-version="${version}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>hplaced</title>
<style>${STYLE}</style>
</head>
<body>
<header>
  <h1>hplaced</h1>
  <p id="totals" role="status">connecting...</p>
  <form id="who"><label>Token <input id="token" type="password" autocomplete="off" size="24"></label></form>
</header>
<p id="trouble" role="alert" hidden></p>
<main>
  <section aria-labelledby="candidates-title">
    <h2 id="candidates-title">Candidates</h2>
    <form id="query">
      <label for="parameters">Query, one parameter a line</label>
      <textarea id="parameters" rows="7" spellcheck="false">resources=VCPU:1
limit=20</textarea>
      <p><button type="submit">Find candidates</button> <button type="button" id="clear">Clear</button></p>
    </form>
    <p id="count" role="status"></p>
    <ol id="answers"></ol>
    <div id="reasons"></div>
  </section>
  <section aria-labelledby="trees-title">
    <h2 id="trees-title">Provider trees</h2>
    <form id="search">
      <label>Name has <input id="name" size="20"></label>
      <button type="submit">Show</button> <button type="button" id="more" hidden>More</button>
    </form>
    <div id="trees"></div>
  </section>
</main>
<section aria-labelledby="pods-title">
  <h2 id="pods-title">Pods</h2>
  <p id="pod-totals" role="status"></p>
  <div class="two">
    <div>
      <form id="pod-search">
        <label>Name has <input id="pod-name" size="20"></label>
        <button type="submit">Show</button> <button type="button" id="more-pods" hidden>More</button>
      </form>
      <div id="pods"></div>
    </div>
    <div>
      <form id="ask-pod">
        <label>Tenant <input id="tenant" size="16" required></label>
        <label>Zone <input id="zone" size="8"></label>
        <label for="specs">Extra specs, KEY=VALUE a line</label>
        <textarea id="specs" rows="2" spellcheck="false"></textarea>
        <p><button type="submit">Which pod?</button></p>
      </form>
      <div id="where" role="status"></div>
    </div>
  </div>
</section>
<section aria-labelledby="history-title">
  <h2 id="history-title">History</h2>
  <div class="scroll"><table>
    <thead><tr><th>When</th><th>Who</th><th>What</th><th>Provider</th><th>Consumer</th><th>Before</th><th>After</th></tr></thead>
    <tbody id="history"></tbody>
  </table></div>
  <p><button type="button" id="older" hidden>Older</button></p>
</section>
<script>${WHOLE_SCRIPT}</script>
</body>
</html>
`;
