/** The maintenance as a member of hroller's `--json` document. */
import type { Snapshot } from '../../cluster/snapshot.ts';
import { moveCommands } from '../../plan/commands.ts';
import { jobSets } from '../../plan/jobs.ts';
import type { Passage, RollingPlan } from '../../planners/maintain/roll/rolling.ts';
import type { Verdict } from '../../planners/maintain/roll/verdict.ts';
import { totalCost } from './plan-text.ts';

const passageJson = ({ start, steps, isForced, cost }: Passage) => ({
  isForced,
  cost,
  jobSets: jobSets(start, steps).map((set) =>
    set.map(({ step }) => ({
      instance: start.instances[step.instance]!.name,
      from: {
        primary: start.nodes[step.fromPrimary]!.name,
        secondary: start.nodes[step.fromSecondary]?.name ?? null,
      },
      to: {
        primary: start.nodes[step.toPrimary]!.name,
        secondary: start.nodes[step.toSecondary]?.name ?? null,
      },
      commands: moveCommands(start, step),
    })),
  ),
});

const verdictJson = ({ nodes }: Snapshot, { failing, onOneCopy }: Verdict) => ({
  isRedundant: failing.length === 0,
  failing: failing.map((n) => nodes[n]!.name),
  onOneCopy,
});

export const planJson = (snapshot: Snapshot, plan: RollingPlan) => ({
  before: verdictJson(snapshot, plan.before),
  cost: totalCost(plan),
  rounds: plan.rounds.map(({ nodes, leave, goDown, verdict, comeBack }) => ({
    nodes: nodes.map((n) => snapshot.nodes[n]!.name),
    leave: passageJson(leave),
    goDown: goDown.map((i) => snapshot.instances[i]!.name),
    meanwhile: verdictJson(snapshot, verdict),
    comeBack: comeBack ? passageJson(comeBack) : null,
  })),
});
