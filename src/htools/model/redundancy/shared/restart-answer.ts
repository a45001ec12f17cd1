/** Can all that runs on a node start again elsewhere? Quick yes, proven no, exact search between. */
import { memNeedOf } from '../../rules/memory.ts';
import type { ClusterState } from '../../state/state.ts';
import { packBestFit } from '../packing/best-fit.ts';
import { proveImpossible, type Shortfall } from '../packing/packing-proof.ts';
import { searchPacking } from '../packing/packing-search.ts';
import { withUsableRoom } from '../packing/usable-room.ts';
import type { RestartDemand } from './restart-demand.ts';

/** `unproven` counts as failing: the search ended before it knew. */
export type Verdict = 'yes' | 'no' | 'unproven';

/** Enough of everything in sum, but instances cannot be split. */
const WITHOUT_ROOM: Shortfall = { resource: 'room', missing: 1 };

const lacksSecondaries = ({ overloadMib, withoutSecondary }: RestartDemand): boolean =>
  overloadMib > 0 || withoutSecondary.length > 0;

/** Answers for a node; for 'yes' `binOf` holds a bin an item. @param budget of the exact search, packings */
export function restartVerdict(demand: RestartDemand, binOf: Int32Array, budget: number): Verdict {
  if (lacksSecondaries(demand)) return 'no';
  const { packing } = demand;
  if (packing.itemCount === 0 || packBestFit(packing, binOf)) return 'yes';
  if (proveImpossible(packing)) return 'no';
  const result = searchPacking(withUsableRoom(packing), binOf, budget);
  return result === 'found' ? 'yes' : result === 'none' ? 'no' : 'unproven';
}

/** What is missing where the verdict is no. It takes longer to tell than the verdict, so only reports ask. */
export const shortfallOf = (state: ClusterState, demand: RestartDemand, binOf: Int32Array): Shortfall =>
  lacksSecondaries(demand)
    ? shortfallWithDrbd(state, demand, binOf)
    : (proveImpossible(demand.packing) ?? WITHOUT_ROOM);

/** What the secondaries lack, and on top of that what the other instances lack in the room that is left. */
function shortfallWithDrbd(state: ClusterState, demand: RestartDemand, binOf: Int32Array): Shortfall {
  const stranded = demand.withoutSecondary.reduce((total, i) => total + memNeedOf(state, i), 0);
  const others = packBestFit(demand.packing, binOf) ? undefined : proveImpossible(demand.packing);
  const missing = demand.overloadMib + stranded + (others?.resource === 'memory' ? others.missing : 0);
  return missing > 0
    ? { resource: 'memory', missing }
    : { resource: 'access', missing: demand.withoutSecondary.length };
}
