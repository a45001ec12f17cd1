import { expect } from 'chai';
import { Random } from '../../../../../bench/generate/random.ts';
import {
  FAILOVER,
  FAILOVER_AND_REPLACE,
  type MoveKind,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../../../../../src/htools/model/moves/kinds.ts';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import { WORK } from '../../../../../src/htools/plan/cost.ts';
import { RandomStream } from '../../../../../src/htools/planners/anneal/random.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../../../src/htools/planners/balance/options.ts';
import { makeLayout } from '../../../../../src/htools/planners/search/kernel/layout.ts';
import { Attempt } from '../../../../../src/htools/planners/search/order/attempt.ts';
import { orderSteps } from '../../../../../src/htools/planners/search/order/order.ts';
import { nodesByGroup } from '../../../../builders/random-cluster.ts';
import { roundCluster } from '../../../../builders/round-cluster.ts';
import { forSeeds } from '../../../../builders/seeds.ts';
import { smallState } from '../../../../builders/small-cluster.ts';

/**
 * An instance on nodes 0 and 1, with nodes 2 and 3 to go to.
 * @param offline position of a node that is gone
 */
function scoresWithout(offline: number | undefined): (kind: MoveKind, p: number, s: number) => number {
  const state = smallState({
    nodes: [0, 1, 2, 3].map((n) => ({ isOffline: n === offline })),
    instances: [{}],
  });
  const layout = makeLayout(state, [0, 1, 2, 3], DEFAULT_BALANCE_OPTIONS);
  const stay = { primary: Int32Array.of(0), secondary: Int32Array.of(1) };
  const attempt = new Attempt(layout, stay);
  attempt.restart();
  return (kind, primary, secondary) =>
    attempt.scoreAfter(0, { kind, target: kind === FAILOVER ? -1 : 2, primary, secondary });
}

describe('a step of a plan', () => {
  const ways: readonly [MoveKind, number, number][] = [
    [FAILOVER, 1, 0],
    [FAILOVER_AND_REPLACE, 1, 2],
    [REPLACE_PRIMARY, 2, 1],
  ];

  it('goes by way of the secondary only where that is there', () => {
    const [all, halved] = [scoresWithout(undefined), scoresWithout(1)];
    for (const [kind, p, s] of ways) {
      expect(all(kind, p, s), `kind ${kind}`).to.be.finite;
      expect(halved(kind, p, s), `kind ${kind} without node 1`).to.equal(Number.POSITIVE_INFINITY);
    }
    expect(halved(REPLACE_SECONDARY, 0, 2)).to.be.finite;
  });

  it('goes to no node that is offline', () => {
    expect(scoresWithout(2)(REPLACE_SECONDARY, 0, 2)).to.equal(Number.POSITIVE_INFINITY);
  });

  it('leads two new nodes on with one change of the primary, whatever is taken first', () => {
    let moved = 0;
    forSeeds(12, (seed) => {
      const snapshot = roundCluster(seed);
      const random = new Random(seed, 'goals');
      for (const nodes of nodesByGroup(snapshot)) {
        const layout = makeLayout(new ClusterState(snapshot), nodes, DEFAULT_BALANCE_OPTIONS);
        if (layout.targets.length < 4) continue;
        const goal = { primary: layout.primary.slice(), secondary: layout.secondary.slice() };
        for (const i of layout.movable) {
          const [P, S] = [random.pick([...layout.targets]), random.pick([...layout.targets])];
          const old = [layout.primary[i], layout.secondary[i]];
          if (layout.isMirrored[i] === 0 || P === S || old.includes(P) || old.includes(S)) continue;
          goal.primary[i] = P;
          goal.secondary[i] = S;
        }
        const changes = new Int32Array(layout.instanceCount);
        const { steps } = orderSteps(layout, goal, new RandomStream(seed, 0));
        for (const { instance, kind } of steps) changes[instance]! += WORK[kind].primaryChanges;
        for (const { instance, isDetour } of steps) if (isDetour) changes[instance] = 0;
        expect(Math.max(...changes)).to.be.at.most(1);
        moved += changes.filter((count) => count > 0).length;
      }
    });
    expect(moved).to.be.above(3);
  });
});
