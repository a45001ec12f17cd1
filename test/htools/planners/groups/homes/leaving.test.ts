import { expect } from 'chai';
import { emptyInto } from '../../../../../src/htools/planners/groups/empty/emptying.ts';
import { GroupRules, stayRule } from '../../../../../src/htools/planners/groups/homes/leaving.ts';
import { SuperCluster } from '../../../../../src/htools/planners/groups/homes/super-cluster.ts';
import { strandedBy } from '../../../../../src/htools/planners/groups/refusals/refusals.ts';
import { smallCluster, times } from '../../../../builders/small-cluster.ts';

describe('a cluster whose tag forbids moves between groups', () => {
  const cluster = new SuperCluster(
    smallCluster({
      groups: [{}, {}],
      nodes: times(4, (n) => ({ group: n < 2 ? 0 : 1 })),
      instances: [{}, { diskTemplate: 'plain' }],
      tags: ['htools:nointergroup'],
    }),
  );

  it('is why an instance stays that could move otherwise', () => {
    expect(stayRule(cluster, 0)).to.equal('forbidden');
    expect(stayRule(cluster, 1)).to.equal('not-mirrored');
  });

  it('is what is told of an instance that finds no home, and not the groups that could take it', () => {
    const { reason, refusals } = strandedBy(cluster, new GroupRules(cluster), 0, () => false);
    expect({ reason, refusals }).to.deep.equal({ reason: 'forbidden', refusals: [] });
  });

  it('is not emptied by those who ask which groups could be', () => {
    const outcome = emptyInto(
      new SuperCluster({ ...cluster.snapshot, instances: cluster.snapshot.instances.slice(0, 1) }),
      0,
      () => undefined,
    );
    expect(outcome).to.include({ isPossible: false, isProven: true });
  });
});
