import { expect } from 'chai';
import { Budget } from '../../../../../src/htools/planners/anneal/budget.ts';
import { redistribute } from '../../../../../src/htools/planners/groups/heal/redistribute.ts';
import { survey } from '../../../../../src/htools/planners/groups/heal/survey.ts';
import { SuperCluster } from '../../../../../src/htools/planners/groups/homes/super-cluster.ts';
import { type InstanceSketch, smallCluster } from '../../../../builders/small-cluster.ts';

const DEAD = { isOffline: true };
/** Both its nodes are dead: its group is not healed. */
const lostOn = (primary: number, secondary: number) =>
  ({ primary, secondary, status: 'ERROR_nodeoffline' }) as const;

/** Two groups; the first instance has a dead node of the other group. */
const clusterWith = (...others: readonly InstanceSketch[]) =>
  new SuperCluster(
    smallCluster({
      groups: [{}, {}],
      nodes: [
        ...[DEAD, DEAD],
        ...[{ group: 1 }, { group: 1 }, { group: 1 }, { group: 1, ...DEAD }, { group: 1, ...DEAD }],
      ],
      instances: [{ primary: 2, secondary: 0 }, ...others],
    }),
  );

/** Whether each group is healed, once the instance is rescued, by the deep search and without. */
function healedIn(cluster: SuperCluster): readonly boolean[] {
  const deep = { seed: 1, budget: new Budget({ candidates: 2000, clock: () => 0 }) };
  const { healings, relocations, greedy } = redistribute(cluster, survey(cluster), () => {}, deep);
  for (const [one, ...more] of [relocations, greedy!.relocations]) {
    expect([one?.instance, one?.to.primary, more.length]).to.deep.equal([0, 2, 0]);
    expect(one!.to.secondary).to.be.oneOf([3, 4]);
  }
  return healings.map(({ isHealed }) => isHealed);
}

describe('healing by the deep search', () => {
  it('rescues an instance whose second copy was on a dead node of another group', () => {
    expect(healedIn(clusterWith(lostOn(0, 1), lostOn(5, 6)))).to.deep.equal([false, false]);
  });

  it('keeps what that heals of its own group', () => {
    expect(healedIn(clusterWith(lostOn(0, 1)))).to.deep.equal([false, true]);
  });
});
