/**
 * Reads pages as strictly as they are written: every element is closed where it was opened, every attribute
 * quoted.
 */

const VOID = new Set(['meta', 'input', 'br']);
const TAG = /<(?:!doctype html|(\/?)([a-z][a-z0-9]*)((?: [a-zA-Z-]+(?:="[^"<>]*")?)*)(\/?))>/y;
const ATTRIBUTE = / ([a-zA-Z-]+)(?:="([^"]*)")?/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Text inside, that of elements within it, too. */
  text: string;
}

const plain = (text: string): string => text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => ENTITIES[name]!);

/** @throws Error at the first place that is not as it must be */
export function readPage(text: string): Element[] {
  const all: Element[] = [];
  const open: Element[] = [];
  for (let at = 0; at < text.length; ) {
    const inside = open.at(-1)?.name;
    const isRaw = inside === 'script' || inside === 'style';
    const next = isRaw ? text.indexOf(`</${inside}>`, at) : text.indexOf('<', at);
    const words = text.slice(at, next < 0 ? undefined : next);
    if (!isRaw && /&(?!(amp|lt|gt|quot|#39);)/.test(words))
      throw new Error(`a bare & in: ${words.slice(0, 80)}`);
    for (const element of open) element.text += isRaw ? words : plain(words);
    if (next < 0) break;
    TAG.lastIndex = next;
    const tag = TAG.exec(text);
    if (!tag) throw new Error(`no element: ${text.slice(next, next + 80)}`);
    const [whole, close, name, attributes = '', isEmpty] = tag;
    at = next + whole.length;
    if (name === undefined) continue;
    if (close) {
      if (open.pop()?.name !== name) throw new Error(`closed, but not open: ${text.slice(next - 60, at)}`);
      continue;
    }
    const pairs = [...attributes.matchAll(ATTRIBUTE)].map(([, key = '', value = '']) => [key, plain(value)]);
    const element = { name, attributes: Object.fromEntries(pairs), text: '' };
    all.push(element);
    if (!isEmpty && !VOID.has(name)) open.push(element);
  }
  if (open.length > 0) throw new Error(`never closed: ${open.map(({ name }) => name).join(', ')}`);
  return all;
}

/** Text of a piece of markup. */
export const textOf = (markup: string): string => readPage(`<p>${markup}</p>`)[0]!.text;
