/** Rules as tags on the instances of a random cluster: together, apart, pinned, kept off, sticky. */
import { Random } from '../../bench/generate/random.ts';
import { wishDrawer } from '../../bench/generate/wish-tags.ts';
import type { Instance, Snapshot } from '../../src/htools/cluster/snapshot.ts';
import { withHandsOff } from '../../src/htools/cluster/tags/hands-off.ts';
import { WISH_PREFIXES } from '../../src/htools/cluster/tags/placement-tags.ts';
import { roundCluster } from './round-cluster.ts';

const SETS = 3;

/** The cluster with some tags; exclusion tags follow, as preparing a cluster would have it. */
export function withWishes(snapshot: Snapshot, random: Random, share = 0.3): Snapshot {
  const draw = wishDrawer({ nodes: snapshot.nodes, sets: SETS, share }, random);
  const instances = snapshot.instances.map((one): Instance => {
    const tags = draw();
    return {
      ...one,
      tags: [...one.tags, ...tags],
      exclusionTags: [...one.exclusionTags, ...tags.filter((tag) => tag.startsWith(WISH_PREFIXES.apart))],
    };
  });
  return { ...snapshot, instances };
}

/** The cluster with a node and an instance that are left alone. */
export function withSomeLeft(snapshot: Snapshot, random: Random): Snapshot {
  const tagged = <T extends { readonly tags: readonly string[] }>(all: readonly T[]): readonly T[] => {
    const left = random.below(all.length);
    return all.map((one, k) => (k === left ? { ...one, tags: [...one.tags, 'htools:hands-off'] } : one));
  };
  return withHandsOff({ ...snapshot, nodes: tagged(snapshot.nodes), instances: tagged(snapshot.instances) });
}

/** A small tight cluster on which each rule as tags is asked again and again. */
export function wishfulCluster(seed: number): Snapshot {
  const snapshot = withWishes(roundCluster(seed), new Random(seed, 'wishful'), 0.15);
  const random = new Random(seed, 'left');
  return random.chance(0.2) ? withSomeLeft(snapshot, random) : snapshot;
}
