/** Rules as tags on the instances of a random cluster: together, apart, pinned, kept off, sticky. */
import { Random } from '../../bench/generate/random.ts';
import { wishDrawer } from '../../bench/generate/wish-tags.ts';
import type { Instance, Snapshot } from '../../src/htools/cluster/snapshot.ts';
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

/** A small tight cluster on which each rule as tags is asked again and again. */
export const wishfulCluster = (seed: number): Snapshot =>
  withWishes(roundCluster(seed), new Random(seed, 'wishful'), 0.15);
