import { expect } from 'chai';
import { Random } from '../../../../bench/generate/random.ts';
import type { Snapshot } from '../../../../src/htools/cluster/snapshot.ts';
import { placementAfter } from '../../../../src/htools/model/moves/kinds.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { checkPlan, PlanChecker } from '../../../../src/htools/plan/checker/check.ts';
import { type Plan, unscoredPlan } from '../../../../src/htools/plan/plan.ts';
import { randomCluster } from '../../../builders/random-cluster.ts';
import { randomMove } from '../../../builders/random-moves.ts';
import { forSeeds, halved } from '../../../builders/seeds.ts';
import { randomSuperCluster } from '../../../builders/super-cluster.ts';
import { aPlan } from '../cluster-builder.ts';

/** A few moves that make sense for their instances; most break rules. */
function somePlan(start: Snapshot, random: Random): Plan {
  const state = new ClusterState(start);
  const moves = [];
  for (let k = random.below(8); k >= 0; k--) {
    const move = randomMove(state, random);
    if (move === undefined) continue;
    const { instance, kind, target } = move;
    const after = placementAfter(kind, state.primary[instance]!, state.secondary[instance]!, target);
    [state.primary[instance], state.secondary[instance]] = after;
    moves.push(move);
  }
  const groups = start.groups.map((_, group) => group);
  const limits = { betweenGroups: true, healthyGroups: groups, emptyGroups: groups.slice(0, 1) };
  const plan = aPlan({ start, moves, limits });
  // A replay that ends half way leaves no less behind.
  const broken = random.chance(0.2) ? { ...plan.steps[0]!, fromPrimary: 99 } : undefined;
  return broken && plan.steps.length > 0
    ? { ...plan, steps: [...plan.steps, { ...broken, kind: 99 as never }] }
    : plan;
}

describe('a checker of several plans', () => {
  it('finds in each from one start what a new one finds', () => {
    let faults = 0;
    forSeeds(halved(24), (seed) => {
      const start =
        seed % 2 === 0 ? randomCluster(seed) : randomSuperCluster(seed, { groups: [2, 4], nodes: [2, 5] });
      const random = new Random(seed, 'several plans');
      const checker = new PlanChecker(start);
      for (let k = 0; k < 6; k++) {
        const plan = somePlan(start, random);
        const found = checkPlan(plan);
        faults += found.length;
        expect(checker.check(plan), `seed ${seed}, plan ${k + 1}`).to.deep.equal(found);
      }
    });
    expect(faults).to.be.above(halved(100));
  });

  it('follows plans as if all their steps were those of one', () => {
    let faults = 0;
    forSeeds(halved(24), (seed) => {
      const start =
        seed % 2 === 0 ? randomCluster(seed) : randomSuperCluster(seed, { groups: [2, 4], nodes: [2, 5] });
      const { steps, limits } = somePlan(start, new Random(seed, 'plans in a row'));
      const planOf = (some: Plan['steps']): Plan => unscoredPlan(start, some, limits);
      const checker = new PlanChecker(start);
      for (const [at, step] of steps.entries()) {
        // What they have parted before, is not told again.
        const found = checker.follow(planOf([step])).filter(({ rule }) => rule !== 'one-group');
        faults += found.length;
        const inOne = checkPlan(planOf(steps.slice(0, at + 1))).filter(
          (fault) => fault.step > at && fault.rule !== 'one-group',
        );
        expect(found, `seed ${seed}, step ${at + 1}`).to.deep.equal(
          inOne.map((fault) => ({ ...fault, step: fault.step - at })),
        );
      }
    });
    expect(faults).to.be.above(halved(100));
  });

  it('takes no plan from another start', () => {
    const [one, other] = [1, 2].map((seed) => randomSuperCluster(seed, { groups: [2, 2], nodes: [2, 2] }));
    const checker = new PlanChecker(one!);
    expect(() => checker.check(aPlan({ start: other!, moves: [] }))).to.throw('another start');
  });
});
