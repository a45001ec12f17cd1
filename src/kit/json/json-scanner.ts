/**
 * Reads JSON character by character, with the leniencies and the error texts of the stock programs' reader
 * (they reach Ganeti's logs). Slow; only for documents that JSON.parse refuses or would reorder.
 */
import { type JsonObject, type JsonValue, MEMBERS, type ParsedDocument } from './json-value.ts';

const CONTEXT_LENGTH = 8;
const TAIL_LENGTH = 10;
/** Deeper than any request; the stock reader has no such limit, but this stack has. */
const MAX_DEPTH = 500;

const SPACE = /[\t-\r \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/;
const NUMBER = /(-?)(0|[0-9]+)((?:\.[0-9]*)?)((?:[eE][-+]?[0-9]+)?)/y;
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\',
  '"': '"',
  '/': '/',
  n: '\n',
  r: '\r',
  t: '\t',
  f: '\f',
  b: '\b',
};

/** What the scanner throws to itself; never leaves this file. */
class Stuck {
  constructor(readonly problem: string) {}
}

export function scanJson(text: string): ParsedDocument {
  const scanner = new Scanner(text);
  try {
    return { value: scanner.document() };
  } catch (stuck) {
    if (stuck instanceof Stuck) return { problem: stuck.problem };
    throw stuck;
  }
}

class Scanner {
  private at = 0;

  constructor(private readonly text: string) {}

  document(): JsonValue {
    const value = this.value(0);
    if (this.at < this.text.length) {
      const tail = this.text.slice(this.at, this.at + TAIL_LENGTH);
      throw new Stuck(`Invalid tokens at end of JSON string: ${JSON.stringify(tail)}`);
    }
    return value;
  }

  private value(depth: number): JsonValue {
    const character = this.text[this.at] ?? '';
    if (depth > MAX_DEPTH) throw this.stuck('Malformed JSON: nested too deeply');
    switch (character) {
      case '"':
        return this.string();
      case '[':
        return this.array(depth);
      case '{':
        return this.object(depth);
      case 't':
      case 'f':
        return this.boolean();
      default:
        if (character === '-' || (character >= '0' && character <= '9')) return this.number();
        if (!this.text.startsWith('null', this.at))
          throw this.stuck('Malformed JSON: invalid token in this context');
        this.at += 4;
        return null;
    }
  }

  private array(depth: number): JsonValue[] {
    const items: JsonValue[] = [];
    this.at++;
    this.skipSpace();
    if (this.take(']')) return items;
    for (;;) {
      items.push(this.value(depth + 1));
      const before = this.at;
      this.skipSpace();
      if (this.take(']')) return items;
      if (!this.take(',')) throw this.stuck('Unable to parse JSON array: unterminated array:', before);
    }
  }

  private object(depth: number): JsonObject {
    const members: [string, JsonValue][] = [];
    this.at++;
    this.skipSpace();
    while (!this.take('}')) {
      if (members.length > 0 && this.text[this.at] === undefined)
        throw this.stuck('Malformed JSON: expecting string:');
      members.push(this.member(depth));
      const before = this.at;
      this.skipSpace();
      if (this.take('}')) break;
      if (!this.take(',')) throw this.stuck('Unable to parse JSON object: unterminated sequence:', before);
      if (this.text[this.at] === '}') throw this.stuck('Malformed JSON: expecting string:');
    }
    this.skipSpace();
    return objectOf(members);
  }

  private member(depth: number): [string, JsonValue] {
    if (this.text[this.at] !== '"') throw this.stuck('Malformed JSON: expecting string:');
    const name = this.string();
    const before = this.at;
    this.skipSpace();
    if (!this.take(':')) throw this.stuck('Malformed JSON labelled field:', before);
    return [name, this.value(depth + 1)];
  }

  private string(): string {
    const text = this.text;
    let result = '';
    let start = this.at + 1;
    for (let i = start; ; i++) {
      const code = text.charCodeAt(i);
      if (code === 0x22) {
        this.at = i + 1;
        return result + text.slice(start, i);
      }
      if (code === 0x5c) {
        result += text.slice(start, i) + this.escape(i + 1);
        i += text[i + 1] === 'u' ? 5 : 1;
        start = i + 1;
      } else if (Number.isNaN(code)) throw new Stuck('Unable to parse JSON String: unterminated String: ');
      else if (code < 0x20) throw this.stuck('Illegal unescaped character in string:', i);
    }
  }

  private escape(at: number): string {
    const character = this.text[at];
    if (character === undefined) throw new Stuck('Unable to parse JSON String: unterminated String: ');
    if (character !== 'u') {
      const plain = ESCAPES[character];
      if (plain !== undefined) return plain;
      throw new Stuck(`Unable to parse JSON String: invalid escape char: '${character}'`);
    }
    const digits = this.text.slice(at + 1, at + 5);
    if (/^[0-9a-fA-F]{4}$/.test(digits)) return String.fromCharCode(Number.parseInt(digits, 16));
    throw new Stuck(
      `Unable to parse JSON String: invalid hex: ${describeHex(digits).slice(0, CONTEXT_LENGTH)}`,
    );
  }

  private number(): number {
    NUMBER.lastIndex = this.at;
    const match = NUMBER.exec(this.text);
    if (!match) throw this.stuck('Unable to parse JSON Rational:', this.at + 2);
    const [whole, sign = '', integer = '', fraction, exponent] = match;
    // A bare point behind a number is passed over, with no exponent after it.
    const isBarePoint = fraction === '.';
    this.at += isBarePoint ? sign.length + integer.length + 1 : whole.length;
    if (!isBarePoint && exponent === '' && /[eE]/.test(this.text[this.at] ?? '')) {
      const signed = /[-+]/.test(this.text[this.at + 1] ?? '') ? 2 : 1;
      throw this.stuck('Unable to parse JSON exponential:', this.at + signed);
    }
    return Number(isBarePoint ? sign + integer : whole);
  }

  private boolean(): boolean {
    const word = ['true', 'false'].find((one) => this.text.startsWith(one, this.at));
    if (word === undefined) throw this.stuck('Unable to parse JSON Bool:');
    this.at += word.length;
    return word === 'true';
  }

  private skipSpace(): void {
    while (this.at < this.text.length && SPACE.test(this.text[this.at]!)) this.at++;
  }

  /** Takes one character, and the space behind it, when it is the next one. */
  private take(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at++;
    this.skipSpace();
    return true;
  }

  private stuck(message: string, at = this.at): Stuck {
    return new Stuck(`${message} ${this.text.slice(at, at + CONTEXT_LENGTH)}`);
  }
}

/** The reader's view of four characters that are not all hexadecimal: what it could read and what is left. */
function describeHex(digits: string): string {
  const read = /^[0-9a-fA-F]*/.exec(digits)![0];
  if (digits.length < 4) return digits;
  return read === '' ? '[]' : `[(${Number.parseInt(read, 16)},${JSON.stringify(digits.slice(read.length))})]`;
}

/** Of members with one name the first counts, as in the stock reader. */
function objectOf(members: readonly (readonly [string, JsonValue])[]): JsonObject {
  const object: Record<string, JsonValue> = Object.create(null);
  for (const [name, value] of members) if (!(name in object)) object[name] = value;
  const names = Object.keys(object);
  const isOrdered = names.length === members.length && names.every((name, i) => name === members[i]![0]);
  if (!isOrdered) Object.defineProperty(object, MEMBERS, { value: members });
  return object as JsonObject;
}
