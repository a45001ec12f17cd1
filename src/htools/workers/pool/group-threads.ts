/** Balances many groups at once, each on a thread of its own while it lasts. */
import { InternalError } from '../../../kit/faults.ts';
import { ALLOWED } from '../../cluster/refusal.ts';
import { applyMove } from '../../model/moves/apply.ts';
import type { Move } from '../../model/moves/kinds.ts';
import type { GroupPart } from '../../model/state/group-parts.ts';
import type { BalanceOptions } from '../../planners/balance/options.ts';
import type { BalanceTask } from '../balance.ts';
import { threadsHere, workerNamed } from './worker-file.ts';

/** Instances times targets of all groups from which on threads gain more than they take to start. */
const WORTH_THREADS = 300_000;

/** Whether a group can be handed to a thread: nothing of the cluster beyond it is in its state. */
export const standsAlone = ({ state, nodes }: GroupPart): boolean => state.nodeCount === nodes.length;

/** How many threads pay off on this machine. */
export function usefulGroupThreads(parts: readonly GroupPart[]): number {
  const work = parts.reduce((sum, { state }) => sum + state.nodeCount * state.instanceCount, 0);
  return work < WORTH_THREADS ? 1 : threadsHere();
}

/**
 * Balances groups that stand alone, as they were read; their states are then as the steps leave them.
 * @param onDone told after each group
 */
export async function balanceOnThreads(
  parts: readonly GroupPart[],
  options: BalanceOptions,
  threads: number,
  onDone: (done: number) => void,
): Promise<void> {
  const { Piscina } = await import('piscina');
  const pool = new Piscina<BalanceTask, readonly Move[]>({
    ...workerNamed('balance'),
    minThreads: threads,
    maxThreads: threads,
  });
  let done = 0;
  const balance = async ({ state }: GroupPart): Promise<void> => {
    for (const { instance, kind, target } of await pool.run({ snapshot: state.snapshot, options }))
      if (applyMove(state, instance, kind, target, options.ignoreSoftErrors) !== ALLOWED)
        throw new InternalError('a step that a thread has taken is not possible');
    onDone(++done);
  };
  try {
    await Promise.all(parts.map(balance));
  } finally {
    await pool.destroy();
  }
}
