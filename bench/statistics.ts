/** Figures of many runs as they are printed. */

/** Of an even number the greater one in the middle. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** To so many decimals. */
export const rounded = (value: number, decimals = 3): number =>
  Math.round(value * 10 ** decimals) / 10 ** decimals;
