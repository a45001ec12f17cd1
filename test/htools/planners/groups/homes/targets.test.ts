import { expect } from 'chai';
import type { Instance } from '../../../../../src/htools/cluster/snapshot.ts';
import { withHandsOff } from '../../../../../src/htools/cluster/tags/hands-off.ts';
import { candidatesIn } from '../../../../../src/htools/planners/groups/homes/home-candidates.ts';
import {
  GroupRules,
  groupRefusal,
  stayRule,
} from '../../../../../src/htools/planners/groups/homes/leaving.ts';
import { SuperCluster } from '../../../../../src/htools/planners/groups/homes/super-cluster.ts';
import { refusalsOfOthers } from '../../../../../src/htools/planners/groups/refusals/refusals.ts';
import { type InstanceSketch, type NodeSketch, smallCluster } from '../../../../builders/small-cluster.ts';

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

describe('the nodes of a group that may take an instance', () => {
  const nodesFor = (tags: readonly string[], storagePools: readonly string[]) =>
    candidatesIn(
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
    ).secondaries;

  it('are online, not its own, reach its pool, and are not barred', () => {
    expect(nodesFor([], ['internal/lvm'])).to.deep.equal([2, 4]);
    expect(nodesFor(['htools:keepoff:slow'], ['internal/lvm'])).to.deep.equal([4]);
  });
});

describe('the reasons of a group without a node for an instance', () => {
  const reasonsOf = (nodes: readonly NodeSketch[], tags: readonly string[] = []) => {
    const cluster = new SuperCluster(
      withHandsOff(
        smallCluster({
          groups: [{}, {}],
          nodes: [{}, {}, ...nodes.map((node) => ({ group: 1, ...node }))],
          instances: [{ tags }],
        }),
      ),
    );
    return refusalsOfOthers(cluster, new GroupRules(cluster), 0, () => true).filter(
      ({ group }) => group === 1,
    );
  };
  const left: NodeSketch = { tags: ['htools:hands-off'] };

  it('are the tags of the instance, and not that nodes do not reach its storage', () => {
    const pinned = reasonsOf([{}, {}], ['htools:pinned:node1', 'htools:pinned:node2']);
    expect(pinned).to.deep.equal([{ group: 1, rule: 'pinned', nodes: 2 }]);
  });

  it('are that some of its nodes are left alone, or all', () => {
    expect(reasonsOf([left, left, {}])).to.deep.equal([{ group: 1, rule: 'hands-off', nodes: 2 }]);
    expect(reasonsOf([left, left])).to.deep.equal([{ group: 1, rule: 'hands-off' }]);
  });
});
