/** Tables whose rows can be sorted and filtered, of which the first are shown, and commands to copy. */
import { type Content, html, type Markup } from './markup.ts';
import { section } from './page.ts';

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
