/** hroller's `--json` documents: of the rounds, and of a whole maintenance. */
import { documentHead } from '../../../kit/report/json.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { placeOf } from '../../explain/placement.ts';
import { moveCommands } from '../../plan/commands.ts';
import { jobSets } from '../../plan/jobs.ts';
import type { PriceRates } from '../../plan/price.ts';
import { changedPlacements } from '../../planners/maintain/reboot/clear-nodes.ts';
import type { RebootRounds } from '../../planners/maintain/reboot/reboot-rounds.ts';
import type { Verdict } from '../../planners/maintain/roll/bearing.ts';
import type { HeldNode, Passage } from '../../planners/maintain/roll/leaving.ts';
import type { RollingPlan } from '../../planners/maintain/roll/rolling.ts';
import type { MaintenancePlan, RebootDocument } from '../../results/maintain.ts';
import { priceOf } from '../shared/steps/plan-price.ts';
import { totalPrice } from './plan-text.ts';

export const rebootJson = (
  snapshot: Snapshot,
  { colourings, proof, rounds }: RebootRounds,
): RebootDocument => ({
  ...documentHead('hroller'),
  colourings: colourings.map(({ name, classes }) => ({ name, colours: classes.length })),
  ...(proof ? { fewest: proof } : {}),
  rounds: rounds.map(({ nodes, moves }) => ({
    nodes: nodes.map((n) => snapshot.nodes[n]!.name),
    moves: changedPlacements(snapshot, moves).map(({ instance, primary, secondary }) => ({
      instance: snapshot.instances[instance]!.name,
      ...placeOf(snapshot, primary, secondary),
    })),
  })),
});

type PlanMembers = MaintenancePlan['plan'];

const passageJson = (
  start: Snapshot,
  { steps, isForced }: Passage,
  rates: PriceRates,
): PlanMembers['rounds'][number]['leave'] => ({
  isForced,
  cost: priceOf({ start, steps }, rates),
  jobSets: jobSets(start, steps).map((set) =>
    set.map(({ step }) => ({
      instance: start.instances[step.instance]!.name,
      from: placeOf(start, step.fromPrimary, step.fromSecondary),
      to: placeOf(start, step.toPrimary, step.toSecondary),
      commands: moveCommands(start, step),
    })),
  ),
});

const verdictJson = ({ nodes }: Snapshot, { failing, onOneCopy }: Verdict): PlanMembers['before'] => ({
  isRedundant: failing.length === 0,
  failing: failing.map((n) => nodes[n]!.name),
  onOneCopy,
});

export const planJson = (
  snapshot: Snapshot,
  plan: RollingPlan,
  held: readonly HeldNode[],
  rates: PriceRates,
): PlanMembers => ({
  before: verdictJson(snapshot, plan.before),
  cost: totalPrice(snapshot, plan, rates),
  rounds: plan.rounds.map(({ nodes, leave, goDown, verdict, comeBack }) => ({
    nodes: nodes.map((n) => snapshot.nodes[n]!.name),
    leave: passageJson(snapshot, leave, rates),
    goDown: goDown.map((i) => snapshot.instances[i]!.name),
    meanwhile: verdictJson(snapshot, verdict),
    comeBack: comeBack ? passageJson(snapshot, comeBack, rates) : null,
  })),
  leftOut: held.map(({ node, instances }) => ({
    node: snapshot.nodes[node]!.name,
    reason: 'hands-off',
    instances: instances.map((i) => snapshot.instances[i]!.name),
  })),
});
