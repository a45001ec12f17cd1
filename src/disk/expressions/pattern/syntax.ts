/** Regular expressions: what Python and JavaScript write alike, without look-around and back references. */
import { ExpressionError } from '../values/expression-error.ts';

/** Whether a character (a code point) belongs to a class. */
export type CharacterTest = (character: string) => boolean;

export type PatternNode =
  | { readonly kind: 'character'; readonly test: CharacterTest }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly min: number; readonly max: number }
  | { readonly kind: 'anchor'; readonly at: 'start' | 'end' | 'last' | 'boundary' | 'inside' };

const WORD = /[\p{L}\p{N}_]/u;
const CLASSES: Readonly<Record<string, CharacterTest>> = {
  d: (character) => /\p{Nd}/u.test(character),
  w: (character) => WORD.test(character),
  s: (character) => /\s/.test(character),
};
const CONTROL: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  f: '\f',
  v: '\v',
  a: '\u0007',
};
const MAX_REPEAT = 1000;
const MAX_DEPTH = 50;

export const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && WORD.test(character);

/** @throws ExpressionError for what is malformed or not understood. */
export function parsePattern(text: string, offset: number): PatternNode {
  const characters = [...text];
  let at = 0;
  let depth = 0;
  let ignoresCase = false;
  const fail = (what: string): never => {
    throw new ExpressionError(`the pattern '${text.slice(0, 40)}' ${what}`, offset);
  };
  const literal = (wanted: string): PatternNode => {
    if (!ignoresCase) return { kind: 'character', test: (character) => character === wanted };
    const small = wanted.toLowerCase();
    return { kind: 'character', test: (character) => character.toLowerCase() === small };
  };

  const choice = (): PatternNode => {
    if (++depth > MAX_DEPTH) fail('is nested too deeply');
    const parts = [sequence()];
    while (characters[at] === '|') {
      at++;
      parts.push(sequence());
    }
    depth--;
    return parts.length === 1 ? parts[0]! : { kind: 'choice', parts };
  };

  const sequence = (): PatternNode => {
    const parts: PatternNode[] = [];
    while (at < characters.length && characters[at] !== '|' && characters[at] !== ')') parts.push(repeated());
    return { kind: 'sequence', parts };
  };

  const repeated = (): PatternNode => {
    const part = single();
    const bounds = quantifier();
    if (!bounds) return part;
    // Whether as few or as many as possible are taken changes nothing about whether there is a match.
    if (characters[at] === '?') at++;
    if (part.kind === 'anchor' || quantifier()) fail('repeats what cannot be repeated');
    return { kind: 'repeat', part, ...bounds };
  };

  const quantifier = (): { readonly min: number; readonly max: number } | undefined => {
    const known = { '*': { min: 0, max: Infinity }, '+': { min: 1, max: Infinity }, '?': { min: 0, max: 1 } }[
      characters[at] ?? ''
    ];
    if (known) {
      at++;
      return known;
    }
    const [whole, first, comma, second] =
      /^\{(\d*)(,?)(\d*)\}/.exec(characters.slice(at, at + 24).join('')) ?? [];
    if (whole === undefined || (first === '' && second === '')) return undefined;
    at += whole.length;
    const min = Number(first);
    const max = comma === '' ? min : second === '' ? Infinity : Number(second);
    if (max < min || min > MAX_REPEAT || (Number.isFinite(max) && max > MAX_REPEAT))
      fail('repeats too often');
    return { min, max };
  };

  const single = (): PatternNode => {
    const character = characters[at++]!;
    switch (character) {
      case '.':
        return { kind: 'character', test: (one) => one !== '\n' };
      case '^':
        return { kind: 'anchor', at: 'start' };
      case '$':
        return { kind: 'anchor', at: 'end' };
      case '(':
        return group();
      case '[':
        return { kind: 'character', test: set() };
      case '\\':
        return escaped();
      case '*':
      case '+':
      case '?':
        return fail('repeats nothing');
      default:
        return literal(character);
    }
  };

  const group = (): PatternNode => {
    if (characters[at] === '?') {
      const opening = /^\?(?::|P<\w+>)/.exec(characters.slice(at, at + 40).join(''))?.[0];
      if (opening === undefined) fail('has a group of a kind that is not understood');
      at += opening!.length;
    }
    const inner = choice();
    if (characters[at++] !== ')') fail("misses a ')'");
    return inner;
  };

  /** What stands behind a backslash, as a class or as one character. */
  const readEscape = (): CharacterTest | string => {
    const letter = characters[at++] ?? fail('ends with a backslash');
    const known = CLASSES[letter.toLowerCase()];
    if (known) return letter === letter.toLowerCase() ? known : (character) => !known(character);
    if (letter === 'x' || letter === 'u') {
      const digits = characters.slice(at, at + (letter === 'x' ? 2 : 4)).join('');
      if (!/^(?:[0-9a-fA-F]{2}){1,2}$/.test(digits) || digits.length !== (letter === 'x' ? 2 : 4))
        fail('has a broken \\x or \\u');
      at += digits.length;
      return String.fromCodePoint(Number.parseInt(digits, 16));
    }
    if (CONTROL[letter] !== undefined) return CONTROL[letter];
    return /[a-zA-Z0-9]/.test(letter) ? fail(`has '\\${letter}', which is not understood`) : letter;
  };

  const escaped = (): PatternNode => {
    const anchor = { b: 'boundary', B: 'inside', A: 'start', Z: 'last' }[characters[at] ?? ''];
    if (anchor) {
      at++;
      return { kind: 'anchor', at: anchor as 'start' };
    }
    const found = readEscape();
    return typeof found === 'string' ? literal(found) : { kind: 'character', test: found };
  };

  const set = (): CharacterTest => {
    const isNegated = characters[at] === '^';
    if (isNegated) at++;
    const tests: CharacterTest[] = [];
    for (let isFirst = true; isFirst || characters[at] !== ']'; isFirst = false) {
      if (at >= characters.length) fail("misses a ']'");
      const from = member();
      if (typeof from !== 'string') {
        tests.push(from);
        continue;
      }
      const isRange = characters[at] === '-' && characters[at + 1] !== ']' && at + 1 < characters.length;
      if (isRange) at++;
      const to = isRange ? member() : from;
      if (typeof to !== 'string' || to.codePointAt(0)! < from.codePointAt(0)!) fail('has an invalid range');
      tests.push(between(from, to as string));
    }
    at++;
    return (character) => tests.some((test) => test(character)) !== isNegated;
  };

  const between = (from: string, to: string): CharacterTest => {
    const [low, high] = [from.codePointAt(0)!, to.codePointAt(0)!];
    const isIn = (character: string): boolean => {
      const code = character.codePointAt(0)!;
      return code >= low && code <= high;
    };
    return ignoresCase ? (character) => isIn(character.toLowerCase()) || isIn(character.toUpperCase()) : isIn;
  };

  const member = (): CharacterTest | string => {
    const character = characters[at++]!;
    return character === '\\' ? readEscape() : character;
  };

  if (text.startsWith('(?i)')) {
    ignoresCase = true;
    at = 4;
  }
  const whole = choice();
  if (at < characters.length) fail("has one ')' too many");
  return whole;
}
