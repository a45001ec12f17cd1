/**
 * Shortest decimal digits of a double, and their rounding, as Haskell makes them. The stock programs print
 * from these, so the last digit is theirs: the shortest form is rounded, ties to even.
 */

/** `0.d1 d2 d3... x 10^exponent`, with `digits` = [d1, d2, d3, ...]; zero is [0] with exponent 0. */
interface DecimalDigits {
  readonly digits: readonly number[];
  readonly exponent: number;
}

/** From here a midpoint of two doubles can be a short decimal, where JavaScript and Haskell differ. */
const EXACT_INTEGERS_END = 2 ** 53;
/** Shorter digits have no neighbour of their length that reads back as the same double: no tie. */
const SHORTEST_TIE = 15;
/** A double that lies in the middle of two decimals of that length has at most so many binary places. */
const TIE_SCALE = 2 ** 40;

/**
 * Digits of a finite number, at least 0. Source: Steele and White, "How to print floating-point numbers
 * accurately": open intervals, halves away from zero, unlike JavaScript.
 */
export function shortestDigits(x: number): DecimalDigits {
  if (x === 0) return { digits: [0], exponent: 0 };
  const [mantissa, power] = x.toExponential().split('e') as [string, string];
  const exponent = Number(power) + 1;
  if (x >= EXACT_INTEGERS_END) return exactDigits(BigInt(x), 1n, exponent);
  const digits = Array.from(mantissa.replace('.', ''), Number);
  if (digits.length >= SHORTEST_TIE && Number.isInteger(x * TIE_SCALE))
    return exactDigits(BigInt(x * TIE_SCALE), BigInt(TIE_SCALE), exponent);
  return { digits, exponent };
}

/** Digits of the double numerator / denominator (a power of two, up to 2^40), in whole numbers. */
function exactDigits(numerator: bigint, denominator: bigint, exponent: number): DecimalDigits {
  // Scaled so that half the distance to the next double on either side is whole.
  const value = numerator << 64n;
  const one = denominator << 64n;
  const halfSpacing = 1n << BigInt(value.toString(2).length - 53 - 1);
  const isPowerOfTwo = (value & (value - 1n)) === 0n;
  const up = halfSpacing;
  const down = isPowerOfTwo ? halfSpacing / 2n : halfSpacing;
  const digits: number[] = [];
  // Digit by digit the rest and both half distances grow tenfold, the unit stays.
  const unit = one * 10n ** BigInt(Math.max(exponent, 0));
  const lift = 10n ** BigInt(Math.max(-exponent, 0));
  let rest = value * lift;
  let above = up * lift;
  let below = down * lift;
  for (;;) {
    rest *= 10n;
    above *= 10n;
    below *= 10n;
    const digit = Number(rest / unit);
    rest %= unit;
    const reachesDown = rest < below;
    const reachesUp = rest + above > unit;
    if (reachesDown || reachesUp) {
      const takesUpper = reachesUp && (!reachesDown || rest * 2n >= unit);
      digits.push(takesUpper ? digit + 1 : digit);
      // JavaScript rounds 10^23 up to a power of ten that is not within reach here.
      return digits[0] === 0 ? { digits: digits.slice(1), exponent: exponent - 1 } : { digits, exponent };
    }
    digits.push(digit);
  }
}

/** Rounds to `count` digits, ties to even. @returns with `carry` 1 one digit more, a 1 in front. */
export function roundDigits(
  count: number,
  digits: readonly number[],
): { readonly carry: 0 | 1; readonly digits: number[] } {
  const kept: number[] = [];
  for (let i = 0; i < count; i++) kept.push(digits[i] ?? 0);
  if (!roundsUpAfter(count, digits)) return { carry: 0, digits: kept };
  for (let i = count - 1; i >= 0; i--) {
    if (kept[i] !== 9) {
      kept[i]! += 1;
      return { carry: 0, digits: kept };
    }
    kept[i] = 0;
  }
  return { carry: 1, digits: [1, ...kept] };
}

function roundsUpAfter(count: number, digits: readonly number[]): boolean {
  const next = digits[count] ?? 0;
  if (next !== 5) return next > 5;
  for (let i = count + 1; i < digits.length; i++) if (digits[i] !== 0) return true;
  const last = count === 0 ? 0 : digits[count - 1]!;
  return last % 2 === 1;
}
