/** Evaluates an expression over a value: nothing else can be reached, and what it may cost is bounded. */
import { definitionOf } from './functions/function-table.ts';
import { binaryResult, indexed, memberOf } from './functions/operators.ts';
import type { Argument, Expression } from './syntax/syntax.ts';
import { Budget, Place } from './values/budget.ts';
import { Call, type Operand } from './values/call.ts';
import { Dict, ExpressionError, isNumber, isTruthy, kindOf, type Value } from './values/value.ts';

type Of<K extends Expression['kind']> = Extract<Expression, { kind: K }>;

/** What a name, with its `$`, stands for; null where nobody has given it. */
type Scope = (name: string) => Value;

function scopeOf(outer: Scope, names: Iterable<readonly [string, Value]>): Scope {
  const known = new Map(names);
  return (name) => {
    const own = known.get(name);
    return own !== undefined ? own : outer(name);
  };
}

/** `$` is `$1`. @throws ExpressionError with the place where it went wrong. */
export function evaluateExpression(whole: Expression, data: Value): Value {
  const budget = new Budget();
  const outermost: Scope = () => null;
  return evaluated(whole, scopeOf(outermost, [['$1', data]]));

  function evaluated(expression: Expression, scope: Scope): Value {
    const at = new Place(expression.offset, budget);
    at.step();
    switch (expression.kind) {
      case 'constant':
      case 'word':
        return expression.value;
      case 'variable':
        return scope(expression.name);
      case 'list':
        at.room(expression.items.length);
        return expression.items.map((item) => evaluated(item, scope));
      case 'mapping':
        at.room(expression.entries.length);
        return mappingOf(expression, scope);
      case 'index': {
        const of = evaluated(expression.of, scope);
        const given = expression.arguments.map((one) => evaluated(one, scope));
        return indexed(of, given, at);
      }
      case 'member': {
        const of = evaluated(expression.of, scope);
        return of === null && expression.isOptional ? null : memberOf(of, expression.name, at);
      }
      case 'call':
        return called(expression, scope);
      case 'sign':
        return signed(expression, scope);
      case 'not':
        return !isTruthy(evaluated(expression.operand, scope));
      case 'and':
      case 'or': {
        const left = evaluated(expression.left, scope);
        return isTruthy(left) === (expression.kind === 'and') ? evaluated(expression.right, scope) : left;
      }
      case 'binary': {
        const left = evaluated(expression.left, scope);
        const right = evaluated(expression.right, scope);
        return binaryResult(expression.operator, left, right, at);
      }
      case 'with':
        return evaluated(expression.body, bound(expression.bindings, scope));
    }
  }

  function mappingOf({ entries }: Of<'mapping'>, scope: Scope): Value {
    return new Dict(
      entries.map(({ key, value }) => {
        if (!key) throw new ExpressionError('a mapping is written {key => value}', value.offset);
        return [evaluated(key, scope), evaluated(value, scope)] as const;
      }),
    );
  }

  function signed({ sign, operand, offset }: Of<'sign'>, scope: Scope): Value {
    const value = evaluated(operand, scope);
    if (!isNumber(value)) throw new ExpressionError(`'${sign}' takes a number, not ${kindOf(value)}`, offset);
    return sign === '-' ? -value : value;
  }

  /** The scope that `let(...)` or `with(...)` opens. All values are taken from the scope around it. */
  function bound(bindings: Expression, scope: Scope): Scope {
    if (bindings.kind !== 'call' || bindings.of || !(bindings.name === 'let' || bindings.name === 'with'))
      throw new ExpressionError("before '->' stands let(name => value) or with(value)", bindings.offset);
    let place = 0;
    return scopeOf(
      scope,
      bindings.arguments.map(({ key, value }) => {
        if (key && bindings.name === 'with') throw new ExpressionError('with() takes no names', key.offset);
        return [`$${key ? wordOf(key) : ++place}`, evaluated(value, scope)] as const;
      }),
    );
  }

  function called(expression: Of<'call'>, scope: Scope): Value {
    const { name, offset, of, isOptional, arguments: given } = expression;
    const receiver = of && evaluated(of, scope);
    if (receiver === null && isOptional) return null;
    if (!of && (name === 'let' || name === 'with'))
      throw new ExpressionError(`${name}() can only be used before '->'`, offset);
    const { arity, takesPairs = false, expressionsFrom, run } = definitionOf(name, receiver, offset);
    const wrong = given.find(({ key }) => Boolean(key) !== takesPairs);
    if (wrong) throw unexpectedName(name, wrong);
    const pairs = given.flatMap(({ key, value }) =>
      key ? [{ key: operandOf(key, scope), value: operandOf(value, scope) }] : [],
    );
    const operands = takesPairs ? [] : given.map(({ value }) => operandOf(value, scope));
    if (receiver !== undefined)
      operands.unshift({ offset: of!.offset, value: () => receiver, apply: () => receiver });
    const [min, max] = arity;
    if (operands.length < min || operands.length > max)
      throw new ExpressionError(`${name}() takes another number of arguments`, offset);
    for (const operand of operands.slice(0, expressionsFrom)) operand.value();
    return run(new Call(name, offset, budget, operands, pairs, of !== undefined));
  }

  function operandOf(expression: Expression, scope: Scope): Operand {
    let known: Value | undefined;
    return {
      offset: expression.offset,
      value: () => {
        if (known === undefined) known = evaluated(expression, scope);
        return known;
      },
      apply: (...items) =>
        evaluated(
          expression,
          scopeOf(
            scope,
            items.map((item, at) => [`$${at + 1}`, item]),
          ),
        ),
    };
  }
}

function wordOf(key: Expression): string {
  if (key.kind === 'word') return key.value;
  throw new ExpressionError("before '=>' stands a name", key.offset);
}

const unexpectedName = (name: string, { key, value }: Argument): ExpressionError =>
  key
    ? new ExpressionError(`${name}() takes its arguments by position`, key.offset, "leave out 'name =>'")
    : new ExpressionError(`${name}() takes arguments written 'key => value'`, value.offset);
