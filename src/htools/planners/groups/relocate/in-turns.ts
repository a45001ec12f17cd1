/**
 * Settles what can be settled, in order, and what waits again as long as something more was: each may make
 * way for others.
 * @param settle does it, and says whether it is done
 * @returns what waits to the end
 */
export function inTurns<T>(all: readonly T[], settle: (one: T) => boolean): readonly T[] {
  let waiting = all;
  for (let count = -1; count !== waiting.length; ) {
    count = waiting.length;
    waiting = waiting.filter((one) => !settle(one));
  }
  return waiting;
}
