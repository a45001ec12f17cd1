/** The deep search of the programs that work across groups: how long it goes on, and what is said of it. */
import type { Progress } from '../../../../kit/report/progress.ts';
import type { ProgramOptions } from '../../../options/command-options.ts';
import { Budget, type DeepOptions } from '../../../planners/anneal/budget.ts';
import type { GroupSearch } from '../../../results/groups.ts';
import { clockOf, cutShortText, effortOf, seedOf, usualCandidates } from '../balance/search-limits.ts';

type SearchWords = Pick<ProgramOptions<'hredist'>, 'search' | 'searchTime' | 'effort' | 'seed'>;

/** Candidates that hredist and hcompress look at for each instance, and the others, on one thread. */
export const GROUP_CANDIDATES_AN_INSTANCE = 750;
const CANDIDATES_AN_INSTANCE = 25_000;

/** What a deep search needs; undefined where none is asked for. Its time begins now. */
export function deepOptionsOf(
  options: SearchWords,
  instances: number,
  progress: Progress,
  candidatesAnInstance = CANDIDATES_AN_INSTANCE,
): DeepOptions | undefined {
  if (options.search !== 'deep') return undefined;
  const budget = new Budget({
    candidates: effortOf(options) ?? usualCandidates(instances, candidatesAnInstance),
    clock: clockOf(options),
    watch: (share) => progress.at(() => `searching: ${Math.floor(100 * Math.min(1, share))} % done`),
  });
  return { seed: seedOf(options), budget };
}

export const cutShortOf = (deep: DeepOptions | undefined): string =>
  cutShortText(deep?.budget.workShare ?? 1);

/** The member of a document that tells of the search; none without. @param found with it and without it */
export const searchMember = (
  options: SearchWords,
  deep: DeepOptions | undefined,
  found: Pick<GroupSearch, 'greedy' | 'meanScore'> | undefined,
): { readonly search?: GroupSearch } =>
  deep && found
    ? {
        search: {
          kind: 'deep',
          seed: seedOf(options),
          effort: options.effort ?? null,
          timeLimitSeconds: options.searchTime ?? null,
          workShare: deep.budget.workShare,
          ...found,
        },
      }
    : {};
