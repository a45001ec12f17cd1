/**
 * One self-contained page, whose policy forbids any script but its own: markup in a name could do nothing.
 */
import { createHash } from 'node:crypto';
import { type Content, html, Markup } from './markup.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

export const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const POLICY = `default-src 'none'; style-src ${hashOf(STYLE)}; script-src ${hashOf(SCRIPT)}; base-uri 'none'; form-action 'none'`;

/** A part of the page that a link at its head leads to. */
class Section extends Markup {
  readonly link: Markup;

  constructor(id: string, heading: string, text: string) {
    super(text);
    this.link = html`<a href="#${id}">${heading}</a>`;
  }
}

/** @param title of the window and of the page @param body sections, and what stands before them */
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
<header><h1>${title}</h1>
<nav aria-label="Parts">${body.flat().map((part) => part instanceof Section && part.link)}</nav></header>
<main>
${body}
</main>
<script>${new Markup(SCRIPT)}</script>
</body>
</html>
`.text;

/** @param id unique on the page */
export const section = (id: string, heading: string, ...body: readonly Content[]): Markup =>
  new Section(
    id,
    heading,
    html`<section id="${id}"><h2>${heading}</h2>
${body}
</section>
`.text,
  );

export const subsection = (id: string, heading: string, ...body: readonly Content[]): Markup =>
  html`<div id="${id}"><h3>${heading}</h3>
${body}
</div>
`;

/** A question that the page answers before all else. */
export interface Card {
  readonly question: string;
  readonly answer: Content;
  /** Whether the answer asks for something to be done. */
  readonly isBad?: boolean;
  readonly lines: readonly Content[];
}

export const cards = (...list: readonly Card[]): Markup =>
  html`<dl class="cards">${list.map(
    ({ question, answer, isBad = false, lines }) =>
      html`<div><dt>${question}</dt><dd class="answer${isBad && ' bad'}">${answer}</dd>${lines.map(
        (line) => line !== false && line !== undefined && html`<dd>${line}</dd>`,
      )}</div>
`,
  )}</dl>
`;
