import { expect } from 'chai';
import { Random } from '../../../../bench/generate/random.ts';
import type { Snapshot } from '../../../../src/htools/cluster/snapshot.ts';
import { BuiltReplica } from '../../../../src/htools/plan/checker/built-replica.ts';
import { knownNodes } from '../../../../src/htools/plan/checker/known-nodes.ts';
import { randomCluster } from '../../../builders/random-cluster.ts';
import { forSeeds } from '../../../builders/seeds.ts';

/** The same cluster with one thing another, each by its kind. */
const CHANGES: Readonly<Record<string, (start: Snapshot, random: Random) => Snapshot>> = {
  free({ nodes, ...rest }, random) {
    const other = random.below(nodes.length);
    return {
      ...rest,
      nodes: nodes.map((n, k) => (k === other ? { ...n, freeMemMib: n.freeMemMib - 1 } : n)),
    };
  },
  online({ nodes, ...rest }, random) {
    const other = random.below(nodes.length);
    return { ...rest, nodes: nodes.map((n, k) => (k === other ? { ...n, isOffline: !n.isOffline } : n)) };
  },
  size({ instances, ...rest }, random) {
    const other = random.below(instances.length);
    return {
      ...rest,
      instances: instances.map((i, k) => (k === other ? { ...i, memMib: i.memMib + 1 } : i)),
    };
  },
  place({ instances, ...rest }, random) {
    const other = random.below(instances.length);
    const primary = random.below(rest.nodes.length);
    return { ...rest, instances: instances.map((i, k) => (k === other ? { ...i, primary } : i)) };
  },
  tags: (start) => ({ ...start, tags: [...start.tags, 'htools:nlocation:power', 'htools:migration:power'] }),
  policy: (start) => ({
    ...start,
    groups: start.groups.map((group) => ({ ...group, policy: { ...group.policy, vcpuRatio: 1.5 } })),
  }),
  nothing: (start) => ({ ...start, nodes: start.nodes.map((n) => ({ ...n })) }),
};

describe('nodes that the checker knows from another start', () => {
  for (const [kind, change] of Object.entries(CHANGES))
    it(`are as if they were built anew, with another ${kind}`, () => {
      let known = 0;
      forSeeds(20, (seed) => {
        const start = randomCluster(seed, { fewestNodes: 3, mostNodes: 8, mostInstancesPerNode: 4 });
        if (start.instances.length === 0) return;
        const other = change(start, new Random(seed, kind));
        const before = new BuiltReplica(start);
        const { replica } = new BuiltReplica(other, knownNodes(before, other));
        expect(replica, `seed ${seed}`).to.deep.equal(new BuiltReplica(other).replica);
        known += replica.nodes.filter((node) => before.asRead.includes(node)).length;
      });
      if (kind === 'tags' || kind === 'policy') expect(known).to.equal(0);
      else expect(known).to.be.above(20);
    });
});
