/** same_subtree: among the providers of the named groups one stands above, or is, every other. */
import type { Provider } from '../forest/provider.ts';

/** The lowest provider above (or equal to) both; undefined when they stand in different trees. */
function lowestCommon(a: Provider, b: Provider): Provider | undefined {
  let depth = Math.min(a.path.length, b.path.length) - 1;
  while (depth >= 0 && a.path[depth] !== b.path[depth]) depth--;
  return a.path[depth];
}

/**
 * Whether the providers chosen so far can still come under one of the group.
 * @param chosen at least one
 * @param open what the groups without a provider may still take; empty when all have one
 */
export function canShareSubtree(
  chosen: readonly Provider[],
  open: readonly ReadonlySet<Provider>[],
): boolean {
  let top: Provider | undefined = chosen[0];
  for (let k = 1; k < chosen.length && top; k++) top = lowestCommon(top, chosen[k]!);
  if (!top) return false;
  if (chosen.includes(top)) return true;
  return open.some((options) => top.path.some((ancestor) => options.has(ancestor)));
}
