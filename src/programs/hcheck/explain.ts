/** `hcheck --explain`: what is wrong, by how much, and what would mend it. */
import { toned } from '../../cli/tone.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { mendingFacts } from '../../explain/mending.ts';
import type { Candidate, MendingFacts } from '../../explain/record.ts';
import { candidateFacts } from '../../explain/refused-moves.ts';
import { Scorer } from '../../model/score/scorer.ts';
import { groupScope } from '../../model/state/scope.ts';
import { ClusterState } from '../../model/state/state.ts';
import { moveCommands } from '../../plan/commands.ts';
import type { BalanceOptions } from '../../planners/balance/options.ts';
import { brokenRulesText, mendingText } from '../shared/explain/broken-rules-text.ts';
import { moveText } from '../shared/explain/explain-text.ts';

interface MendingStep extends Candidate {
  readonly commands: readonly string[];
}

/** One group: its broken rules, and the steps that would mend them. */
interface GroupHealthFacts extends MendingFacts {
  readonly group: string;
  readonly score: number;
  readonly steps: readonly MendingStep[];
}

export interface HealthExplanation {
  readonly facts: readonly GroupHealthFacts[];
  readonly text: string;
}

function groupFacts(snapshot: Snapshot, group: number, options: BalanceOptions): GroupHealthFacts {
  const state = new ClusterState(snapshot);
  const { nodes } = groupScope(snapshot, group);
  const scorer = new Scorer(state, nodes);
  const { score } = scorer;
  const steps: MendingStep[] = [];
  let scoreBefore = score;
  const mending = mendingFacts(state, scorer, options, (step) => {
    steps.push({
      ...candidateFacts(snapshot, step, scoreBefore, step.score),
      commands: moveCommands(snapshot, step),
    });
    scoreBefore = step.score;
  });
  return { group: snapshot.groups[group]!.name, score, ...mending, steps };
}

function groupText(facts: GroupHealthFacts): string {
  const { group, before, steps } = facts;
  if (before.length === 0) return `\nGroup ${group}: no rule is broken.\n`;
  const mending = steps.map(
    (step) => `  ${moveText(step)}\n${step.commands.map((one) => `    ${toned('deed', one)}\n`).join('')}`,
  );
  return [
    `\nGroup ${group}: what is wrong\n`,
    brokenRulesText(before),
    steps.length > 0
      ? `What would mend it\n${mending.join('')}`
      : 'No move that the rules allow mends any of it.\n',
    mendingText(facts, steps.length),
  ].join('');
}

/** @param groups positions of the groups with nodes */
export function explainHealth(
  snapshot: Snapshot,
  groups: readonly number[],
  options: BalanceOptions,
): HealthExplanation {
  const facts = groups.map((group) => groupFacts(snapshot, group, options));
  return { facts, text: facts.map(groupText).join('') };
}
