/** Instances whose own move can mend a broken rule: only these are worth trying. */
import * as F from '../../model/state/node-fields.ts';
import type { Workbench } from './workbench.ts';

/** Those that have not moved, in a fixed order. */
export function suspects(bench: Workbench): number[] {
  const { state, book } = bench;
  const found = new Set<number>(bench.must);
  for (const n of book.nodes) {
    if (book.ofNode(n) === 0) continue;
    const lacks = bench.lackOf(n) > 0;
    for (const i of state.primaries[n]!) if (lacks || state.tags.exclusionsOf[i]!.length > 0) found.add(i);
    if (!lacks) continue;
    // Only the peers that too much is reserved for: a smaller one may keep its instances.
    const free = state.field(n, F.FREE_MEM);
    for (const i of state.secondaries[n]!) if (state.peers.get(n, state.primary[i]!) >= free) found.add(i);
  }
  for (const set of state.placement.allSets())
    if (book.ofSet(set) > 0) for (const i of book.membersOf(set)) found.add(i);
  return [...found].filter((i) => bench.mayMove(i)).sort((a, b) => a - b);
}
