import { expect } from 'chai';
import { inLegalOrder } from '../../../../../src/htools/planners/groups/cheaper/legal-order.ts';
import { SuperCluster } from '../../../../../src/htools/planners/groups/homes/super-cluster.ts';
import { smallCluster } from '../../../../builders/small-cluster.ts';

/** Nodes of 4 GiB, one of which is their own; instances on shared storage take 2 GiB. */
const clusterWith = (primaries: readonly number[]): SuperCluster =>
  new SuperCluster(
    smallCluster({
      nodes: [{}, {}, {}].map(() => ({ totalMemMib: 4096, nodeMemMib: 1024 })),
      instances: primaries.map((primary) => ({ diskTemplate: 'ext' as const, memMib: 2048, primary })),
    }),
  );
const to = (instance: number, primary: number) => ({ instance, to: { group: 0, primary, secondary: -1 } });

describe('an order of relocations', () => {
  it('has those first that make room for others', () => {
    const cluster = clusterWith([0, 1]);
    const { relocations, waiting } = inLegalOrder(cluster, cluster.mark(), [to(0, 1), to(1, 2)]);
    expect(relocations.map(({ instance }) => instance)).to.deep.equal([1, 0]);
    expect(waiting).to.deep.equal([]);
    expect([...cluster.state.primary.slice(0, 2)]).to.deep.equal([1, 2]);
  });

  it('leaves out what finds no room, with the others done', () => {
    const cluster = clusterWith([0, 1, 2]);
    const { relocations, waiting } = inLegalOrder(cluster, cluster.mark(), [to(0, 1), to(1, 0)]);
    expect(relocations).to.deep.equal([]);
    expect(waiting.map(({ instance }) => instance)).to.deep.equal([0, 1]);
    expect([...cluster.state.primary.slice(0, 3)]).to.deep.equal([0, 1, 2]);
  });

  it('has the verdicts of its end also where groups are only left or entered, and N+1 is asked once', () => {
    const nodes = [0, 0, 1, 1].map((group) => ({ group, totalMemMib: 4096, nodeMemMib: 1024 }));
    const ext = { diskTemplate: 'ext' as const, memMib: 2048 };
    const instances = [0, 1].map((primary) => ({ ...ext, primary }));
    const cluster = new SuperCluster(smallCluster({ groups: [{}, {}], nodes, instances }));
    const there = [0, 1].map((i) => ({ instance: i, to: { group: 1, primary: 2 + i, secondary: -1 } }));
    const before = cluster.mark();
    const verdicts = () => [0, 1, 2, 3].map((n) => cluster.n1.verdictOf(n));
    expect(inLegalOrder(cluster, before, there, true).waiting).to.deep.equal([]);
    expect(verdicts()).to.deep.equal(['yes', 'yes', 'no', 'no']);
    cluster.rollback(before);
    expect(verdicts()).to.deep.equal(['no', 'no', 'yes', 'yes']);
  });
});
