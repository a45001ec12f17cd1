/** Rules as tags of instances (docs/reference/rules.md): our own, which the stock programs pass over. */
import { WISH_PREFIXES, type Wish } from '../../src/htools/cluster/tags/placement-tags.ts';
import type { MadeCluster } from './made-cluster.ts';
import type { Random } from './random.ts';

const WISHES = Object.keys(WISH_PREFIXES) as readonly Wish[];
/** Instances that name the same set: enough sets that some of them span groups. */
const OF_ONE_SET = 3;

/** Puts some on the instances of a cluster, in place. */
export function addWishes({ nodes, instances }: MadeCluster, random: Random): void {
  const share = random.real(0.05, 0.4);
  for (const instance of instances) {
    if (random.chance(share / 8)) instance.tags.push(random.pick(['htools:sticky', 'htools:sticky:3']));
    if (!random.chance(share)) continue;
    const wish = random.pick(WISHES);
    const isOfNodes = wish === 'pinned' || wish === 'keepOff';
    const name = isOfNodes
      ? random.pick(nodes).name
      : `set${random.below(Math.ceil(instances.length / OF_ONE_SET))}`;
    instance.tags.push(WISH_PREFIXES[wish] + name);
  }
}
