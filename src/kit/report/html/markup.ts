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

/** Finished markup. Made by `html` only. */
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
