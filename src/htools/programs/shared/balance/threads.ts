/** The threads that pay off for a search, or those that the command line asks for. */
import type { SomeOptions } from '../../../options/command-options.ts';
import type { StepSearch } from '../../../planners/balance/steps/step-search.ts';
import { helpWithThreads, usefulThreads } from '../../../workers/pool/scan-threads.ts';

/** Starts the search's threads; returns what ends them. */
export const startThreads = (
  options: SomeOptions<'jobs'>,
  search: StepSearch,
): Promise<() => Promise<void>> => helpWithThreads(search, options.jobs ?? usefulThreads(search));
