/** Balances many groups at once, each on one of several threads. */
import { setImmediate } from 'node:timers/promises';
import { InternalError } from '../../../kit/faults.ts';
import { severalAtOnce } from '../../../kit/several.ts';
import { ALLOWED } from '../../cluster/refusal.ts';
import { applyMove } from '../../model/moves/apply.ts';
import type { Move } from '../../model/moves/kinds.ts';
import type { GroupPart } from '../../model/state/group-parts.ts';
import type { BalanceOptions } from '../../planners/balance/options.ts';
import { balanceAll } from '../../planners/balance/steps/balance.ts';
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

/** Groups that a helping thread has at a time: it goes on with the next while this thread is busy. */
const AT_ONCE = 2;

/**
 * Balances groups that stand alone; their states are then as the steps leave them. This thread takes its
 * share, and the others' steps once more, for they work on copies. @param threads this one included, two at
 * least @param onDone told after each group
 */
export async function balanceOnThreads(
  parts: readonly GroupPart[],
  options: BalanceOptions,
  threads: number,
  onDone: (done: number) => void,
): Promise<void> {
  const { Piscina } = await import('piscina');
  const helpers = threads - 1;
  const pool = new Piscina<BalanceTask, readonly Move[]>({
    ...workerNamed('balance'),
    minThreads: helpers,
    maxThreads: helpers,
    concurrentTasksPerWorker: AT_ONCE,
  });
  const there = async ({ state }: GroupPart): Promise<void> => {
    for (const { instance, kind, target } of await pool.run({ snapshot: state.snapshot, options }))
      if (applyMove(state, instance, kind, target, options.ignoreSoftErrors) !== ALLOWED)
        throw new InternalError('a step that a thread has taken is not possible');
  };
  const here = ({ state, nodes }: GroupPart): Promise<void> => {
    balanceAll(state, nodes, options);
    return setImmediate();
  };
  // This thread is the last, as nobody is told anything while it balances.
  const last = helpers * AT_ONCE;
  let done = 0;
  try {
    await severalAtOnce(last + 1, parts, async (part, who) => {
      await (who === last ? here(part) : there(part));
      onDone(++done);
    });
  } finally {
    await pool.destroy();
  }
}
