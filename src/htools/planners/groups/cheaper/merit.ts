/** Merits of plans: numbers that are compared one after another, the lower the better. */

export const isBetterMerit = (a: readonly number[], b: readonly number[]): boolean => {
  const at = a.findIndex((value, k) => value !== b[k]);
  return at >= 0 && a[at]! < b[at]!;
};
