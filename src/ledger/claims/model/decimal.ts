/** Decimal numbers as text, multiplied exactly: 100 at ratio 1.15 is 115, where floating point says 114. */

const DECIMAL = /^(\d{1,15})(?:\.(\d{1,18}))?$/;

/** The number in its one spelling (`1.50` is `1.5`); undefined when it is none, or not above 0. */
export function canonicalRatio(text: string): string | undefined {
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const whole = match[1]!.replace(/^0+(?=\d)/, '');
  const fraction = (match[2] ?? '').replace(/0+$/, '');
  const canonical = fraction === '' ? whole : `${whole}.${fraction}`;
  return canonical === '0' ? undefined : canonical;
}

const RATIO_DIGITS = 18;

/** A double as exact decimal text, its shortest spelling; undefined when it is not above 0 or too long. */
export function ratioText(ratio: number): string | undefined {
  const text = String(ratio);
  return canonicalRatio(text.includes('e') ? ratio.toFixed(RATIO_DIGITS) : text);
}

/** `amount` x `ratio`, rounded down. @param amount whole, 0 to 2^31. @param ratio canonical. */
export function floorTimes(amount: number, ratio: string): number {
  if (ratio === '1') return amount;
  const dot = ratio.indexOf('.');
  if (dot < 0) return Number(BigInt(amount) * BigInt(ratio));
  const digits = ratio.length - dot - 1;
  return Number(
    (BigInt(amount) * BigInt(ratio.slice(0, dot) + ratio.slice(dot + 1))) / 10n ** BigInt(digits),
  );
}
