/** How long a deep search goes on, as the command line says it. */
import { UsageError } from '../../../../kit/faults.ts';

/** How long a person waits gladly: a second for every so many instances, within bounds. */
const INSTANCES_A_SECOND = 40;
const SHORTEST_S = 2;
const LONGEST_S = 60;

const CANDIDATES_A_UNIT = 1_000_000;

/** Seconds, where neither time nor work is limited by option. */
export const defaultTimeS = (instances: number): number =>
  Math.min(LONGEST_S, Math.max(SHORTEST_S, instances / INSTANCES_A_SECOND));

/** Candidates that `--effort` stands for; undefined where time is the limit. */
export const effortOf = ({ effort }: { readonly effort?: number | undefined }): number | undefined =>
  effort === undefined ? undefined : Math.ceil(effort * CANDIDATES_A_UNIT);

interface SearchWords {
  readonly search: string;
  readonly searchTime?: number | undefined;
  readonly effort?: number | undefined;
}

/**
 * What is wrong where both limits are given, or one for a search that is not asked for. Told, not thrown:
 * hail has this from a file of its own, whose classes of errors are not the program's.
 */
export function limitsFault({
  search,
  searchTime,
  effort,
}: SearchWords): { readonly message: string; readonly remedy: string } | undefined {
  if (searchTime !== undefined && effort !== undefined)
    return {
      message: '--time-limit and --effort do not go together',
      remedy: 'limit the search by time or by work, not by both',
    };
  if (search === 'deep' || (searchTime ?? effort) === undefined) return undefined;
  const limit = searchTime === undefined ? '--effort' : '--time-limit';
  return {
    message: `${limit} limits the deep search, which is not asked for`,
    remedy: 'add --search=deep',
  };
}

/** @throws UsageError when both limits are given, or one for a search that is not asked for */
export function assertSearchLimits(words: SearchWords): void {
  const fault = limitsFault(words);
  if (fault) throw new UsageError(fault.message, 1, fault.remedy);
}

/** About how many candidates a thread looks at in a second. */
const CANDIDATES_A_SECOND = 600_000;

/** About how many there will be in a time. */
export const expectedCandidates = (seconds: number, threads: number): number =>
  seconds * threads * CANDIDATES_A_SECOND;
