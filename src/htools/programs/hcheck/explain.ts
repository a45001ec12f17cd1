/** `hcheck --explain`: what is wrong, by how much, and what would mend it. */

import { wrapped } from '../../../kit/report/sentences.ts';
import { toned } from '../../../kit/report/tone.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { candidateFacts } from '../../explain/look.ts';
import { mendingFacts } from '../../explain/mending.ts';
import { Scorer } from '../../model/score/scorer.ts';
import { type GroupPart, GroupParts } from '../../model/state/group-parts.ts';
import { groupsWithNodes } from '../../model/state/scope.ts';
import { moveCommands } from '../../plan/commands.ts';
import { moveCost, planCost } from '../../plan/cost.ts';
import type { PlanStep } from '../../plan/plan.ts';
import type { BalanceOptions } from '../../planners/balance/options.ts';
import type { HealthExplanation } from '../../results/parts/explanation.ts';
import { brokenRulesText, mendingText } from '../shared/questions/broken-rules-text.ts';
import { moveText } from '../shared/questions/explain-text.ts';
import { costText } from '../shared/steps/said.ts';

/** What is wrong with a group, and what would mend it: moves within the group, which others do not notice. */
function groupFacts({ state, nodes }: GroupPart, options: BalanceOptions): HealthExplanation {
  const { snapshot } = state;
  const scorer = new Scorer(state, nodes);
  const { score } = scorer;
  const steps: HealthExplanation['steps'][number][] = [];
  const taken: PlanStep[] = [];
  let scoreBefore = score;
  const mending = mendingFacts(state, scorer, options, (step) => {
    steps.push({
      ...candidateFacts(snapshot, step, scoreBefore, step.score),
      cost: moveCost({ start: snapshot }, step),
      commands: moveCommands(snapshot, step),
    });
    taken.push(step);
    scoreBefore = step.score;
  });
  const cost = planCost({ start: snapshot, steps: taken });
  return { group: snapshot.groups[state.groupOf[nodes[0]!]!]!.name, score, ...mending, steps, cost };
}

function groupText(facts: HealthExplanation): string {
  const { group, before, steps, cost } = facts;
  if (before.length === 0) return `\nGroup ${group}: no rule is broken.\n`;
  const mending = steps.map((step) => {
    const ofStep = step.commands.map((one) => `    ${toned('deed', one)}\n`);
    return [wrapped('  ', moveText(step)), wrapped('    ', `costs ${costText(step.cost)}`), ...ofStep].join(
      '',
    );
  });
  return [
    `\nGroup ${group}: what is wrong\n`,
    brokenRulesText(before),
    steps.length > 0
      ? `What would mend it\n${mending.join('')}`
      : 'No move that the rules allow mends any of it.\n',
    steps.length > 1 ? wrapped('', `Together they cost ${costText(cost)}.`) : '',
    mendingText(facts, steps.length),
  ].join('');
}

export function explainHealth(snapshot: Snapshot, options: BalanceOptions) {
  const parts = new GroupParts(snapshot);
  const facts = groupsWithNodes(snapshot).map((group) => groupFacts(parts.of(group), options));
  return { document: facts, text: facts.map(groupText).join('') };
}
