/** Figures of many runs as they are printed. */

/** Of an even number the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
}

/** To so many decimals. */
export const rounded = (value: number, decimals = 3): number =>
  Math.round(value * 10 ** decimals) / 10 ** decimals;
