/** Numbers, conversions between kinds, and questions about the kind. */
import { floatText, rounded } from '../values/arithmetic.ts';
import { type Call, type FunctionDefinition, type FunctionTable, plain } from '../values/call.ts';
import { Dict, isCollection, isNumber, isTruthy, kindOf, type Value } from '../values/value.ts';

const MAX_ROUND_DIGITS = 300;

const about = (test: (value: Value) => boolean): FunctionDefinition =>
  plain(1, (call) => test(call.value(0)));

export function textOf(value: Value, call: Call): string {
  if (typeof value === 'string') return value;
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return floatText(value);
  return call.fail(`${kindOf(value)} cannot be written as text`, 'write join() or select()');
}

function integerOf(value: Value, call: Call): bigint {
  if (value === null) return 0n;
  if (typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'number' && Number.isFinite(value)) return BigInt(Math.trunc(value));
  if (typeof value === 'string' && /^\s*[+-]?\d+(?:_\d+)*\s*$/.test(value)) {
    call.made(value);
    const digits = value.trim().replaceAll('_', '');
    return digits.startsWith('-') ? -BigInt(digits.slice(1)) : BigInt(digits.replace('+', ''));
  }
  return call.fail(`${shown(value)} is not an integer`);
}

function floatOf(value: Value, call: Call): number {
  if (value === null) return 0;
  if (isNumber(value) || typeof value === 'boolean') return Number(value);
  if (typeof value === 'string' && /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/.test(value))
    return Number(value);
  return call.fail(`${shown(value)} is not a number`);
}

const shown = (value: Value): string =>
  typeof value === 'string' ? `'${value.slice(0, 40)}'` : kindOf(value);

export const CONVERSIONS: FunctionTable = {
  int: plain(1, (call) => integerOf(call.value(0), call)),
  float: plain(1, (call) => floatOf(call.value(0), call)),
  str: plain(1, (call) => call.made(textOf(call.value(0), call))),
  bool: plain(1, (call) => isTruthy(call.value(0))),
  abs: plain(1, (call) => {
    const value = call.number(0);
    return value < 0 ? -value : value;
  }),
  sign: plain(1, (call) => {
    const value = call.number(0);
    return BigInt(Number(value > 0) - Number(value < 0));
  }),
  /** To `digits` places behind the point; a tie goes to the even neighbour. */
  round: plain([1, 2], (call) => {
    const digits = call.integer(1, 0);
    if (Math.abs(digits) > MAX_ROUND_DIGITS) return call.fail(`cannot round to ${digits} digits`);
    return rounded(call.number(0), digits);
  }),
  isInteger: about((value) => typeof value === 'bigint'),
  isNumber: about(isNumber),
  isString: about((value) => typeof value === 'string'),
  isBoolean: about((value) => typeof value === 'boolean'),
  isList: about((value) => Array.isArray(value)),
  isDict: about((value) => value instanceof Dict),
  isIterable: about(isCollection),
};
