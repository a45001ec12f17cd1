import { expect } from 'chai';
import { Random } from '../../../../bench/generate/random.ts';
import { ALLOWED, FAIL_MODES } from '../../../../src/htools/cluster/refusal.ts';
import { applyMove } from '../../../../src/htools/model/moves/apply.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { PlanChecker } from '../../../../src/htools/plan/checker/check.ts';
import { randomCluster } from '../../../builders/random-cluster.ts';
import { randomMove } from '../../../builders/random-moves.ts';
import { forSeeds, halved } from '../../../builders/seeds.ts';
import { wishfulCluster, withWishes } from '../../../builders/wishes.ts';
import { aPlan } from '../cluster-builder.ts';

const MOVES = 25;
/** Rules about plans, of which single moves of the model know nothing. */
const ABOUT_PLANS = new Set([
  'online',
  'reachable-primary',
  'group-allocation',
  'group-policy',
  'group-network',
  'one-group',
]);

describe('the rules of the model and those of the checker', () => {
  it('refuse the same moves', () => {
    const seen = new Map<string, number>();
    const hold = (seed: number, start = randomCluster(seed)): void => {
      const random = new Random(seed, 'model and checker');
      const state = new ClusterState(start);
      const checker = new PlanChecker(start);
      const requestedGroups = start.groups.map((_, group) => group);
      for (let k = 0; k < MOVES; k++) {
        const move = randomMove(state, random);
        if (move === undefined) return;
        const ignoreSoftErrors = random.chance(0.2);
        const mark = state.journal.mark();
        const code = applyMove(state, move.instance, move.kind, move.target, ignoreSoftErrors);
        state.journal.rollback(mark);
        const requested = { betweenGroups: true, requestedGroups, requestedInstances: [move.instance] };
        const plan = aPlan({ start, moves: [move], limits: { ignoreSoftErrors, ...requested } });
        const faults = checker.check(plan).filter(({ rule }) => !rule.endsWith('score'));
        const name = FAIL_MODES[code]!;
        // What does not move, whatever asks for it, is barred from nothing.
        const isLeft = !start.instances[move.instance]!.isMovable;
        const label = `seed ${seed}, ${JSON.stringify(move)}: ${name}, ${JSON.stringify(faults)}`;
        if (code !== ALLOWED) expect(faults, label).to.not.be.empty;
        else
          expect(
            faults.filter(({ rule }) => !(isLeft && rule === 'hands-off') && !ABOUT_PLANS.has(rule)),
            label,
          ).to.be.empty;
        seen.set(name, (seen.get(name) ?? 0) + 1);
      }
    };
    // Tags that forbid the node that carries an instance while its primary is replaced, or would if it had a
    // second copy; sets, with an offline secondary, and to come.
    for (const seed of [236, 251, 424, 680, 846, 1474, 132350283]) hold(seed);
    forSeeds(halved(60), (seed) => {
      hold(seed);
      // Rules as tags that seldom refuse.
      hold(seed, withWishes(randomCluster(seed), new Random(seed, 'more wishes'), 0.6));
      // Pools that a node of an instance does not reach.
      hold(seed, wishfulCluster(seed));
    });
    expect(seen.size, [...seen.keys()].join()).to.be.at.least(6);
  });
});
