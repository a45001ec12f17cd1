import { expect } from 'chai';
import {
  isReclaimable,
  isWorthwhile,
  judgeGroups,
} from '../../../../../src/htools/planners/groups/empty/compress.ts';
import { findTogether } from '../../../../../src/htools/planners/groups/empty/together.ts';
import { SuperCluster } from '../../../../../src/htools/planners/groups/homes/super-cluster.ts';
import {
  type ClusterSketch,
  type InstanceSketch,
  smallCluster,
  times,
} from '../../../../builders/small-cluster.ts';

const ext = (primary: number, memMib: number, more: InstanceSketch = {}): InstanceSketch => ({
  diskTemplate: 'ext',
  primary,
  memMib,
  ...more,
});

/** Groups of two nodes each, with as much memory as is said. */
function clusterOf(memory: readonly number[], instances: ClusterSketch['instances']): SuperCluster {
  return new SuperCluster(
    smallCluster({
      groups: memory.map(() => ({})),
      nodes: memory.flatMap((totalMemMib, group) => [
        { group, totalMemMib },
        { group, totalMemMib },
      ]),
      ...(instances && { instances }),
    }),
  );
}

const order = (cluster: SuperCluster): number[] => judgeGroups(cluster).map(({ group }) => group);

describe('which groups can be given back', () => {
  it('tells those first that give back most, whatever their free share', () => {
    const cluster = clusterOf([8192, 65536], [ext(0, 512), ext(2, 2048), ext(3, 2048)]);
    expect(order(cluster)).to.deep.equal([1, 0]);
  });

  it('says of an empty group that it is, and gains nothing by filling it', () => {
    const cluster = clusterOf([8192, 8192, 8192], [ext(0, 4000), ext(2, 4000)]);
    const verdicts = judgeGroups(cluster);
    expect(verdicts.find(({ group }) => group === 2)!.outcome).to.equal('empty');
    const first = verdicts.find(({ group }) => group === 0)!;
    expect(isReclaimable(first) && first.outcome.fills).to.deep.equal([2]);
    expect(isWorthwhile(first)).to.equal(false);
  });

  it('gains by emptying a group into an empty one that is smaller', () => {
    const [first] = judgeGroups(clusterOf([65536, 8192], [ext(0, 2000)]));
    expect(first!.group).to.equal(0);
    expect(isWorthwhile(first!)).to.equal(true);
  });

  it('counts all instances that find no home', () => {
    const cluster = new SuperCluster(
      smallCluster({
        groups: [{}, { allocPolicy: 'unallocable' }],
        nodes: [{ totalMemMib: 65536 }, { totalMemMib: 65536 }, { group: 1 }, { group: 1 }],
        instances: Array.from({ length: 25 }, () => ext(0, 512)),
      }),
    );
    const [verdict] = judgeGroups(cluster).filter(({ group }) => group === 0);
    const outcome = verdict!.outcome;
    expect(typeof outcome === 'object' && !outcome.isPossible && outcome.stranded.length).to.equal(25);
  });

  it('calls nothing proven where there are too many instances to try every placement', () => {
    // Two fit on a node where there is memory for 2.9: the sums say yes, whole instances no.
    const verdictOn = (nodes: number, count: number) => {
      const cluster = new SuperCluster(
        smallCluster({
          groups: [{}, {}],
          nodes: [
            ...times(2, () => ({ totalMemMib: 65536 })),
            ...times(nodes, () => ({ group: 1, totalMemMib: 1024 + 2969 })),
          ],
          instances: times(count, () => ext(0, 1024)),
        }),
      );
      const verdicts = judgeGroups(cluster);
      const { outcome } = verdicts.find(({ group }) => group === 0)!;
      const isProven = typeof outcome === 'object' && !outcome.isPossible && outcome.isProven;
      expect(findTogether(cluster, verdicts).isLargest).to.equal(isProven);
      return isProven;
    };
    expect(verdictOn(3, 7)).to.equal(true);
    expect(verdictOn(10, 25)).to.equal(false);
  });

  it('leaves the state as it was', () => {
    const cluster = clusterOf([8192, 65536], [ext(0, 512), ext(2, 2048)]);
    const before = [...cluster.state.nodeFields];
    findTogether(cluster, judgeGroups(cluster));
    expect([...cluster.state.nodeFields]).to.deep.equal(before);
  });
});

describe('groups that go together', () => {
  it('are more than the largest one alone leaves room for', () => {
    const pinned = ext(6, 9000, { tags: ['htools:nointergroup'] });
    const cluster = clusterOf([20480, 8192, 8192, 20480], [ext(0, 9000), ext(2, 5000), ext(4, 5000), pinned]);
    expect(findTogether(cluster, judgeGroups(cluster))).to.deep.include({ groups: [1, 2], isLargest: true });
  });

  it('send every instance straight to its end', () => {
    const cluster = clusterOf([8192, 8192, 8192], [ext(0, 512), ext(2, 512), ext(4, 512)]);
    const { groups, relocations } = findTogether(cluster, judgeGroups(cluster));
    expect(groups).to.have.length(2);
    expect(relocations).to.have.length(2);
    for (const { to } of relocations) expect(groups).to.not.include(to.group);
  });
});
