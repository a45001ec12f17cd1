/** Deep searches with a limit on work. */
import type { DeepSearch } from '../../src/htools/programs/shared/balance/deep-search.ts';

/** On one thread and without caps, but for what `more` says. @param candidates in all lanes together */
export const limitedByWork = (
  seed: number,
  candidates: number,
  more: Partial<DeepSearch> = {},
): DeepSearch => ({
  seed,
  candidates,
  mostGib: Number.POSITIVE_INFINITY,
  mostSteps: Number.POSITIVE_INFINITY,
  timeLimitS: undefined,
  threads: 1,
  onProgress: () => {},
  ...more,
});
