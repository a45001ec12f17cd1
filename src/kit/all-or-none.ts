/** What `work` makes of each of a list; undefined as soon as that is nothing for one. */
export function allOrNone<T, R>(
  items: readonly T[],
  work: (item: T) => R | undefined,
): readonly R[] | undefined {
  const results: R[] = [];
  for (const item of items) {
    const result = work(item);
    if (result === undefined) return undefined;
    results.push(result);
  }
  return results;
}
