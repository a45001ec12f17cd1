import { expect } from 'chai';
import { withHandsOff } from '../../../../src/htools/cluster/tags/hands-off.ts';
import { RelocationTrials } from '../../../../src/htools/explain/groups/try-relocation.ts';
import { SuperCluster } from '../../../../src/htools/planners/groups/homes/super-cluster.ts';
import { type InstanceSketch, smallCluster, times } from '../../../builders/small-cluster.ts';

/** Three nodes in each of two groups, and one instance on the first two nodes. */
const snapshotWith = (instance: InstanceSketch, tags: readonly string[] = []) =>
  smallCluster({
    groups: [{}, {}],
    nodes: times(6, (n) => ({ group: n < 3 ? 0 : 1 })),
    instances: [instance],
    tags,
  });

describe('a move that is tried between groups', () => {
  it('says of a group that takes no part just that', () => {
    const cluster = new SuperCluster(snapshotWith({}), { leftOut: new Set([1]) });
    const tried = new RelocationTrials(cluster).try(0, 3, 4)!;
    expect(tried.isAllowed).to.equal(false);
    expect(tried.groupRefusals).to.deep.equal([{ group: 'group2', rule: 'left-out' }]);
  });

  it('is held within the group, too, by what nobody can move, whatever tags keep it in its group', () => {
    const tags = ['htools:nointergroup', 'htools:hands-off'];
    const cluster = new SuperCluster(withHandsOff(snapshotWith({ tags })));
    const trials = new RelocationTrials(cluster);
    expect(trials.try(0, 0, 2)).to.deep.include({
      isAllowed: false,
      holds: [{ rule: 'hands-off', lift: null }],
    });
    expect(trials.try(0, 3, 4)!.holds.map(({ rule }) => rule)).to.deep.equal(['nointergroup', 'hands-off']);
  });

  it('is held by the tag of the cluster only where it leaves the group', () => {
    const cluster = new SuperCluster(snapshotWith({}, ['htools:nointergroup']));
    const trials = new RelocationTrials(cluster);
    expect(trials.try(0, 3, 4)!.holds).to.deep.equal([
      { rule: 'nointergroup', lift: ['tag cluster -htools:nointergroup'] },
    ]);
    expect(trials.try(0, 0, 2)).to.deep.include({ isAllowed: true, holds: [] });
  });
});
