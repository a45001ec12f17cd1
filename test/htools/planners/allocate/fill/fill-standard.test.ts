import { expect } from 'chai';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import { allocNodes } from '../../../../../src/htools/planners/allocate/by-group/usable-nodes.ts';
import { iterate } from '../../../../../src/htools/planners/allocate/fill/fill-standard.ts';
import { Filler } from '../../../../../src/htools/planners/allocate/fill/filler.ts';
import { sizedInstance } from '../../../../../src/htools/planners/allocate/fill/sized-instance.ts';
import { smallCluster, times } from '../../../../builders/small-cluster.ts';

describe('filling with instances of one size', () => {
  it('takes no DRBD instance back where the cluster may not lose any node', () => {
    const nodes = times(3, () => ({ totalMemMib: 8192, spindles: 9 }));
    const instances = nodes.map((_, primary) => ({ diskTemplate: 'ext' as const, memMib: 5000, primary }));
    const snapshot = smallCluster({ nodes, instances });
    const targets = allocNodes(snapshot, 2, { nodes: [...nodes.keys()] });
    if (targets.kind !== 'pairs') throw new Error('pairs were asked for');
    const counts: number[] = [];
    const filler = new Filler(new ClusterState(snapshot), targets, {}, (count) => counts.push(count));
    expect(filler.isRedundant()).to.equal(false);
    const size = { memMib: 256, diskMib: 1024, cpuCount: 1, spindles: 1 };
    const { didCheckCapacity } = iterate(filler, sizedInstance(size, 'drbd', 1), 4, true);
    expect({ counts, didCheckCapacity }).to.deep.equal({ counts: [1, 2, 3, 4], didCheckCapacity: false });
  });
});
