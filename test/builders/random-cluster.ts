/** Random small clusters with everything that the programs react to; one seed, one cluster. */
import { makeCluster } from '../../bench/generate/cluster.ts';
import { dynamicUseText } from '../../bench/generate/dynamic-use.ts';
import { Random } from '../../bench/generate/random.ts';
import { withRarities } from '../../bench/generate/rarities.ts';
import { type ClusterShape, randomShape } from '../../bench/generate/shape.ts';
import { clusterText } from '../../bench/generate/text.ts';
import { applyNodeOptions } from '../../src/htools/cluster/prepare/node-options.ts';
import { prepareSnapshot } from '../../src/htools/cluster/prepare/prepare.ts';
import { type Instance, NO_NODE, type Node, type Snapshot } from '../../src/htools/cluster/snapshot.ts';
import { withHandsOff } from '../../src/htools/cluster/tags/hands-off.ts';
import { hasSecondary } from '../../src/htools/cluster/templates.ts';
import { parseText } from '../../src/htools/sources/text/text.ts';
import { parseDynamicUse } from '../../src/htools/sources/usage/dynamic-use.ts';
import { withOddWeights } from './odd-weights.ts';
import { roundCluster } from './round-cluster.ts';
import { wishfulCluster, withWishes } from './wishes.ts';

export interface RandomClusterLimits {
  readonly fewestNodes: number;
  readonly mostNodes: number;
  readonly mostInstancesPerNode: number;
}

const SMALL: RandomClusterLimits = { fewestNodes: 2, mostNodes: 9, mostInstancesPerNode: 5 };

function smallShape(seed: number, random: Random, limits: RandomClusterLimits): ClusterShape {
  const shape = randomShape(seed);
  const most = Math.max(1, Math.floor(limits.mostNodes / shape.groupCount));
  return {
    ...shape,
    nodesPerGroup: random.between(Math.min(limits.fewestNodes, most), most),
    instancesPerNode: random.between(1, limits.mostInstancesPerNode),
  };
}

/**
 * What the generator's files cannot say: repeated exclusion tags, limits of the command line, reported loads.
 */
function withOddities(snapshot: Snapshot, random: Random): Snapshot {
  const repeatsTags = random.chance(0.15);
  const reportsLoads = random.chance(0.15);
  const instances = snapshot.instances.map(
    (one): Instance =>
      repeatsTags && random.chance(0.3)
        ? { ...one, exclusionTags: [...one.exclusionTags, ...one.exclusionTags] }
        : one,
  );
  const nodes = snapshot.nodes.map(
    (node): Node => (reportsLoads ? { ...node, reportedCpuLoad: random.real(0, node.totalCpus) } : node),
  );
  return applyNodeOptions(
    { ...snapshot, nodes, instances },
    {
      offline: [],
      minDiskRatio: random.chance(0.2) ? random.real(0, 0.5) : 0,
      maxCpuRatio: random.chance(0.2) ? random.real(0.5, 3) : undefined,
    },
  );
}

/** The snapshot of a seed, prepared for a plan. */
export function randomCluster(seed: number, limits: RandomClusterLimits = SMALL): Snapshot {
  const random = new Random(seed, 'small');
  const plain = makeCluster(smallShape(seed, random, limits));
  const rare = new Random(seed, 'rare');
  const made = rare.chance(0.3) ? withRarities(plain, rare) : plain;
  const raw = parseText(clusterText(made), `seed ${seed}`);
  const usesLoads = random.chance(0.3);
  const { snapshot } = prepareSnapshot(raw, {
    staticKvmNodeMemoryMib: 0,
    ...(usesLoads && { dynamicUse: parseDynamicUse(dynamicUseText(made, random), 'loads') }),
  });
  const odd = withHandsOff(withOddities(snapshot, random));
  const wishes = new Random(seed, 'wishes');
  const wished = wishes.chance(0.25) ? withWishes(odd, wishes) : odd;
  const weights = new Random(seed, 'weights');
  return weights.chance(0.2) ? withOddWeights(wished, weights) : wished;
}

/**
 * Clusters of three sorts in turn: with everything, with limits met exactly, and these with rules as tags.
 */
export const clusterOfAnySort = (seed: number): Snapshot =>
  [randomCluster, roundCluster, wishfulCluster][seed % 3]!(seed);

/** The prepared snapshot of a generator's shape. */
export function clusterOfShape(shape: ClusterShape): Snapshot {
  const raw = parseText(clusterText(makeCluster(shape)), `seed ${shape.seed}`);
  return prepareSnapshot(raw, { staticKvmNodeMemoryMib: 0 }).snapshot;
}

/** Whether words can name each instance: a file may have a name twice. */
export const namesInstances = ({ instances }: Snapshot): boolean =>
  new Set(instances.map(({ name }) => name)).size === instances.length;

/** Nothing names a secondary without a second copy: what such a one reserves stays as it was read. */
export const withoutNamed = (snapshot: Snapshot): Snapshot => ({
  ...snapshot,
  instances: snapshot.instances.map((one) =>
    hasSecondary(one.diskTemplate) ? one : { ...one, secondary: NO_NODE },
  ),
});

/** Positions of the nodes of each group that has any. */
export function nodesByGroup(snapshot: Snapshot): number[][] {
  const groups = snapshot.groups.map((_, group) =>
    snapshot.nodes.flatMap((node, position) => (node.group === group ? [position] : [])),
  );
  return groups.filter((nodes) => nodes.length > 0);
}
