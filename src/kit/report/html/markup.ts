/** Text with markup that is known to be ours. Whatever else is put into it is shown, never obeyed. */

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Any text as a page shows it, inside of elements and of quoted attributes. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (one) => ESCAPES[one]!);

export class Markup {
  constructor(readonly text: string) {}
}

export type Content = Markup | string | number | undefined | false | readonly Content[];

function textOf(content: Content): string {
  if (content === undefined || content === false) return '';
  if (content instanceof Markup) return content.text;
  if (typeof content === 'string') return escaped(content);
  if (typeof content === 'number') return String(content);
  return content.map(textOf).join('');
}

/** A template of markup; what is put into it is escaped unless it is markup itself. */
export const html = (parts: TemplateStringsArray, ...contents: readonly Content[]): Markup =>
  new Markup(parts.map((part, k) => (k === 0 ? part : textOf(contents[k - 1]) + part)).join(''));

const DIGITS = 3;
/** More than any text says; what lies beyond is noise of the arithmetic. */
const EXACT_DIGITS = 9;
/** What is smaller is no more than "about nothing". */
const LEAST = 1e-4;

/** To three significant digits, whole numbers in full: `0.0123`, `11.3`, `272`, `3,200`. */
export function shortNumber(value: number): string {
  if (Math.abs(value) >= 10 ** (DIGITS - 1) || Number.isInteger(value))
    return Math.round(value).toLocaleString('en');
  return Math.abs(value) < LEAST ? '≈ 0' : value.toPrecision(DIGITS);
}

/** @param unit of the exact value, such as `MiB`; the page's script shows it */
export function amount(value: number, shown: string, unit = ''): Content {
  const exact = `${Number(value.toPrecision(EXACT_DIGITS))} ${unit}`.trimEnd();
  return shown === exact ? shown : html`<data value="${exact}">${shown}</data>`;
}
