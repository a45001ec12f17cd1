/**
 * Like instances merged into one that stands for all of them, with their mean amounts. What is proven for the
 * merged ones is not proven for the instances: it only tells which directions are good.
 */
import type { Relaxation } from './relaxation.ts';

/** @param most about how many are left; instances that may go to different nodes are never merged */
export function mergeLike(relaxation: Relaxation, most: number): Relaxation {
  const { members, flows, isMirrored, closed, mayRest, reservations } = relaxation;
  const count = members.length;
  if (count <= most) return relaxation;
  // Amounts of few sizes (counts, cpus) first, so that neighbours agree in these.
  const amounts = flows
    .flatMap(({ asPrimary, asSecondary }) => [asPrimary, asSecondary])
    .map((values) => ({ values, sizes: new Set(values).size }))
    .toSorted((a, b) => a.sizes - b.sizes);
  const places = Array.from(members, (_, i) => `${isMirrored[i]} ${mayRest[i]} ${closed[i]!.join()}`);
  const order = [...members.keys()].sort((a, b) => {
    if (places[a] !== places[b]) return places[a]! < places[b]! ? -1 : 1;
    for (const { values } of amounts) if (values[a] !== values[b]) return values[a]! - values[b]!;
    return a - b;
  });
  const size = Math.ceil(count / most);
  const groups: number[][] = [];
  for (const i of order) {
    const last = groups.at(-1);
    if (last === undefined || last.length === size || places[last[0]!] !== places[i]) groups.push([i]);
    else last.push(i);
  }
  const meanOf = (values: Float64Array): Float64Array =>
    Float64Array.from(groups, (group) => group.reduce((sum, i) => sum + values[i]!, 0) / group.length);
  return {
    ...relaxation,
    members: Float64Array.from(groups, (group) => group.length),
    flows: flows.map((flow) => ({
      ...flow,
      asPrimary: meanOf(flow.asPrimary),
      asSecondary: meanOf(flow.asSecondary),
    })),
    reservations: meanOf(reservations),
    isMirrored: Uint8Array.from(groups, ([i]) => isMirrored[i!]!),
    mayRest: Uint8Array.from(groups, ([i]) => mayRest[i!]!),
    closed: groups.map(([i]) => closed[i!]!),
  };
}
