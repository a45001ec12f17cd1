/**
 * The deep search as hail's command line asks for it. The build makes it a file of its own: hail reads it
 * where it is asked for, and only then.
 */
import type { ProgramOptions } from '../../options/command-options.ts';
import { deepEvacuation } from '../../planners/evacuate/deep/deep-evacuation.ts';
import type { EvacuationWay } from '../../planners/evacuate/evacuator.ts';
import { effortOf } from '../shared/balance/search-limits.ts';

export { limitsFault } from '../shared/balance/search-limits.ts';

/** Ganeti holds locks while it waits for the answer. */
const USUAL_TIME_S = 2;

/** How nodes are evacuated. Its time begins now. */
export function evacuationWay(options: ProgramOptions<'hail'>): EvacuationWay {
  const started = performance.now();
  const timeMs = 1000 * (options.searchTime ?? USUAL_TIME_S);
  return deepEvacuation({
    seed: options.seed,
    candidates: effortOf(options),
    clock: () => (performance.now() - started) / timeMs,
  });
}
