/** `--explain` in the programs that move between groups, and the why of each move on their pages. */

import type { Progress } from '../../../../kit/report/progress.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import { explainRelocations } from '../../../explain/groups/explain-relocations.ts';
import type { PlanFacts } from '../../../planners/groups/relocate/plan-facts.ts';
import { withCostJson } from '../questions/explain-json.ts';
import type { GroupSelection } from './group-selection.ts';
import { relocationsText } from './relocation-text.ts';

/** What it takes of the work between groups. */
interface Work {
  readonly snapshot: Snapshot;
  readonly selection: GroupSelection;
  readonly progress: Progress;
}

/**
 * What each move does, as text and as the member of the document.
 * @param emptied groups that the plan empties
 */
export function explainMoves(
  { snapshot, selection, progress }: Work,
  { moves }: PlanFacts,
  emptied: readonly number[] = [],
) {
  const facts = explainRelocations(
    { start: snapshot, moves, leftOut: selection.leftOut, emptied: new Set(emptied) },
    (step) => progress.at(() => `explaining move ${step}`),
  );
  progress.done();
  return {
    text: moves.length > 0 ? relocationsText(facts) : '',
    explanation: { ...facts, steps: facts.steps.map(withCostJson) },
  };
}
