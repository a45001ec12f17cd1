/**
 * Splits a query string into names and values, keeping order and repeats, which both carry meaning here.
 * Written for this purpose because the parsers that come with servers gather repeats under one name and lose
 * the order between names.
 */
export type QueryPair = readonly [name: string, value: string];

/** A part that is not text: a percent sign without two hex digits, or bytes that are no UTF-8. */
export interface UnreadablePart {
  readonly part: string;
}

export interface QueryString {
  readonly pairs: readonly QueryPair[];
  readonly unreadable: readonly UnreadablePart[];
}

const decode = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));

/**
 * @param text what stands behind the question mark, as it was sent; a leading question mark is passed over
 * @returns the pairs in their order; `&&` and a name without a value are accepted, as browsers send them
 */
export function parseQueryString(text: string): QueryString {
  const pairs: QueryPair[] = [];
  const unreadable: UnreadablePart[] = [];
  for (const part of text.replace(/^\?/, '').split('&')) {
    if (part === '') continue;
    const mark = part.indexOf('=');
    const name = mark < 0 ? part : part.slice(0, mark);
    const value = mark < 0 ? '' : part.slice(mark + 1);
    try {
      pairs.push([decode(name), decode(value)]);
    } catch {
      unreadable.push({ part });
    }
  }
  return { pairs, unreadable };
}
