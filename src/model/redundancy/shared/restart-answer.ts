/**
 * Can everything that runs on a node start again elsewhere? Quick yes, proven no, and an exact search between the two.
 */

import type { ClusterState } from '../../state/state.ts';
import { packBestFit } from '../packing/best-fit.ts';
import { proveImpossible, type Shortfall } from '../packing/packing-proof.ts';
import { searchPacking } from '../packing/packing-search.ts';
import { withUsableRoom } from '../packing/usable-room.ts';
import { memNeedOf, type RestartDemand } from './restart-demand.ts';

/** `unproven` counts as failing: the search ended before it knew. */
export type Verdict = 'yes' | 'no' | 'unproven';

export interface Answer {
  readonly verdict: Verdict;
  /** For 'no': what is missing. */
  readonly shortfall?: Shortfall | undefined;
}

const YES: Answer = { verdict: 'yes' };
const UNPROVEN: Answer = { verdict: 'unproven' };
/** Enough of everything in sum, but instances cannot be split. */
const WITHOUT_ROOM: Answer = { verdict: 'no', shortfall: { resource: 'room', missing: 1 } };

/**
 * Answers one node's question. For 'yes', `binOf` holds a bin for each item.
 * @param budget partial packings that the exact search may visit
 */
export function answer(
  state: ClusterState,
  demand: RestartDemand,
  binOf: Int32Array,
  budget: number,
): Answer {
  const { packing, overloadMib, withoutSecondary } = demand;
  if (overloadMib === 0 && withoutSecondary.length === 0) {
    if (packing.itemCount === 0 || packBestFit(packing, binOf)) return YES;
    const proof = proveImpossible(packing);
    if (proof) return { verdict: 'no', shortfall: proof };
    const result = searchPacking(withUsableRoom(packing), binOf, budget);
    if (result === 'found') return YES;
    return result === 'none' ? WITHOUT_ROOM : UNPROVEN;
  }
  return { verdict: 'no', shortfall: shortfallWithDrbd(state, demand, binOf) };
}

/** What the secondaries lack, and on top of that what the other instances lack in the room that is left. */
function shortfallWithDrbd(state: ClusterState, demand: RestartDemand, binOf: Int32Array): Shortfall {
  const stranded = demand.withoutSecondary.reduce((total, i) => total + memNeedOf(state, i), 0);
  const others = packBestFit(demand.packing, binOf) ? undefined : proveImpossible(demand.packing);
  const missing = demand.overloadMib + stranded + (others?.resource === 'memory' ? others.missing : 0);
  return missing > 0
    ? { resource: 'memory', missing }
    : { resource: 'access', missing: demand.withoutSecondary.length };
}
