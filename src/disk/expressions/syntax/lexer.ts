/** Cuts the text of an expression into words, numbers, strings, variables and signs. */
import { ExpressionError } from '../values/value.ts';

/** In the order in which they are tried. Longer signs come first, so that `->` is not read as a minus. */
const TOKENS = {
  number: /\d+(?:\.\d+)?(?![\p{L}\p{N}_])/uy,
  /** A word with an opening bracket behind it, without the bracket. */
  function: /(?!__)[\p{L}_][\p{L}\p{N}_]*(?=\()/uy,
  word: /(?!__)[\p{L}_][\p{L}\p{N}_]*/uy,
  variable: /\$[\p{L}\p{N}_]*/uy,
  string: /'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"|`(?:[^`\\]|\\[\s\S])*`/y,
  sign: /=>|->|=~|!~|!=|<=|>=|\?\.|[()[\]{},.+\-*/<>=]/y,
} as const;
const KINDS = Object.keys(TOKENS) as (keyof typeof TOKENS)[];

export interface Token {
  readonly kind: keyof typeof TOKENS | 'end';
  /** Of a string, what it stands for. */
  readonly text: string;
  readonly offset: number;
}

const BLANKS = /[ \t\r\n]*/y;
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
  let offset = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = offset;
    return pattern.exec(text)?.[0];
  };
  for (;;) {
    offset += match(BLANKS)!.length;
    if (offset === text.length) return [...tokens, { kind: 'end', text: '', offset }];
    const kind = KINDS.find((one) => match(TOKENS[one]) !== undefined);
    if (!kind) throw strangeCharacter(String.fromCodePoint(text.codePointAt(offset)!), offset);
    const own = match(TOKENS[kind])!;
    tokens.push({ kind, text: kind === 'string' ? unquoted(own, offset) : own, offset });
    offset += own.length + (kind === 'function' ? 1 : 0);
  }
}

const strangeCharacter = (character: string, offset: number): ExpressionError =>
  '\'"`'.includes(character)
    ? new ExpressionError('a string has no end', offset, `close it with ${character}`)
    : new ExpressionError(`'${character}' has no meaning here`, offset);

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
