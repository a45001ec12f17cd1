/**
 * Properties over seeds. A run always takes the same seeds, so that a failure in CI is seen again at the
 * desk; to look for new failures, set PROPERTY_SEED (where to start) and PROPERTY_FACTOR (how many times the
 * usual runs).
 */
import fc from 'fast-check';
import { Random } from '../../bench/generate/random.ts';

const START = Number(process.env.PROPERTY_SEED ?? 20);
const FACTOR = Number(process.env.PROPERTY_FACTOR ?? 1);
const MOST_SEED = 1_000_000_000;

/** Cases of a long run (`npm run test:deep`) only: a cheaper one of the same thing stands in every run. */
export const inLongRun = <T>(...cases: readonly T[]): readonly T[] => (FACTOR > 1 ? cases : []);

/** The same for a whole test. */
export const itInLongRun: Mocha.TestFunction | Mocha.PendingTestFunction = FACTOR > 1 ? it : it.skip;

/** How many runs of a dear property are usual: half of what a long run multiplies. */
export const halved = (usual: number): number => (FACTOR > 1 ? usual : usual / 2);

/** How many runs there are to be for a usual number: for properties that make their own cases. */
export const runsOf = (usual: number): number => Math.ceil(usual * FACTOR);

/**
 * Holds `property` against that many seeds; the failing seed is in the message.
 * @param met seeds on which it once failed, and rare ones, tried first in every run
 */
export function forSeeds(runs: number, property: (seed: number) => void, met: readonly number[] = []): void {
  fc.assert(fc.property(fc.integer({ min: 1, max: MOST_SEED }), property), {
    seed: START,
    numRuns: runsOf(runs),
    examples: met.map((seed) => [seed]),
    // Neighbouring seeds have nothing in common: there is nothing to shrink towards.
    endOnFailure: true,
  });
}

/** The same for properties that wait for something. */
export async function forSeedsAsync(runs: number, property: (seed: number) => Promise<void>): Promise<void> {
  await fc.assert(fc.asyncProperty(fc.integer({ min: 1, max: MOST_SEED }), property), {
    seed: START,
    numRuns: runsOf(runs),
    endOnFailure: true,
  });
}

/**
 * Goes on through seeds until the property has counted as many cases as there are to be for a usual number.
 * @returns how many it counted
 */
export async function forSeedsUntil(
  usual: number,
  property: (seed: number) => Promise<number>,
): Promise<number> {
  const random = new Random(START, 'until');
  let counted = 0;
  while (counted < runsOf(usual)) {
    const seed = random.between(1, MOST_SEED);
    try {
      counted += await property(seed);
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    }
  }
  return counted;
}
