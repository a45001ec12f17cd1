import { expect } from 'chai';
import { Budget } from '../../../../../src/htools/planners/anneal/budget.ts';
import { RandomStream } from '../../../../../src/htools/planners/anneal/random.ts';
import { findCheaper } from '../../../../../src/htools/planners/groups/cheaper/cheaper.ts';
import { SuperCluster } from '../../../../../src/htools/planners/groups/homes/super-cluster.ts';
import { smallCluster, times } from '../../../../builders/small-cluster.ts';

/** Work that is done on emptying the first of two nodes, where the other one, of another group, is full. */
function workOn(instances: number, isFirstEnough: boolean): number {
  const cluster = new SuperCluster(
    smallCluster({
      groups: [{}, {}],
      nodes: [{}, { group: 1, freeMemMib: 16 }],
      instances: times(instances, () => ({ diskTemplate: 'ext', memMib: 128 })),
    }),
  );
  const budget = new Budget({ candidates: 4_000 });
  const aim = {
    movable: times(instances, (i) => i),
    leaves: Uint8Array.of(1, 0),
    healed: new Set<number>(),
    staysWithin: false,
    targetsOf: () => [1],
  };
  const random = new RandomStream(1, 0);
  const found = findCheaper(
    { cluster, aim, random, budget, until: 1, merit: () => undefined, isFirstEnough },
    [],
  );
  expect(found).to.equal(undefined);
  return budget.share;
}

describe('a search for a cheaper plan between groups', () => {
  it('gives up a set of which more than a hundred are left after the first of its walks', () => {
    expect(workOn(120, true)).to.be.below(0.3);
    expect(workOn(90, true)).to.be.above(0.9);
    expect(workOn(120, false)).to.be.above(0.9);
  });
});
