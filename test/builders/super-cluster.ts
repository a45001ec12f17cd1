/** Random super clusters, prepared for searching; one seed, one cluster. */

import { Random } from '../../bench/generate/random.ts';
import { makeSuperCluster, randomSuperShape, type SuperShape } from '../../bench/generate/super-cluster.ts';
import { clusterText } from '../../bench/generate/text.ts';
import { prepareSnapshot } from '../../src/htools/cluster/prepare/prepare.ts';
import type { Snapshot } from '../../src/htools/cluster/snapshot.ts';
import { parseText } from '../../src/htools/sources/text/text.ts';
import { withSomeLeft } from './wishes.ts';

/** The prepared snapshot of a shape. */
function superClusterOf(shape: SuperShape): Snapshot {
  const raw = parseText(clusterText(makeSuperCluster(shape)), `seed ${shape.seed}`);
  const { snapshot } = prepareSnapshot(raw, { staticKvmNodeMemoryMib: 0 });
  const random = new Random(shape.seed, 'left');
  return random.chance(0.3) ? withSomeLeft(snapshot, random) : snapshot;
}

/** A random one within the size limits; `change` sets what a test is about. */
export const randomSuperCluster = (
  seed: number,
  limits: Parameters<typeof randomSuperShape>[1],
  change: Partial<SuperShape> = {},
): Snapshot => superClusterOf({ ...randomSuperShape(seed, limits), ...change });
