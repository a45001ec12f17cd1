/** Cuts the text of an expression into words, numbers, strings, variables and signs. */
import { ExpressionError } from '../values/expression-error.ts';

export type Token = { readonly offset: number } & (
  | { readonly kind: 'string' | 'word' | 'variable' | 'sign'; readonly text: string }
  /** A word with an opening bracket behind it, without the bracket. */
  | { readonly kind: 'function'; readonly text: string }
  | { readonly kind: 'number'; readonly text: string; readonly isFloat: boolean }
  | { readonly kind: 'end'; readonly text: '' }
);

/** Longer signs first, so that `->` is not read as a minus. */
const SIGNS = ['=>', '->', '=~', '!~', '!=', '<=', '>=', '?.', ...'()[]{},.+-*/<>='] as const;

const BLANKS = /[ \t\r\n]*/y;
const NUMBER = /\d+(?:\.\d+)?(?![\p{L}\p{N}_])/uy;
const WORD = /(?!__)[\p{L}_][\p{L}\p{N}_]*/uy;
const VARIABLE = /\$[\p{L}\p{N}_]*/uy;
const STRING = /'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"|`(?:[^`\\]|\\[\s\S])*`/y;
const ESCAPE = /\\(?:U([0-9A-Fa-f]{8})|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|([0-7]{1,3})|([\\'"abfnrtv]))/g;
const HEX = 16;
const OCTAL = 8;
const LAST_CHARACTER = 0x10ffff;

const SINGLE: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** @throws ExpressionError at the first character that begins nothing. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  for (;;) {
    at += match(BLANKS)!.length;
    const offset = at;
    if (offset === text.length) return [...tokens, { kind: 'end', text: '', offset }];
    const token = tokenAt(text, offset, match);
    at += token.length;
    tokens.push(token.token);
  }
}

function tokenAt(
  text: string,
  offset: number,
  match: (pattern: RegExp) => string | undefined,
): { readonly token: Token; readonly length: number } {
  const number = match(NUMBER);
  if (number !== undefined) {
    const isFloat = number.includes('.');
    return { token: { kind: 'number', text: number, isFloat, offset }, length: number.length };
  }
  const word = match(WORD);
  if (word !== undefined) {
    const isFunction = text[offset + word.length] === '(';
    const token: Token = { kind: isFunction ? 'function' : 'word', text: word, offset };
    return { token, length: word.length + (isFunction ? 1 : 0) };
  }
  const variable = match(VARIABLE);
  if (variable !== undefined)
    return { token: { kind: 'variable', text: variable, offset }, length: variable.length };
  const quoted = match(STRING);
  if (quoted !== undefined)
    return { token: { kind: 'string', text: unquoted(quoted, offset), offset }, length: quoted.length };
  const sign = SIGNS.find((one) => text.startsWith(one, offset));
  if (sign !== undefined) return { token: { kind: 'sign', text: sign, offset }, length: sign.length };
  const character = String.fromCodePoint(text.codePointAt(offset)!);
  const isQuote = '\'"`'.includes(character);
  throw isQuote
    ? new ExpressionError('a string has no end', offset, `close it with ${character}`)
    : new ExpressionError(`'${character}' has no meaning here`, offset);
}

function unquoted(quoted: string, offset: number): string {
  const inner = quoted.slice(1, -1);
  if (quoted[0] === '`') return inner.replaceAll('\\`', '`');
  return inner.replace(ESCAPE, (_, long, short, byte, octal, single) => {
    if (single !== undefined) return SINGLE[single] ?? single;
    const code =
      octal === undefined ? Number.parseInt(long ?? short ?? byte, HEX) : Number.parseInt(octal, OCTAL);
    if (code > LAST_CHARACTER) throw new ExpressionError('there is no such character', offset);
    return String.fromCodePoint(code);
  });
}
