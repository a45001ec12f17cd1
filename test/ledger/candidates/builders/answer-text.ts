/** Candidates as texts that can be compared: allocations, then mappings, by names; sorted. */
import type { findCandidates } from '../../../../src/ledger/candidates/search/find-candidates.ts';
import { allocationsOf, mappingsOf } from '../../../../src/ledger/candidates/search/slots.ts';

export function answerTexts(
  { slots, candidates }: ReturnType<typeof findCandidates>,
  distinct: 'mappings' | 'allocations' = 'mappings',
): string[] {
  const texts: string[] = [];
  for (const candidate of candidates) {
    const allocations = [...allocationsOf(candidate, slots)]
      .flatMap(([{ name }, taken]) => [...taken].map(([resourceClass, n]) => `${name} ${resourceClass}:${n}`))
      .sort();
    const mappings = [...mappingsOf(candidate, slots)]
      .flatMap(([suffix, providers]) => providers.map(({ name }) => `${suffix}->${name}`))
      .sort();
    texts.push(`${allocations.join(', ')}${distinct === 'allocations' ? '' : ` | ${mappings.join(', ')}`}`);
  }
  return texts;
}
