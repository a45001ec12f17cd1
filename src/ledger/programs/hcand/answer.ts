/** Candidates as facts: names and amounts, which the writers turn into text and JSON. */
import { allocationsOf, type Candidate, mappingsOf } from '../../candidates/search/candidate.ts';
import type { Slot } from '../../candidates/search/slots.ts';

export interface CandidateFacts {
  /** Name of the tree's root. */
  readonly tree: string;
  /** Provider to class to amount. */
  readonly allocations: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Suffix to providers. */
  readonly mappings: Readonly<Record<string, readonly string[]>>;
  /** The cluster's score with it placed; absent without a cluster. */
  readonly score?: number;
}

export const factsOf = (
  candidate: Candidate,
  slots: readonly Slot[],
  score: number | undefined,
): CandidateFacts => ({
  tree: candidate.anchor.name,
  allocations: Object.fromEntries(
    [...allocationsOf(candidate, slots)].map(([{ name }, taken]) => [name, Object.fromEntries(taken)]),
  ),
  mappings: Object.fromEntries(
    [...mappingsOf(candidate, slots)].map(([suffix, providers]) => [
      suffix,
      providers.map(({ name }) => name),
    ]),
  ),
  ...(score === undefined ? {} : { score }),
});
