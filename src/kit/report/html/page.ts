/**
 * One self-contained page, whose policy forbids any script but its own: markup in a name could do nothing.
 * Its tables can be sorted and filtered, and show their first rows.
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

/** A heading and what stands below it in a row. `#` ahead of it: numbers; `~`: sentences, to be broken. */
export type PageColumn<T> = readonly [heading: string, cell: (row: T, k: number) => Content];

export interface PageRows<T> {
  /** Number of the column that names the row, where it is not the first. */
  readonly nameAt?: number;
  /** Why a row is so: unfolded below it, across the table. */
  readonly why?: ((row: T, k: number) => Content) | false | undefined;
  /** Rows of a kind can be shown alone. */
  readonly kinds?: Readonly<Record<string, (row: T) => boolean>>;
  /** Heads the rows from this one on. */
  readonly head?: (row: T, k: number) => Content;
}

/** From so many rows on there is a field to filter them by. */
const FILTERED_FROM = 8;

const CLASSES: Readonly<Record<string, Markup>> = { '#': html` class="n"`, '~': html` class="t"` };

/** @param id unique on the page @param caption what the rows are, for the label of the filter */
export function pageTable<T>(
  id: string,
  caption: string,
  rows: readonly T[],
  columns: readonly PageColumn<T>[],
  { nameAt = 0, why, kinds = {}, head }: PageRows<T> = {},
): Markup {
  if (rows.length === 0) return html`<p class="soft">None.</p>`;
  const names = [...columns.map(([heading]) => heading), ...(why ? ['Why'] : [])];
  const cellOf = (content: Content, k: number): Markup => {
    const kind = CLASSES[names[k]![0]!];
    return k === nameAt ? html`<th scope="row"${kind}>${content}</th>` : html`<td${kind}>${content}</td>`;
  };
  const lines = rows.map((row, k) => {
    const above = head?.(row, k);
    const own = Object.entries(kinds).flatMap(([kind, is]) => (is(row) ? kind : []));
    return html`${
      above !== undefined &&
      html`<tr class="head"><th scope="rowgroup" colspan="${names.length}">${above}</th></tr>
`
    }<tr${own.length > 0 && html` data-is="${own.join(',')}"`}>${columns.map(([, cell], c) => cellOf(cell(row, k), c))}${why && html`<td></td>`}</tr>
${
  why &&
  html`<tr class="why"><td colspan="${names.length}">${why(row, k)}</td></tr>
`
}`;
  });
  const heads = names.map(
    (name) => html`<th scope="col"${CLASSES[name[0]!]}>${name.replace(/^[#~]/, '')}</th>`,
  );
  const offered = Object.entries(kinds)
    .map(([kind, is]) => ({ kind, count: rows.filter(is).length }))
    .filter(({ count }) => count > 0);
  return html`<div class="rows" id="${id}">
${rows.length >= FILTERED_FROM && filter(id, caption, offered)}<div class="wide" tabindex="0" role="region" aria-label="${caption}"><table>
<thead><tr>${heads}</tr></thead>
<tbody>
${lines}</tbody></table></div>
<button type="button" class="more" hidden></button></div>
`;
}

/** A part of the page that is one table, which is called as the part is. */
export const tableSection = <T>(
  id: string,
  heading: string,
  ...table: [caption: string, rows: readonly T[], columns: readonly PageColumn<T>[], more?: PageRows<T>]
): Markup => section(id, heading, pageTable(`${id}-rows`, ...table));

type Offered = readonly { readonly kind: string; readonly count: number }[];

const filter = (id: string, caption: string, kinds: Offered): Markup =>
  html`<p class="filter" hidden><label for="${id}-filter">Show ${caption} with</label>
<input id="${id}-filter" type="search" autocomplete="off">${
    kinds.length > 0 &&
    html`<label for="${id}-kind">that are</label><select id="${id}-kind"><option value="">any</option>${kinds.map(
      ({ kind, count }) => html`<option value="${kind}">${kind} (${count})</option>`,
    )}</select>`
  }<output for="${id}-filter"></output></p>
`;

/** Lines to copy. @param id unique on the page */
export const commandBox = (id: string, lines: readonly string[]): Markup =>
  html`<p><button type="button" data-copy="${id}" hidden>Copy</button></p>
<pre id="${id}" tabindex="0">${lines.join('\n')}
</pre>
`;
