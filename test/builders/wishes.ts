/** Rules as tags on the instances of a random cluster: together, apart, pinned, kept off, sticky. */
import { Random } from '../../bench/generate/random.ts';
import type { Instance, Snapshot } from '../../src/htools/cluster/snapshot.ts';
import { APART_PREFIX } from '../../src/htools/cluster/tags/placement-tags.ts';

import { roundCluster } from './round-cluster.ts';

const SETS = 3;

/** The cluster with some tags; exclusion tags follow, as preparing a cluster would have it. */
export function withWishes(snapshot: Snapshot, random: Random, share = 0.3): Snapshot {
  const { nodes } = snapshot;
  const nodeName = (): string => nodes[random.below(nodes.length)]!.name;
  const instances = snapshot.instances.map((one): Instance => {
    const tags: string[] = [];
    if (random.chance(share)) tags.push(`htools:together:t${random.below(SETS)}`);
    if (random.chance(share)) tags.push(`${APART_PREFIX}a${random.below(SETS)}`);
    if (random.chance(share))
      for (let k = random.between(2, 4); k > 0; k--) tags.push(`htools:pinned:${nodeName()}`);
    if (random.chance(share)) tags.push(`htools:keepoff:${nodeName()}`);
    if (random.chance(share / 2)) tags.push('htools:sticky');
    if (random.chance(share / 2)) tags.push(`htools:sticky:${random.below(4)}`);
    const unique = [...new Set(tags)];
    return {
      ...one,
      tags: [...one.tags, ...unique],
      exclusionTags: [...one.exclusionTags, ...unique.filter((tag) => tag.startsWith(APART_PREFIX))],
    };
  });
  return { ...snapshot, instances };
}

/** A small tight cluster on which each rule as tags is asked again and again. */
export const wishfulCluster = (seed: number): Snapshot =>
  withWishes(roundCluster(seed), new Random(seed, 'wishful'), 0.15);
