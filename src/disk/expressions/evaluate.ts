/** Evaluates an expression over a value: nothing else can be reached, and what it may cost is bounded. */
import { definitionOf } from './functions/function-table.ts';
import { binaryResult, indexed, memberOf } from './functions/operators.ts';
import type { Argument, Expression } from './syntax/syntax.ts';
import { Budget, Place } from './values/budget.ts';
import { Call, type Operand } from './values/call.ts';
import { Dict, ExpressionError, isNumber, isTruthy, kindOf, type Value } from './values/value.ts';

type Of<K extends Expression['kind']> = Extract<Expression, { kind: K }>;

/** @throws ExpressionError with the place where it went wrong. */
export const evaluateExpression = (expression: Expression, data: Value): Value =>
  new Evaluation(new Budget()).value(expression, new Scope(undefined, [['$1', data]]));

/** Names and what they stand for. `$` is `$1`; a name that nobody has given is null. */
class Scope {
  private readonly names: ReadonlyMap<string, Value>;

  constructor(
    private readonly outer: Scope | undefined,
    names: Iterable<readonly [string, Value]>,
  ) {
    this.names = new Map(names);
  }

  /** @param name with its `$`. */
  get(name: string): Value {
    const own = this.names.get(name);
    return own !== undefined ? own : (this.outer?.get(name) ?? null);
  }

  /** A scope in which `items` are `$1`, `$2`, ... */
  with(...items: readonly Value[]): Scope {
    return new Scope(
      this,
      items.map((item, at) => [`$${at + 1}`, item]),
    );
  }
}

class Evaluation {
  constructor(private readonly budget: Budget) {}

  value(expression: Expression, scope: Scope): Value {
    const at = new Place(expression.offset, this.budget);
    at.step();
    switch (expression.kind) {
      case 'constant':
      case 'word':
        return expression.value;
      case 'variable':
        return scope.get(expression.name);
      case 'list':
        at.room(expression.items.length);
        return expression.items.map((item) => this.value(item, scope));
      case 'mapping':
        at.room(expression.entries.length);
        return this.mapping(expression, scope);
      case 'index': {
        const of = this.value(expression.of, scope);
        const given = expression.arguments.map((one) => this.value(one, scope));
        return indexed(of, given, at);
      }
      case 'member': {
        const of = this.value(expression.of, scope);
        return of === null && expression.isOptional ? null : memberOf(of, expression.name, at);
      }
      case 'call':
        return this.call(expression, scope);
      case 'sign':
        return this.signed(expression, scope);
      case 'not':
        return !isTruthy(this.value(expression.operand, scope));
      case 'and':
      case 'or': {
        const left = this.value(expression.left, scope);
        return isTruthy(left) === (expression.kind === 'and') ? this.value(expression.right, scope) : left;
      }
      case 'binary': {
        const left = this.value(expression.left, scope);
        const right = this.value(expression.right, scope);
        return binaryResult(expression.operator, left, right, at);
      }
      case 'with':
        return this.value(expression.body, this.bindings(expression.bindings, scope));
    }
  }

  private mapping({ entries }: Of<'mapping'>, scope: Scope): Value {
    return new Dict(
      entries.map(({ key, value }) => {
        if (!key) throw new ExpressionError('a mapping is written {key => value}', value.offset);
        return [this.value(key, scope), this.value(value, scope)] as const;
      }),
    );
  }

  private signed({ sign, operand, offset }: Of<'sign'>, scope: Scope): Value {
    const value = this.value(operand, scope);
    if (!isNumber(value)) throw new ExpressionError(`'${sign}' takes a number, not ${kindOf(value)}`, offset);
    return sign === '-' ? -value : value;
  }

  /** The scope that `let(...)` or `with(...)` opens. All values are taken from the scope around it. */
  private bindings(bindings: Expression, scope: Scope): Scope {
    if (bindings.kind !== 'call' || bindings.of || !(bindings.name === 'let' || bindings.name === 'with'))
      throw new ExpressionError("before '->' stands let(name => value) or with(value)", bindings.offset);
    let place = 0;
    return new Scope(
      scope,
      bindings.arguments.map(({ key, value }) => {
        if (key && bindings.name === 'with') throw new ExpressionError('with() takes no names', key.offset);
        return [`$${key ? wordOf(key) : ++place}`, this.value(value, scope)] as const;
      }),
    );
  }

  private call(expression: Of<'call'>, scope: Scope): Value {
    const { name, offset, of, isOptional, arguments: given } = expression;
    const receiver = of && this.value(of, scope);
    if (receiver === null && isOptional) return null;
    if (!of && (name === 'let' || name === 'with'))
      throw new ExpressionError(`${name}() can only be used before '->'`, offset);
    const definition = definitionOf(name, receiver, offset);
    const operands = receiver === undefined ? [] : [fixedOperand(receiver, of!.offset)];
    const pairs = [];
    for (const argument of given) {
      const { key, value } = argument;
      if (Boolean(key) !== Boolean(definition.takesPairs)) throw unexpectedName(name, argument);
      if (key) pairs.push({ key: this.operand(key, scope), value: this.operand(value, scope) });
      else operands.push(this.operand(value, scope));
    }
    const [min, max] = definition.arity;
    if (operands.length < min || operands.length > max)
      throw new ExpressionError(`${name}() takes another number of arguments`, offset);
    for (const operand of operands.slice(0, definition.expressionsFrom)) operand.value();
    return definition.run(new Call(name, offset, this.budget, operands, pairs, of !== undefined));
  }

  private operand(expression: Expression, scope: Scope): Operand {
    let known: Value | undefined;
    return {
      offset: expression.offset,
      value: () => {
        if (known === undefined) known = this.value(expression, scope);
        return known;
      },
      apply: (...items) => this.value(expression, scope.with(...items)),
    };
  }
}

const fixedOperand = (value: Value, offset: number): Operand => ({
  offset,
  value: () => value,
  apply: () => value,
});

function wordOf(key: Expression): string {
  if (key.kind === 'word') return key.value;
  throw new ExpressionError("before '=>' stands a name", key.offset);
}

const unexpectedName = (name: string, { key, value }: Argument): ExpressionError =>
  key
    ? new ExpressionError(`${name}() takes its arguments by position`, key.offset, "leave out 'name =>'")
    : new ExpressionError(`${name}() takes arguments written 'key => value'`, value.offset);
