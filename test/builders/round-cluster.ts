/**
 * Random clusters of few sizes: memory, disks and cpus come in whole units and are scarce, so that limits are met
 * exactly and many candidates tie; tags, locations and storage pools are frequent. What random sizes almost never show.
 */
import { Random } from '../../bench/generate/random.ts';
import type { Snapshot } from '../../src/cluster/snapshot.ts';
import type { DiskTemplate } from '../../src/cluster/templates.ts';
import { type InstanceSketch, type NodeSketch, smallCluster, times } from './small-cluster.ts';

const UNIT_MIB = 1024;
const DISK_UNIT_MIB = 10240;

interface Traits {
  readonly hasLocations: boolean;
  readonly hasTags: boolean;
  readonly hasPools: boolean;
  readonly offlineShare: number;
}

/** Pools that a node lists; LVM is among them more often than not, since DRBD needs it. */
const poolsOf = (random: Random): string[] => [
  ...(random.chance(0.85) ? ['internal/lvm'] : []),
  ...['external/nas', 'external/san'].filter(() => random.chance(0.7)),
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
    ...(hasPools && diskTemplate === 'ext' && { storagePool: random.pick(['external/nas', 'external/san']) }),
    tags: hasTags && random.chance(0.6) ? [`service:${random.between(1, 2)}`] : [],
  };
}

/** A cluster of 3 to 8 nodes in one group. */
export function roundCluster(seed: number): Snapshot {
  const random = new Random(seed, 'round');
  const nodeCount = random.between(3, 8);
  const traits: Traits = {
    hasLocations: random.chance(0.5),
    hasTags: random.chance(0.6),
    hasPools: random.chance(0.3),
    offlineShare: random.pick([0, 0, 0.15]),
  };
  const count = nodeCount * random.between(1, 3);
  return smallCluster({
    tags: [
      ...(traits.hasLocations ? ['htools:nlocation:rack'] : []),
      ...(traits.hasTags ? ['htools:iextags:service'] : []),
    ],
    nodes: times(nodeCount, () => nodeOf(random, traits)),
    instances: times(count, () => instanceOf(random, nodeCount, traits)),
  });
}
