/**
 * Reads an expression: `. ?.`, `[ ]`, sign, `=~ !~`, `* / mod`, `+ -`, comparisons, `not`, `and`, `or`, `->`.
 */
import { ExpressionError } from '../values/value.ts';
import { type Token, tokensOf } from './lexer.ts';
import { type Argument, type BinaryOperator, type Expression, TIERS } from './syntax.ts';

const MAX_LENGTH = 10_000;
/** Deeper than anybody writes, and far from the end of the stack. */
const MAX_DEPTH = 200;

/** How tightly an operator binds: its place in TIERS, from 1. */
const LEVELS = new Map<string, number>(TIERS.flatMap((tier, at) => tier.map((one) => [one, at + 1])));
const LOOSEST = 1;
const PREFIXES: readonly string[] = ['not', 'sign'];

const OPERATOR_WORDS = new Set(['or', 'and', 'in', 'mod', 'not']);
const CONSTANTS = new Map<string, null | boolean>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** @throws ExpressionError with the place of the first thing that cannot be read. */
export function parseExpression(text: string): Expression {
  if (text.length > MAX_LENGTH) throw new ExpressionError(`is longer than ${MAX_LENGTH} characters`, 0);
  return new Parser(tokensOf(text)).whole();
}

class Parser {
  private at = 0;
  private depth = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  whole(): Expression {
    if (!this.hasMore()) throw new ExpressionError('there is nothing in it', 0);
    const expression = this.expression(LOOSEST);
    if (this.hasMore()) throw this.unexpected();
    return expression;
  }

  private hasMore(): boolean {
    return this.next.kind !== 'end';
  }

  private get next(): Token {
    return this.tokens[this.at]!;
  }

  private unexpected(): ExpressionError {
    const { kind, text, offset } = this.next;
    if (kind === 'end')
      return new ExpressionError('ends too early', offset, 'a bracket or an operand is missing');
    return new ExpressionError(`'${kind === 'function' ? `${text}(` : text}' is not expected here`, offset);
  }

  private isSign(sign: string): boolean {
    return this.next.kind === 'sign' && this.next.text === sign;
  }

  private take(): Token {
    return this.tokens[this.at++]!;
  }

  /** Takes the sign where it comes next. */
  private accept(sign: string): boolean {
    if (!this.isSign(sign)) return false;
    this.at++;
    return true;
  }

  private expect(sign: string): void {
    if (!this.accept(sign)) throw this.unexpected();
  }

  /** Operators at `level` or tighter. */
  private expression(level: number): Expression {
    this.deeper();
    let left = this.operand();
    let chained = 0;
    for (;;) {
      const operator = this.operatorHere();
      const own = operator === undefined ? 0 : LEVELS.get(operator)!;
      if (operator === undefined || own < level) break;
      const { offset } = this.take();
      // Each turn puts what was read one level deeper.
      this.deeper();
      chained++;
      left = binary(operator, offset, left, this.expression(operator === '->' ? own : own + 1));
    }
    this.depth -= chained + 1;
    return left;
  }

  private deeper(): void {
    if (++this.depth > MAX_DEPTH)
      throw new ExpressionError(`is nested deeper than ${MAX_DEPTH}`, this.next.offset);
  }

  /** The binary operator that comes next. `name(` is a function even where the name is an operator's. */
  private operatorHere(): string | undefined {
    const { kind, text } = this.next;
    if (kind === 'function' && OPERATOR_WORDS.has(text) && text !== 'not') return undefined;
    if (kind !== 'sign' && kind !== 'word') return undefined;
    return LEVELS.has(text) && !PREFIXES.includes(text) ? text : undefined;
  }

  private operand(): Expression {
    const { kind, text, offset } = this.next;
    if (kind === 'word' && text === 'not') {
      this.at++;
      return { kind: 'not', offset, operand: this.expression(LEVELS.get('not')!) };
    }
    if (kind === 'sign' && (text === '-' || text === '+')) {
      this.at++;
      return { kind: 'sign', offset, sign: text, operand: this.expression(LEVELS.get('sign')!) };
    }
    return this.postfixes(this.primary());
  }

  private postfixes(first: Expression): Expression {
    let value = first;
    let chained = 0;
    for (;;) {
      const { offset } = this.next;
      if (this.isSign('.') || this.isSign('?.')) value = this.member(value, this.take().text === '?.');
      else if (this.accept('[')) value = { kind: 'index', offset, of: value, arguments: this.values() };
      else break;
      this.deeper();
      chained++;
    }
    this.depth -= chained;
    return value;
  }

  private member(of: Expression, isOptional: boolean): Expression {
    const { kind, text, offset } = this.next;
    if (kind === 'function') {
      this.at++;
      return { kind: 'call', offset, of, isOptional, name: text, arguments: this.arguments(')') };
    }
    if (kind !== 'word' || OPERATOR_WORDS.has(text) || CONSTANTS.has(text)) throw this.unexpected();
    this.at++;
    return { kind: 'member', offset, of, name: text, isOptional };
  }

  private primary(): Expression {
    const { kind, text, offset } = this.next;
    this.at++;
    switch (kind) {
      case 'number':
        return { kind: 'constant', offset, value: text.includes('.') ? Number(text) : BigInt(text) };
      case 'string':
        return { kind: 'constant', offset, value: text };
      case 'variable':
        return { kind: 'variable', offset, name: text === '$' ? '$1' : text };
      case 'function':
        return { kind: 'call', offset, isOptional: false, name: text, arguments: this.arguments(')') };
      case 'word': {
        const constant = CONSTANTS.get(text);
        if (constant !== undefined) return { kind: 'constant', offset, value: constant };
        if (!OPERATOR_WORDS.has(text)) return { kind: 'word', offset, value: text };
        break;
      }
      case 'sign':
        if (text === '(') {
          const inner = this.expression(LOOSEST);
          this.expect(')');
          return inner;
        }
        if (text === '[') return { kind: 'list', offset, items: this.values() };
        if (text === '{') return { kind: 'mapping', offset, entries: this.arguments('}') };
    }
    this.at--;
    throw this.unexpected();
  }

  /** Arguments up to the closing sign, which is taken too. */
  private arguments(closing: string): readonly Argument[] {
    const found: Argument[] = [];
    if (this.accept(closing)) return found;
    do {
      const first = this.expression(LOOSEST);
      found.push(this.accept('=>') ? { key: first, value: this.expression(LOOSEST) } : { value: first });
    } while (this.accept(','));
    this.expect(closing);
    return found;
  }

  /** Arguments in brackets, of which none may have a name. */
  private values(): readonly Expression[] {
    return this.arguments(']').map(({ key, value }) => {
      if (key) throw new ExpressionError("'=>' is not expected here", value.offset, 'write {key => value}');
      return value;
    });
  }
}

function binary(operator: string, offset: number, left: Expression, right: Expression): Expression {
  switch (operator) {
    case '->':
      return { kind: 'with', offset, bindings: left, body: right };
    case 'and':
    case 'or':
      return { kind: operator, offset, left, right };
    default:
      return { kind: 'binary', offset, operator: operator as BinaryOperator, left, right };
  }
}
