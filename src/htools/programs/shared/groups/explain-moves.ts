/** `--explain` in the programs that move between groups, and the why of each move on their pages. */
import { explainRelocations } from '../../../explain/groups/explain-relocations.ts';
import type { PlanFacts } from '../../../planners/groups/relocate/plan-facts.ts';
import type { GroupWork } from './group-work.ts';
import { relocationsText } from './relocation-text.ts';

/** What each move does, as text and member of the document. @param emptied groups that the plan empties */
export function explainMoves(
  { snapshot, selection, progress }: GroupWork,
  { moves }: PlanFacts,
  emptied: readonly number[],
) {
  const facts = explainRelocations(
    { start: snapshot, moves, leftOut: selection.leftOut, emptied: new Set(emptied) },
    (step) => progress.at(() => `explaining move ${step}`),
  );
  progress.done();
  return {
    text: moves.length > 0 ? relocationsText(facts) : '',
    explanation: facts,
  };
}
