/** The choice among homes that no node refuses: the first by score that keeps the cluster redundant. */
import { FAIL_N1 } from '../../../cluster/refusal.ts';
import { ascendingPlaces } from '../../../model/score/ascending.ts';
import type { AllocOptions, Choice, Placement } from '../solution.ts';

export interface Admitted {
  readonly found: Choice | undefined;
  /** Homes that are fine, and those with lower scores that would not keep the cluster redundant. */
  readonly successes: number;
  readonly dropped: number;
}

export const noneAdmitted = (homes: number): Admitted => ({ found: undefined, successes: 0, dropped: homes });

/** @param scores of the homes; of equal ones the last home is chosen */
export function firstAdmitted(
  i: number,
  scores: readonly number[],
  homeAt: (k: number) => Placement,
  { globalCheck, books, trace }: AllocOptions,
): Admitted {
  const places = ascendingPlaces(scores);
  const dropped = places.findIndex((k) => {
    const { primary, secondary } = homeAt(k);
    if (!globalCheck || globalCheck.admits(i, primary, secondary, books)) return true;
    trace?.refused({ primary, secondary, code: FAIL_N1, count: 1, stuck: globalCheck.refusingNode });
    return false;
  });
  const k = places[dropped];
  if (k === undefined) return noneAdmitted(scores.length);
  return { found: { ...homeAt(k), metric: scores[k]! }, successes: scores.length - dropped, dropped };
}
