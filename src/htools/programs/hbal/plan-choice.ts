/** What the command line says about plans: how to search, what they may cost, and which one is wanted. */

import { UsageError } from '../../../kit/faults.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import type { PickRule } from '../../planners/search/pick.ts';
import { USUAL_DEEP_SHARE } from '../shared/balance/deep-search.ts';
import { assertSearchLimits } from '../shared/balance/search-limits.ts';

export type PlanOptions = ProgramOptions<'hbal'>;

/** A share such as `90%`. @throws UsageError for anything else */
function shareOf(option: string, text: string): number {
  const found = /^(\d+(?:\.\d+)?)%$/.exec(text);
  const share = found ? Number(found[1]) / 100 : Number.NaN;
  if (share > 0 && share <= 1) return share;
  throw new UsageError(
    `--${option}: '${text}' is not a share of the gain`,
    1,
    option === 'pick' ? 'a share is 90%, or best for all of it' : 'a share is 99%',
  );
}

/** Whether the greedy steps of the stock program are not simply what is wanted. */
export const choosesPlans = (options: PlanOptions): boolean =>
  options.search === 'deep' || limitsPlans(options);

/** Whether anything is said about what the plan may cost, or which of several is wanted. */
const limitsPlans = (options: PlanOptions): boolean =>
  options.curve ||
  options.compact ||
  options.stopAtGain !== undefined ||
  options.minGainPerGib !== undefined ||
  options.pick !== undefined ||
  hasCaps(options);

/** Whether the price of the plan is limited. */
export const hasCaps = ({ maxData, maxMoves, maxTime, maxDowntime }: PlanOptions): boolean =>
  [maxData, maxMoves, maxTime, maxDowntime].some((cap) => cap !== undefined);

/** Whether greedy steps stay in their own order: nothing but an early stop is asked for. */
export const keepsGreedyOrder = (options: PlanOptions): boolean =>
  options.search === 'greedy' &&
  options.stopAtGain !== undefined &&
  !options.curve &&
  !options.compact &&
  options.minGainPerGib === undefined &&
  !hasCaps(options);

/** @throws UsageError when options contradict each other or a share cannot be read */
export function checkPlanOptions(options: PlanOptions): void {
  const clash = (one: string, other: string, remedy: string): never => {
    throw new UsageError(`--${one} and --${other} do not go together`, 1, remedy);
  };
  if (options.pick !== undefined && options.stopAtGain !== undefined)
    clash('pick', 'stop-at-gain', 'one of them is enough: both name a share of the gain');
  assertSearchLimits(options);
  if (options.compact && options.search === 'deep')
    clash('compact', 'search=deep', 'plans of the deep search have no such detours; leave out --compact');
  if (options.onlyRules && (limitsPlans(options) || options.maxLength >= 0))
    throw new UsageError(
      '--only-rules takes the fewest moves that mend everything, and no options about what a plan may cost',
      1,
      'mend first, save the outcome with --save, and balance that',
    );
  pickRuleOf(options);
}

/** Which point of the curve is wanted. */
export function pickRuleOf(options: PlanOptions): PickRule {
  const { pick, stopAtGain } = options;
  const isEndWanted = options.search === 'greedy' || hasCaps(options) || options.minGainPerGib !== undefined;
  // Nodes are to be emptied with the least copying: of the plans that do so the cheapest, unless more is
  // asked for.
  const usualShare = options.evacMode ? 0 : USUAL_DEEP_SHARE;
  let gainShare = isEndWanted ? 1 : usualShare;
  if (pick !== undefined) gainShare = pick === 'best' ? 1 : shareOf('pick', pick);
  if (stopAtGain !== undefined) gainShare = shareOf('stop-at-gain', stopAtGain);
  return { gainShare, minGainPerGib: options.minGainPerGib ?? 0 };
}

/** Most steps: of --max-moves and --max-length the lesser. */
export function mostStepsOf({ maxMoves, maxLength }: PlanOptions): number {
  const byLength = maxLength < 0 ? Number.POSITIVE_INFINITY : maxLength;
  return Math.min(maxMoves ?? Number.POSITIVE_INFINITY, byLength);
}

/** Options that say when the plan is good enough, or what it may cost, with their names. */
const LIMITS = [
  ['maxData', '--max-data'],
  ['maxTime', '--max-time'],
  ['maxDowntime', '--max-downtime'],
  ['minGainPerGib', '--min-gain-per-gib'],
  ['stopAtGain', '--stop-at-gain'],
  ['pick', '--pick'],
] as const satisfies readonly (readonly [keyof PlanOptions, string])[];

/**
 * What ended a plan, to follow "but": the limit that was reached, or what the search was told to leave.
 * @param isNearBound the score is within `--min-score` of its lower bound
 */
export function planEnd(options: PlanOptions, steps: number, isNearBound: boolean): string {
  if (steps >= mostStepsOf(options)) {
    const isByLength = options.maxLength >= 0 && steps >= options.maxLength;
    const [name, most] = isByLength ? ['length', options.maxLength] : ['moves', options.maxMoves];
    return `--max-${name}=${most} allows no more moves`;
  }
  const given = LIMITS.flatMap(([key, name]) => (options[key] === undefined ? [] : [name]));
  if (given.length > 0) return `${given.join(', ')} ${given.length === 1 ? 'leaves' : 'leave'} it out`;
  if (isNearBound) return `--min-score=${options.minScore} is reached without it`;
  return options.search === 'deep'
    ? 'the search ended first: --time-limit or --effort lets it go on'
    : `it gains less than --min-gain=${options.minGain}`;
}
