/** How long a deep search goes on, as the command line says it. */
import { UsageError } from '../../../../kit/faults.ts';
import { MS_PER_S } from '../../../../kit/units.ts';
import type { SomeOptions } from '../../../options/command-options.ts';

const CANDIDATES_A_UNIT = 1_000_000;

/**
 * Candidates for each instance: two idle cpus look at them in 20 to 25 ms, so that a person waits gladly for
 * all of them. The work is counted and not the time, so that the answer is the same on a busy machine.
 */
const CANDIDATES_AN_INSTANCE = 50_000;
/** Fewer instances get as much work as these, but no more than twice what they would; more get no more. */
const FEWEST_INSTANCES = 80;
const MOST_INSTANCES = 2_400;

/** Candidates in all, where no option says how many. */
export const usualCandidates = (instances: number, anInstance = CANDIDATES_AN_INSTANCE): number =>
  anInstance * Math.min(MOST_INSTANCES, Math.max(instances, Math.min(FEWEST_INSTANCES, 2 * instances)));

/** Candidates that `--effort` stands for; undefined where as many as are usual are meant. */
export const effortOf = ({ effort }: SomeOptions<'effort'>): number | undefined =>
  effort === undefined ? undefined : Math.ceil(effort * CANDIDATES_A_UNIT);

export const seedOf = ({ seed = 1 }: SomeOptions<'seed'>): number => seed;

/** The share of `--time-limit` that is over, 1 and more at its end. Its time begins now. */
export function clockOf({ searchTime = Number.POSITIVE_INFINITY }: SomeOptions<'searchTime'>): () => number {
  const started = performance.now();
  return () => (performance.now() - started) / (MS_PER_S * searchTime);
}

/**
 * Seconds for each of several searches, by how many have been made: even shares of what is left of
 * `--time-limit`, which begins now; undefined without it. @param now milliseconds on any steady clock
 */
export function sharedTime(
  { searchTime }: SomeOptions<'searchTime'>,
  searches: number,
  now: () => number = () => performance.now(),
): (made: number) => number | undefined {
  if (searchTime === undefined) return () => undefined;
  const end = now() + MS_PER_S * searchTime;
  return (made) => Math.max(0, end - now()) / MS_PER_S / (searches - made);
}

/** A line about a search that time or somebody ended; nothing of one that did all its work. */
export const cutShortText = (workShare: number): string =>
  workShare < 1 ? `The search was cut short after ${Math.floor(100 * workShare)} % of its work.\n` : '';

/** How to search: as asked, and deep where a budget is all that is said. */
export const searchOf = ({ search, budget = [] }: SomeOptions<'search' | 'budget'>): 'greedy' | 'deep' =>
  search ?? (budget.length > 0 ? 'deep' : 'greedy');

/** @throws UsageError when something is said of a search that is not asked for */
export function assertSearchLimits(options: SomeOptions): void {
  const { searchTime, effort, seed } = options;
  const limits = Object.entries({ 'time-limit': searchTime, effort, seed });
  const given = limits.flatMap(([name, value]) => (value === undefined ? [] : `--${name}`));
  if (searchOf(options) === 'deep' || given.length === 0) return;
  throw new UsageError(`${given.join(', ')}: the deep search is not asked for`, 'add --search=deep');
}
