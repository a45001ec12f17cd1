/** Faults of Placement's candidates, by the names under which docs/how-to/candidates.md has them. */
import type { CandidateRequest } from '../../../src/ledger/candidates/request/request.ts';

/** The fault that explains a difference. @param isPolicyNone whether the query says `none` itself */
export function knownFault(
  { groups, groupPolicy }: CandidateRequest,
  isPolicyNone: boolean,
): string | undefined {
  const unsuffixed = groups.find(({ suffix }) => suffix === '');
  const isSharedClass = groups.some(
    ({ suffix, resources }) =>
      suffix !== '' && [...resources.keys()].some((name) => unsuffixed?.resources.has(name)),
  );
  if (isSharedClass && (groupPolicy === 'isolate' || !isPolicyNone)) return 'amounts added again';
  if (groups.some(({ resources, inTree }) => resources.size === 0 && inTree !== undefined))
    return 'in_tree of a resourceless group';
  return undefined;
}

/**
 * Placement takes the candidates of the unsuffixed group for one when they differ in nothing but the anchor,
 * as those of sharing providers do, and keeps any of them: what other groups would have found under the other
 * anchors is lost.
 */
export const losesAnchors = (
  { groups }: CandidateRequest,
  mine: readonly string[],
  theirs: readonly string[],
): boolean =>
  groups.length > 1 &&
  groups.some(({ suffix }) => suffix === '') &&
  theirs.every((text) => mine.includes(text));
