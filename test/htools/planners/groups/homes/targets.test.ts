import { expect } from 'chai';
import type { Instance } from '../../../../../src/htools/cluster/snapshot.ts';
import { reachable } from '../../../../../src/htools/planners/groups/homes/home-candidates.ts';
import { groupRefusal, stayRule } from '../../../../../src/htools/planners/groups/homes/leaving.ts';
import { SuperCluster } from '../../../../../src/htools/planners/groups/homes/super-cluster.ts';
import { type InstanceSketch, smallCluster } from '../../../../builders/small-cluster.ts';

describe('the networks of a group', () => {
  const refusalWith = (nics: Instance['nics']) =>
    groupRefusal(
      new SuperCluster(
        smallCluster({
          groups: [{}, { networks: ['blue'] }],
          nodes: [{}, {}, { group: 1 }, { group: 1 }],
          instances: [{ nics }],
        }),
      ),
      0,
      1,
    );

  it('are asked for those that the instance is connected to, and for no others', () => {
    expect(refusalWith([])).to.equal(undefined);
    expect(refusalWith([{}])).to.equal(undefined);
    expect(refusalWith([{}, { network: 'blue' }])).to.equal(undefined);
    expect(refusalWith([{ network: 'blue' }, { network: 'red' }])).to.deep.equal({
      group: 1,
      rule: 'network',
      detail: 'red',
    });
  });
});

describe('an instance', () => {
  const ruleOf = (instance: InstanceSketch) =>
    stayRule(new SuperCluster(smallCluster({ nodes: [{}, {}, {}], instances: [instance] })), 0);

  it('leaves its group only with a second copy of its disks, or on shared storage', () => {
    expect(ruleOf({})).to.equal(undefined);
    expect(ruleOf({ diskTemplate: 'ext' })).to.equal(undefined);
    expect(ruleOf({ diskTemplate: 'plain' })).to.equal('not-mirrored');
    expect(ruleOf({ secondary: -1 }), 'a record without the secondary').to.equal('not-mirrored');
  });
});

describe('the nodes of a group that an instance may come to', () => {
  const nodesFor = (tags: readonly string[], storagePools: readonly string[]) =>
    reachable(
      new SuperCluster(
        smallCluster({
          nodes: [
            {},
            {},
            { tags: ['slow'] },
            { isOffline: true },
            {},
            { storagePools: ['external/nas'] },
          ].map((node) => ({ storagePools, ...node })),
          instances: [{ tags }],
        }),
      ),
      0,
      0,
    );

  it('are online, not its own, reach its pool, and are not barred', () => {
    expect(nodesFor([], ['internal/lvm'])).to.deep.equal([2, 4]);
    expect(nodesFor(['htools:keepoff:slow'], ['internal/lvm'])).to.deep.equal([4]);
  });
});
