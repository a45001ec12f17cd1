/** Numbers of things, and lists of names, in English. */

export const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

/** `a`, `a and b`, `a, b and c`. @param joint ahead of the last */
export const inWords = (words: readonly string[], joint: 'and' | 'or' = 'and'): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${joint} ${words.at(-1)}`;

export function someOf(names: readonly string[], most: number): string {
  const more = names.length - most;
  return names.slice(0, most).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Any text as one word of a shell: between single quotes, its own ones as a quote outside of these. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
