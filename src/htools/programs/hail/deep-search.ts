/** hail's deep search, in the build a file of its own: hail reads it only where it is asked for. */
import { printErr } from '../../../kit/report/output.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import { deepEvacuation } from '../../planners/evacuate/deep/deep-evacuation.ts';
import type { EvacuationWay } from '../../planners/evacuate/evacuator.ts';
import { clockOf, cutShortText, effortOf, seedOf } from '../shared/balance/search-limits.ts';

/** Two seconds' work: Ganeti holds locks while it waits for the answer. Mostly it ends before. */
const USUAL_CANDIDATES = 8_000_000;

/** How nodes are evacuated. Its time begins now. */
export function evacuationWay(options: ProgramOptions<'hail'>): EvacuationWay {
  return deepEvacuation({
    seed: seedOf(options),
    candidates: effortOf(options) ?? USUAL_CANDIDATES,
    clock: clockOf(options),
    onCutShort: (workShare) => printErr(cutShortText(workShare)),
  });
}
