import { expect } from 'chai';
import { Random } from '../../../../../bench/generate/random.ts';
import type { Instance } from '../../../../../src/htools/cluster/snapshot.ts';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import { iterate } from '../../../../../src/htools/planners/allocate/fill/fill-standard.ts';
import { Filler } from '../../../../../src/htools/planners/allocate/fill/filler.ts';
import { sizedInstance } from '../../../../../src/htools/planners/allocate/sized-instance.ts';
import { allocNodes, type Placement } from '../../../../../src/htools/planners/allocate/solution.ts';
import { forSeeds } from '../../../../builders/seeds.ts';
import { smallCluster, times } from '../../../../builders/small-cluster.ts';
import { BookFiller } from '../fill-by-the-book.ts';

describe('filling with instances of one size', () => {
  it('takes no DRBD instance back where the cluster may not lose any node', () => {
    const nodes = times(3, () => ({ totalMemMib: 8192, spindles: 9 }));
    const instances = nodes.map((_, primary) => ({ diskTemplate: 'ext' as const, memMib: 5000, primary }));
    const snapshot = smallCluster({ nodes, instances });
    const targets = allocNodes(snapshot, 2, [...nodes.keys()]);
    if (targets.kind !== 'pairs') throw new Error('pairs were asked for');
    const counts: number[] = [];
    const filler = new Filler(new ClusterState(snapshot), targets, {}, (count) => counts.push(count));
    expect(filler.isRedundant()).to.equal(false);
    const size = { memMib: 256, diskMib: 1024, vcpus: 1, spindles: 1 };
    const didCheckCapacity = iterate(filler, sizedInstance(size, 'drbd', 1), 4, true);
    expect({ counts, didCheckCapacity }).to.deep.equal({ counts: [1, 2, 3, 4], didCheckCapacity: false });
  });

  it('finds the homes that stock finds after a large group was taken back, and seeks none of them twice', () => {
    let [sought, placed] = [0, 0];
    class CountingFiller extends Filler {
      override findHome(instance: Instance): Placement | undefined {
        sought++;
        return super.findHome(instance);
      }
    }
    forSeeds(6, (seed) => {
      const random = new Random(seed, 'a large group');
      const nodes = times(4, () => ({ totalMemMib: 1024 + random.between(20, 30) * 128 }));
      const instances = times(4, (primary) => ({
        diskTemplate: 'ext' as const,
        memMib: random.between(2, 5) * 128,
        primary,
      }));
      const snapshot = smallCluster({ nodes, instances });
      const targets = allocNodes(snapshot, 1, [...nodes.keys()]);
      if (targets.kind !== 'singles') throw new Error('single nodes were asked for');
      const instance = sizedInstance({ memMib: 128, diskMib: 1024, vcpus: 1, spindles: 1 }, 'ext', 1);
      const limit = random.pick([35, undefined]);
      const book = new BookFiller(snapshot, targets, true).iterate(instance, limit);
      const filler = new CountingFiller(new ClusterState(snapshot), targets, {});
      iterate(filler, instance, limit, true);
      expect(filler.state.added.map(({ primary }) => primary)).to.deep.equal(
        book.placed.map(({ primary }) => primary),
      );
      placed += filler.count;
    });
    expect(placed).to.be.above(6 * 30);
    expect(sought).to.be.below(1.4 * placed);
  });
});
