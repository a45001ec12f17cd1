/** Numbers as yaql 2.0.0 has them: integers are floored, `mod` has the divisor's sign, floats win. */
import { ExpressionError } from './value.ts';

type Numeric = bigint | number;
export type ArithmeticOperator = '+' | '-' | '*' | '/' | 'mod';

/** Result of an operation on two numbers. @throws ExpressionError on a division by zero. */
export function arithmetic(
  operator: ArithmeticOperator,
  left: Numeric,
  right: Numeric,
  offset: number,
): Numeric {
  if ((operator === '/' || operator === 'mod') && Number(right) === 0)
    throw new ExpressionError('divides by zero', offset);
  return typeof left === 'bigint' && typeof right === 'bigint'
    ? OF_INTEGERS[operator](left, right)
    : OF_FLOATS[operator](Number(left), Number(right));
}

type Operations<T> = Readonly<Record<ArithmeticOperator, (left: T, right: T) => T>>;

const OF_INTEGERS: Operations<bigint> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => (left - OF_INTEGERS.mod(left, right)) / right,
  mod: (left, right) => {
    const rest = left % right;
    return rest !== 0n && rest < 0n !== right < 0n ? rest + right : rest;
  },
};

const OF_FLOATS: Operations<number> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  mod: (left, right) => {
    const rest = left % right;
    return rest !== 0 && rest < 0 !== right < 0 ? rest + right : rest;
  },
};

/** More digits than any double has behind the point. */
const ALL_DIGITS = 100;

/** Rounds to `digits` places, a tie to the even neighbour; an integer stays an integer. */
export function rounded(value: Numeric, digits: number): Numeric {
  if (typeof value === 'bigint') return digits >= 0 ? value : roundedInteger(value, 10n ** BigInt(-digits));
  if (!Number.isFinite(value) || digits > ALL_DIGITS) return value;
  if (digits < 0) {
    const unit = 10 ** -digits;
    const below = Math.floor(value / unit);
    const rest = value - below * unit;
    const isUp = rest > unit / 2 || (rest === unit / 2 && below % 2 !== 0);
    return (below + (isUp ? 1 : 0)) * unit;
  }
  const size = Math.abs(value);
  // Text of a larger number has no digits behind the point.
  if (size >= 1e21) return value;
  const exact = size.toFixed(ALL_DIGITS);
  const kept = exact.slice(0, exact.indexOf('.') + 1 + digits);
  const isTie = /^50*$/.test(exact.slice(kept.length));
  const isEven = /[02468]\.?$/.test(kept);
  const result = isTie && isEven ? Number(kept) : Number(size.toFixed(digits));
  return value < 0 ? -result : result;
}

function roundedInteger(value: bigint, unit: bigint): bigint {
  const rest = OF_INTEGERS.mod(value, unit);
  const below = value - rest;
  const isUp = rest * 2n > unit || (rest * 2n === unit && (below / unit) % 2n !== 0n);
  return isUp ? below + unit : below;
}

const FIRST_EXPONENT = 16;
const LAST_EXPONENT = -5;

/** A float as the reference writes it: always with a point or an exponent. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0.0';
  const [digits, exponent] = value.toExponential().split('e') as [string, string];
  const power = Number(exponent);
  if (value !== 0 && (power >= FIRST_EXPONENT || power < LAST_EXPONENT + 1))
    return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
  return Number.isInteger(value) ? `${value}.0` : String(value);
}
