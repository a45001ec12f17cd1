/** Lines `PREFIX_KEY=value` that a shell may source. Source: stock printKeys; hspace(1). */

/** Whether a shell takes the value as it is: only letters, digits and dots. */
const isPlain = (value: string): boolean => /^[\p{L}\p{N}.]*$/u.test(value);

/** A quote within quotes: the quoted part ends, a quote of its own, the next part begins. */
const QUOTED_QUOTE = "'\\''";

/** One line; a value with anything but letters, digits and dots is quoted. */
export const keyValue = (prefix: string, key: string, value: string): string =>
  `${prefix}_${key.toUpperCase()}=${isPlain(value) ? value : `'${value.replaceAll("'", QUOTED_QUOTE)}'`}\n`;
