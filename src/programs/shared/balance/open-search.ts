/** A search as the command line asks for it: with its guard, and with the threads that pay off. */

import type { SomeOptions } from '../../../cli/options/command-options.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import type { BalanceOptions } from '../../../planners/balance/options.ts';
import { N1Guard } from '../../../planners/balance/steps/n1-guard.ts';
import { StepSearch } from '../../../planners/balance/steps/step-search.ts';
import { helpWithThreads, usefulThreads } from '../../../workers/pool/scan-threads.ts';

/** What watches over N+1 with shared storage: asked for, or wanted by default when the snapshot speaks of pools. */
function guardFor(
  options: SomeOptions<'n1Guard' | 'jobs'>,
  state: ClusterState,
  nodes: readonly number[],
): N1Guard | undefined {
  const isWanted = options.n1Guard === undefined ? state.storage !== undefined : options.n1Guard === 'yes';
  return isWanted ? new N1Guard(state, state.anyStorage(), nodes) : undefined;
}

/** A search for steps on some nodes. No thread is started yet. */
export function openSearch(
  options: SomeOptions<'n1Guard' | 'jobs'>,
  state: ClusterState,
  nodes: readonly number[],
  balancing: BalanceOptions,
): StepSearch {
  const search = new StepSearch(state, nodes, balancing);
  search.guard = guardFor(options, state, nodes);
  return search;
}

/** Starts the search's threads; returns what ends them. */
export const startThreads = (
  options: SomeOptions<'jobs'>,
  search: StepSearch,
): Promise<() => Promise<void>> => helpWithThreads(search, options.jobs ?? usefulThreads(search));
