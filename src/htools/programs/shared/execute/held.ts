/** What keeps a plan from being begun, found out ahead of its first job. */
import { Fault, InterruptedError } from '../../../../kit/faults.ts';
import { printErr } from '../../../../kit/report/output.ts';
import type { Patience } from '../../../ganeti/execution/master-line.ts';
import type { Delay } from '../../../ganeti/execution/run/means.ts';
import { masterOf, patienceOf, type Run, readState, signalsFor, signatureOf, waitsOf } from './run-work.ts';
import * as T from './text.ts';

/** Why nothing is begun, and the fault where somebody has to see to that. */
export interface Held {
  readonly why: readonly string[];
  readonly fault?: Fault | undefined;
}

/** What cannot be asked ahead of a plan's first job ends it there. */
function asHeld(error: unknown): Held {
  if (!(error instanceof Fault)) throw error;
  return { why: [error.message], fault: error };
}

export type HoldMeans = ReturnType<typeof holdMeansOf>;

const holdMeansOf = (task: Run, patience: Patience, isStopRequested: () => boolean) => ({
  ...waitsOf(task.options),
  master: masterOf(task.options, patience),
  readState: () => readState(task.options, patience),
  signature: signatureOf(task),
  isStopRequested,
  onDelay: (why: Delay) => printErr(T.delayText(why)),
});

/** What keeps a run from beginning; a signal that comes while that is found out does, too. */
export async function heldBy(task: Run, find: (means: HoldMeans) => Promise<Held>): Promise<Held> {
  const patience = patienceOf(task.options);
  const signals = signalsFor(task, patience);
  try {
    const held = await Promise.race([
      find(holdMeansOf(task, patience, signals.isStopRequested)).catch(asHeld),
      signals.leaving.then((signal) => ({ why: [signal], fault: new InterruptedError(signal) })),
    ]);
    return signals.isStopRequested() && !(held.fault instanceof InterruptedError)
      ? { why: ['SIGINT'] }
      : held;
  } finally {
    signals.remove();
  }
}
