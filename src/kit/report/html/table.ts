/** Tables whose rows can be filtered, and commands to copy. */
import { type Content, html, type Markup } from './markup.ts';
import { section } from './page.ts';

export interface PageColumn {
  readonly heading: string;
  readonly isNumeric?: boolean;
  /** Names the row, for who does not see the table. */
  readonly isName?: boolean;
  /** Holds sentences or lists, which are to be broken into lines. */
  readonly isText?: boolean;
}

/** From so many rows on there is a field to filter them by. */
const FILTERED_FROM = 8;

const NUMERIC = html` class="n"`;
const TEXT = html` class="t"`;

const cell = (
  { isNumeric = false, isName = false, isText = false }: PageColumn,
  content: Content,
): Markup => {
  if (isName) return html`<th scope="row"${isNumeric && NUMERIC}>${content}</th>`;
  return html`<td${isNumeric && NUMERIC}${isText && TEXT}>${content}</td>`;
};

/**
 * @param id unique on the page
 * @param caption what the rows are, for the label of the filter
 */
export function pageTable(
  id: string,
  caption: string,
  columns: readonly PageColumn[],
  rows: readonly (readonly Content[])[],
): Markup {
  if (rows.length === 0) return html`<p class="soft">None.</p>`;
  const filter =
    rows.length >= FILTERED_FROM &&
    html`<p class="filter"><label for="${id}-filter">Show ${caption} with</label>
<input id="${id}-filter" type="search" data-rows="${id}" autocomplete="off"> <output id="${id}-count" for="${id}-filter">${rows.length} of ${rows.length}</output></p>
`;
  const heads = columns.map(({ heading, isNumeric = false }) =>
    isNumeric ? html`<th scope="col" class="n">${heading}</th>` : html`<th scope="col">${heading}</th>`,
  );
  const lines = rows.map(
    (row) => html`<tr>${row.map((content, k) => cell(columns[k]!, content))}</tr>
`,
  );
  return html`${filter}<div class="wide" tabindex="0" role="region" aria-label="${caption}"><table>
<thead><tr>${heads}</tr></thead>
<tbody id="${id}">
${lines}</tbody></table></div>
`;
}

/** A part of the page that is one table. @param id, caption, columns, rows as for the table */
export const tableSection = (heading: string, ...table: Parameters<typeof pageTable>): Markup =>
  section(heading, pageTable(...table));

/** Lines to copy. @param id unique on the page */
export const commandBox = (id: string, lines: readonly string[]): Markup =>
  html`<p><button type="button" data-copy="${id}" hidden>Copy</button></p>
<pre id="${id}" tabindex="0">${lines.join('\n')}
</pre>
`;
