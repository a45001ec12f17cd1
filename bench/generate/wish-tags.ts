/** Rules as tags of instances (docs/reference/rules.md): our own, which the stock programs pass over. */
import { WISH_PREFIXES, type Wish } from '../../src/htools/cluster/tags/placement-tags.ts';
import type { MadeCluster } from './made-cluster.ts';
import { Random } from './random.ts';

/** Instances that name the same set: enough sets that some of them span groups. */
const OF_ONE_SET = 3;

interface Wishing {
  readonly nodes: readonly { readonly name: string }[];
  /** How many sets there are. */
  readonly sets: number;
  /** How many instances ask for each kind. */
  readonly share: number;
}

/**
 * Draws the tags of one instance after another. Each kind draws from numbers of its own, so that one more
 * leaves the others as they are.
 */
export function wishDrawer({ nodes, sets, share }: Wishing, random: Random): () => string[] {
  const setName = (own: Random): string[] => [`set${own.below(sets)}`];
  const nodeName = (own: Random): string => own.pick(nodes).name;
  const names: Readonly<Record<Wish, (own: Random) => string[]>> = {
    together: setName,
    apart: setName,
    pinned: (own) => Array.from({ length: own.between(2, 4) }, () => nodeName(own)),
    keepOff: (own) => [nodeName(own)],
  };
  const seed = random.uint32();
  const makers = Object.entries(names).map(([wish, namesOf]) => {
    const own = new Random(seed, wish);
    const prefix = WISH_PREFIXES[wish as Wish];
    return () => (own.chance(share) ? namesOf(own).map((name) => prefix + name) : []);
  });
  return () => {
    const tags = [...new Set(makers.flatMap((make) => make()))];
    if (random.chance(share / 2)) tags.push('htools:sticky');
    if (random.chance(share / 2)) tags.push(`htools:sticky:${random.below(4)}`);
    return tags;
  };
}

/** Puts some on the instances of a cluster, in place. */
export function addWishes({ nodes, instances }: MadeCluster, random: Random): void {
  const sets = Math.ceil(instances.length / OF_ONE_SET);
  const draw = wishDrawer({ nodes, sets, share: random.real(0.01, 0.1) }, random);
  for (const instance of instances) instance.tags.push(...draw());
}
