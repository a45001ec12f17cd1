/** Regular expressions of Python, put into RE2's words: their time grows with text and pattern only. */
import { RE2JS, RE2JSSyntaxException } from 're2js';
import type { Place } from '../values/budget.ts';

/** States of a pattern, times characters, that count as one step. */
const LOOKS_PER_STEP = 64;

/** What may be spelt otherwise: a set (how it begins, and its members), `\uXXXX`, an escape, `$`, `{,3}`. */
const PART = /\[(\^?\]?)((?:\\.|[^\]\\])*)\]|\\u[0-9a-fA-F]{4}|\\.|\$|\{,(?=\d+\})/gsu;
const MEMBER = /\\u[0-9a-fA-F]{4}|\\.|\[/gsu;

/** Classes as members of a set: all of Unicode, as in Python. */
const CLASSES: Readonly<Record<string, string>> = {
  '\\d': '\\p{Nd}',
  '\\w': '\\p{L}\\p{N}_',
  '\\s': '\\s\\v\\p{Z}',
};
const IN_SETS: Readonly<Record<string, string>> = { ...CLASSES, '[': '\\[' };
const ELSEWHERE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(CLASSES).flatMap(([name, members]) => [
      [name, `[${members}]`],
      [name.toUpperCase(), `[^${members}]`],
    ]),
  ),
  '\\Z': '\\z',
  '{,': '{0,',
  // Before a line's end that ends the text, too.
  $: '(?:\\n?\\z)',
};
/** Escapes that Python knows, and those of signs. */
const KNOWN = /^\\[AabBdDfnrsStuvwWxZ\P{L}]/u;

/** Whether a pattern fits anywhere in a text. @throws ExpressionError for a malformed or too large one */
export function matches(text: string, pattern: string, at: Place): boolean {
  const refuse = (what: string): never => at.fail(`the pattern '${pattern.slice(0, 40)}' ${what}`);
  const inWords = (part: string, words: Readonly<Record<string, string>>): string => {
    if (part[0] !== '\\') return words[part] ?? part;
    if (!KNOWN.test(part)) refuse(`has '${part}', which is not understood`);
    return words[part] ?? (part.length === 6 ? `\\x{${part.slice(2)}}` : part);
  };
  at.step(pattern.length);
  const words = pattern.replace(PART, (part, head: string, members?: string) =>
    members === undefined
      ? inWords(part, ELSEWHERE)
      : `[${head}${members.replace(MEMBER, (member) => inWords(member, IN_SETS))}]`,
  );
  try {
    const compiled = RE2JS.compile(words);
    at.step(Math.ceil((compiled.programSize() * (text.length + 1)) / LOOKS_PER_STEP));
    return compiled.matcher(text).find();
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    return refuse(`is not understood: ${error.error}`);
  }
}
