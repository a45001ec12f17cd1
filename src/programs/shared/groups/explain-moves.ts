/** `--explain` in the programs that move between groups. */

import type { Snapshot } from '../../../cluster/snapshot.ts';
import { explainRelocations } from '../../../explain/groups/explain-relocations.ts';
import type { PlanFacts } from '../../../planners/groups/relocate/plan-facts.ts';
import type { Progress } from '../../../report/progress.ts';
import { withCostJson } from '../explain/explain-json.ts';
import type { GroupSelection } from './group-selection.ts';
import { relocationsText } from './relocation-text.ts';

/** What it takes of the work between groups. */
interface Work {
  readonly snapshot: Snapshot;
  readonly selection: GroupSelection;
  readonly say: (text: string) => void;
  readonly progress: Progress;
}

/**
 * Says what each move does, and gives the member of the document.
 * @param emptied groups that the plan empties
 */
export function explainMoves(
  { snapshot, selection, say, progress }: Work,
  { moves }: PlanFacts,
  emptied: readonly number[] = [],
) {
  const facts = explainRelocations(
    { start: snapshot, moves, leftOut: selection.leftOut, emptied: new Set(emptied) },
    (step) => progress.at(() => `explaining move ${step}`),
  );
  progress.done();
  if (moves.length > 0) say(relocationsText(facts));
  return { explanation: { ...facts, steps: facts.steps.map(withCostJson) } };
}
