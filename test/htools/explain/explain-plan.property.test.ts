import { expect } from 'chai';
import { Random } from '../../../bench/generate/random.ts';
import { ALLOWED } from '../../../src/htools/cluster/refusal.ts';
import { NO_NODE, type Snapshot } from '../../../src/htools/cluster/snapshot.ts';
import { hasSecondary } from '../../../src/htools/cluster/templates.ts';
import { explainPlan } from '../../../src/htools/explain/explain-plan.ts';
import { withChanges } from '../../../src/htools/explain/lifts.ts';
import { applyMove } from '../../../src/htools/model/moves/apply.ts';
import { MOVE_KIND_NAMES, type MoveKind } from '../../../src/htools/model/moves/kinds.ts';
import { scoreOf } from '../../../src/htools/model/score/scorer.ts';
import { movedSnapshot } from '../../../src/htools/model/state/moved-snapshot.ts';
import { groupsWithNodes } from '../../../src/htools/model/state/scope.ts';
import { ClusterState } from '../../../src/htools/model/state/state.ts';
import { jobSets } from '../../../src/htools/plan/jobs.ts';
import type { Plan } from '../../../src/htools/plan/plan.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../src/htools/planners/balance/options.ts';
import { planBalance } from '../../../src/htools/planners/balance/steps/balance-plan.ts';
import type { RefusedCandidate } from '../../../src/htools/results/parts/explanation.ts';
import { namesInstances, randomCluster } from '../../builders/random-cluster.ts';
import { randomOptions } from '../../builders/random-moves.ts';
import { forSeeds } from '../../builders/seeds.ts';

const TEN_DIGITS = 1e-10;
/** Placing an instance through a snapshot adds up figures in another order. */
const ROUNDING = 1e-9;

const close = (a: number, b: number, within: number): boolean =>
  Math.abs(a - b) <= within * Math.max(1, Math.abs(a), Math.abs(b));

/** The state after the first steps of a plan, as a snapshot. */
function afterSteps({ start, steps }: Plan, count: number, force: boolean): Snapshot {
  const state = new ClusterState(start);
  for (const { instance, kind, target } of steps.slice(0, count))
    if (applyMove(state, instance, kind, target, force) !== ALLOWED) throw new Error('a step is refused');
  return movedSnapshot(state);
}

/** Placing the instance there by an edit gives the score that was told. */
function expectScore(snapshot: Snapshot, nodes: readonly number[], refused: RefusedCandidate): void {
  const { instance, to, score } = refused;
  const secondary = to.secondary === null ? '' : ` secondary=${to.secondary}`;
  const words = `move instance ${instance} primary=${to.primary}${secondary}`;
  const moved = withChanges(snapshot, [words]);
  const through = scoreOf(new ClusterState(moved), nodes);
  if (!close(through, score, ROUNDING))
    expect.fail(`${words}: told ${score}, through the snapshot ${through}`);
}

/** With the lift the rules allow the move; without they do not. */
function expectLift(snapshot: Snapshot, refused: RefusedCandidate, force: boolean): void {
  const { lift, from, to, instance, move } = refused;
  const i = snapshot.instances.findIndex(({ name }) => name === instance);
  const kind = MOVE_KIND_NAMES.indexOf(move as (typeof MOVE_KIND_NAMES)[number]) as MoveKind;
  const old = [from.primary, from.secondary];
  const target = [to.primary, to.secondary].find((name) => !old.includes(name));
  const t = target === undefined ? -1 : snapshot.nodes.findIndex(({ name }) => name === target);
  const tryOn = (cluster: Snapshot): number => applyMove(new ClusterState(cluster), i, kind, t, force);
  expect(tryOn(snapshot), 'refused as things are').not.to.equal(ALLOWED);
  if (lift) expect(tryOn(withChanges(snapshot, lift)), `allowed after ${lift.join('; ')}`).to.equal(ALLOWED);
}

describe('an explained plan', () => {
  const seen = { plans: 0, steps: 0, refused: 0, lifted: 0, rules: new Set<string>() };

  it('has gains that add up, and moves that are better and possible once the rules are lifted', () => {
    forSeeds(
      25,
      (seed) => {
        const random = new Random(seed, 'explain');
        const snapshot = randomCluster(seed);
        const options = {
          ...DEFAULT_BALANCE_OPTIONS,
          ...(random.chance(0.3) ? randomOptions(random) : {}),
          n1Guard: false,
        };
        // A saved cluster cannot tell a load that a node reported before its instances moved, and it tells
        // true spindles where balancing counts those of stock (docs/reference/differences.md). An edit takes
        // no secondary for an instance that has no second copy, though it may be read with one.
        const hasExclusive = snapshot.nodes.some((node) => node.hasExclusiveStorage);
        const isPlain =
          !hasExclusive &&
          snapshot.nodes.every((node) => node.reportedCpuLoad === undefined) &&
          snapshot.instances.every((one) => one.secondary === NO_NODE || hasSecondary(one.diskTemplate));
        for (const group of groupsWithNodes(snapshot)) {
          const plan = planBalance(snapshot, group, options);
          if (Number.isNaN(plan.initialScore) || !namesInstances(snapshot)) continue;
          const explained = explainPlan(plan, options);
          seen.plans++;
          const sets = jobSets(snapshot, plan.steps).map((set) => set.length);
          expect(explained.steps.map(({ jobSet }) => jobSet)).to.deep.equal(
            sets.flatMap((count, set) => Array(count).fill(set + 1)),
          );
          for (const [at, step] of explained.steps.entries()) {
            seen.steps++;
            const sum = step.metrics.reduce((total, { gain }) => total + gain, 0);
            // As exact as the scores are, which may be large.
            if (!close(sum + step.score, step.scoreBefore, TEN_DIGITS))
              expect.fail(`step ${step.step}: gains add up to ${sum}, the score changes by ${step.gain}`);
            expect(close(step.score, plan.steps[at]!.score, TEN_DIGITS), 'the score of the plan').to.equal(
              true,
            );
            if (step.refused.length === 0) continue;
            const before = afterSteps(plan, at, options.ignoreSoftErrors);
            for (const refused of step.refused) {
              seen.refused++;
              for (const { rule } of refused.refusals) seen.rules.add(rule);
              expect(refused.gain, 'better than what was done').to.be.above(step.gain);
              if (isPlain) expectScore(before, plan.nodes, refused);
              if (!hasExclusive) expectLift(before, refused, options.ignoreSoftErrors);
              if (refused.lift) seen.lifted++;
            }
          }
        }
      },
      [545151561],
    );
    expect(seen.plans).to.be.at.least(30);
    expect(seen.steps).to.be.above(60);
    expect(seen.lifted).to.be.above(14);
    expect([...seen.rules]).to.include.members(['memory', 'n-plus-one']);
  });
});
