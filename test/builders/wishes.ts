/** Rules as tags on the instances of a random cluster: together, apart, pinned, kept off, sticky. */
import { Random } from '../../bench/generate/random.ts';
import type { Instance, Node, Snapshot } from '../../src/htools/cluster/snapshot.ts';
import { WISH_PREFIXES, type Wish } from '../../src/htools/cluster/tags/placement-tags.ts';
import { roundCluster } from './round-cluster.ts';
import { times } from './small-cluster.ts';

const SETS = 3;

const setName = (random: Random): string[] => [`set${random.below(SETS)}`];
const nodeName = (random: Random, nodes: readonly Node[]): string => random.pick(nodes).name;

/** What is asked for. Each draws from numbers of its own, so that one more leaves the others as they are. */
const NAMES: Readonly<Record<Wish, (random: Random, nodes: readonly Node[]) => string[]>> = {
  together: setName,
  apart: setName,
  pinned: (random, nodes) => times(random.between(2, 4), () => nodeName(random, nodes)),
  keepOff: (random, nodes) => [nodeName(random, nodes)],
};

/** The cluster with some tags; exclusion tags follow, as preparing a cluster would have it. */
export function withWishes(snapshot: Snapshot, random: Random, share = 0.3): Snapshot {
  const seed = random.uint32();
  const makers = Object.entries(NAMES).map(([wish, namesOf]) => {
    const own = new Random(seed, wish);
    const prefix = WISH_PREFIXES[wish as Wish];
    return () => (own.chance(share) ? namesOf(own, snapshot.nodes).map((name) => prefix + name) : []);
  });
  const instances = snapshot.instances.map((one): Instance => {
    const tags = [...new Set(makers.flatMap((make) => make()))];
    if (random.chance(share / 2)) tags.push('htools:sticky');
    if (random.chance(share / 2)) tags.push(`htools:sticky:${random.below(4)}`);
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
