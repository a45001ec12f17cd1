/**
 * Random clusters of few sizes: memory, disks and cpus come in whole units and are scarce, so that limits are
 * met exactly and many candidates tie; tags, locations and storage pools are frequent. What random sizes
 * almost never show.
 */
import { Random } from '../../bench/generate/random.ts';
import type { Snapshot } from '../../src/htools/cluster/snapshot.ts';
import type { DiskTemplate } from '../../src/htools/cluster/templates.ts';
import { type InstanceSketch, type NodeSketch, smallCluster, times } from './small-cluster.ts';

const UNIT_MIB = 1024;
const DISK_UNIT_MIB = 10240;
const EXTERNAL_POOLS = ['external/nas', 'external/san'];

export interface Traits {
  readonly hasLocations: boolean;
  readonly hasTags: boolean;
  readonly hasPools: boolean;
  readonly offlineShare: number;
  /** Whether the cluster says how large its external pools are; they are nearly full then. */
  readonly hasPoolSizes: boolean;
  readonly instancesPerNode: number;
}

/** Pools that a node lists; LVM is among them more often than not, since DRBD needs it. */
const poolsOf = (random: Random): string[] => [
  ...(random.chance(0.85) ? ['internal/lvm'] : []),
  ...EXTERNAL_POOLS.filter(() => random.chance(0.7)),
];

function nodeOf(random: Random, { hasLocations, hasPools, offlineShare }: Traits): NodeSketch {
  return {
    ...(hasPools && { storagePools: poolsOf(random) }),
    totalMemMib: UNIT_MIB * random.between(5, 9),
    nodeMemMib: UNIT_MIB,
    totalDiskMib: DISK_UNIT_MIB * random.pick([6, 8, 10, 12]),
    minFreeDiskRatio: random.pick([0, 0, 0.5]),
    totalCpus: random.pick([2, 4]),
    isOffline: random.chance(offlineShare),
    tags: hasLocations && random.chance(0.9) ? [`rack:${random.between(1, 3)}`] : [],
  };
}

function instanceOf(random: Random, nodeCount: number, { hasTags, hasPools }: Traits): InstanceSketch {
  const diskTemplate = random.weighted<DiskTemplate>({ drbd: 8, ext: hasPools ? 4 : 1 });
  const primary = random.below(nodeCount);
  const other = (primary + random.between(1, nodeCount - 1)) % nodeCount;
  return {
    memMib: UNIT_MIB * random.pick([1, 1, 2]),
    diskMib: DISK_UNIT_MIB * random.pick([1, 1, 2]),
    vcpus: random.pick([1, 2]),
    status: random.chance(0.1) ? 'ADMIN_down' : 'running',
    diskTemplate,
    primary,
    secondary: diskTemplate === 'drbd' ? other : -1,
    ...(hasPools && diskTemplate === 'ext' && { storagePool: random.pick(EXTERNAL_POOLS) }),
    tags: hasTags && random.chance(0.6) ? [`service:${random.between(1, 2)}`] : [],
  };
}

/** Sizes that leave room for a few instances more. */
function sizeTags(random: Random, instances: readonly InstanceSketch[]): string[] {
  return EXTERNAL_POOLS.map((pool) => {
    const used = instances
      .filter(({ storagePool }) => storagePool === pool)
      .reduce((sum, { diskMib }) => sum + diskMib!, 0);
    const freeMib = DISK_UNIT_MIB * random.between(0, 4);
    return random.chance(0.5)
      ? `htools:poolsize:${pool}:${used + freeMib}`
      : `htools:poolsize:${pool}:${used + 2 * freeMib}:${freeMib}`;
  });
}

/** A cluster of 3 to 8 nodes in one group. @param wanted traits that are not left to chance */
export function roundCluster(seed: number, wanted: Partial<Traits> = {}): Snapshot {
  const random = new Random(seed, 'round');
  const nodeCount = random.between(3, 8);
  const traits: Traits = {
    hasLocations: random.chance(0.5),
    hasTags: random.chance(0.6),
    hasPools: random.chance(0.3),
    offlineShare: random.pick([0, 0, 0.15]),
    hasPoolSizes: false,
    instancesPerNode: random.between(1, 3),
    ...wanted,
  };
  const count = Math.round(nodeCount * traits.instancesPerNode);
  const nodes = times(nodeCount, () => nodeOf(random, traits));
  const instances = times(count, () => instanceOf(random, nodeCount, traits));
  return smallCluster({
    tags: [
      ...(traits.hasPoolSizes ? sizeTags(random, instances) : []),
      ...(traits.hasLocations ? ['htools:nlocation:rack'] : []),
      ...(traits.hasTags ? ['htools:iextags:service'] : []),
    ],
    nodes,
    instances,
  });
}
