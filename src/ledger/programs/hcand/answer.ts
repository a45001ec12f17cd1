/** Candidates as facts: names and amounts, which the writers turn into text and JSON. */
import type { DocumentOf } from '../../../kit/results/members.ts';
import { allocationsOf, type Candidate, mappingsOf } from '../../candidates/search/candidate.ts';
import type { Slot } from '../../candidates/search/slots.ts';
import type { candidate as candidateSchema } from '../../results/hcand.ts';

export type CandidateFacts = DocumentOf<typeof candidateSchema>;

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
