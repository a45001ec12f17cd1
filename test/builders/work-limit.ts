/** Deep searches with a limit on work. */
import { NO_CAPS } from '../../src/htools/plan/plan.ts';
import type { DeepSearch } from '../../src/htools/programs/shared/balance/deep-search.ts';

/** On one thread and without limits, but for what `more` says. @param candidates in all lanes together */
export const limitedByWork = (
  seed: number,
  candidates: number,
  more: Partial<DeepSearch> = {},
): DeepSearch => ({
  seed,
  candidates,
  caps: NO_CAPS,
  timeLimitS: undefined,
  threads: 1,
  onProgress: () => {},
  ...more,
});
