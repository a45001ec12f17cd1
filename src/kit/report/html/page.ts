/**
 * One self-contained page. It asks for nothing from anywhere, and its policy forbids any script but its own,
 * so that markup in a name could do nothing even if it were not escaped.
 */
import { createHash } from 'node:crypto';
import { type Content, html, Markup } from './markup.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const POLICY = `default-src 'none'; style-src ${hashOf(STYLE)}; script-src ${hashOf(SCRIPT)}; base-uri 'none'; form-action 'none'`;

/** @param title of the window and of the page */
export const page = (title: string, ...body: readonly Content[]): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${title}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
<script>${new Markup(SCRIPT)}</script>
</body>
</html>
`.text;

/** A part of the page with a heading. */
export const section = (heading: string, ...body: readonly Content[]): Markup =>
  html`<section><h2>${heading}</h2>
${body}
</section>
`;

/** Figures that are read first: what, and how much. */
export const figures = (pairs: readonly (readonly [what: string, value: Content])[]): Markup =>
  html`<dl class="figures">${pairs.map(([what, value]) => html`<div><dt>${what}</dt><dd>${value}</dd></div>`)}</dl>
`;
