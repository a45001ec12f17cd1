/**
 * What a generated cluster should look like: every property of clusters that the programs react to, as a
 * number or a choice.
 */
import type { AllocPolicy } from '../../src/htools/cluster/snapshot.ts';
import type { DiskTemplate } from '../../src/htools/cluster/templates.ts';
import { Random } from './random.ts';

export type PolicyKind = 'absent' | 'wide' | 'ranges' | 'narrow' | 'templates' | 'ratios';
export type NameKind = 'domain' | 'bare' | 'two-domains';
/** Which columns of the text form are written: all, only those of old versions, or more than are known. */
export type ColumnKind = 'full' | 'old' | 'more';
export type ExclusiveStorage = 'none' | 'some' | 'all';

/** Shares are 0 to 1. */
export interface ClusterShape {
  readonly seed: number;
  readonly groupCount: number;
  /** Groups differ by up to half of this when `unevenGroups` is set. */
  readonly nodesPerGroup: number;
  readonly unevenGroups: boolean;
  readonly instancesPerNode: number;
  /**
   * Share of the nodes' memory and disk that instances are meant to use; above 1 leaves instances that find
   * no home out.
   */
  readonly memoryFill: number;
  readonly diskFill: number;
  readonly templates: Readonly<Partial<Record<DiskTemplate, number>>>;
  /** Share of nodes that are not of the first size. */
  readonly oddNodeShare: number;
  /** Size of a node: 1 is 64 GiB of memory; small values make tiny nodes. */
  readonly nodeScale: number;
  /** All instances alike: many candidates tie exactly. */
  readonly hasEqualInstances: boolean;
  /** Sizes that are no multiples of anything. */
  readonly hasOddSizes: boolean;
  /** Share of nodes that joined late and are therefore emptier than the others. */
  readonly lateNodeShare: number;
  /** Share of nodes whose instances were failed over and never moved back. */
  readonly rebootedShare: number;
  /** Probability that a placement does not look whether the node could still take a failover. */
  readonly carelessShare: number;
  readonly offlineNodes: number;
  readonly drainedNodes: number;
  readonly unknownNodes: number;
  readonly exclusionTagShare: number;
  readonly locationCount: number;
  readonly desiredLocationShare: number;
  readonly hypervisorVersions: number;
  readonly allowsUpgrades: boolean;
  readonly downShare: number;
  readonly adminOfflineShare: number;
  readonly errorShare: number;
  readonly manualShare: number;
  readonly forthcomingShare: number;
  readonly exclusiveStorage: ExclusiveStorage;
  readonly hasCpuSpeeds: boolean;
  readonly hasNodeCpus: boolean;
  readonly hasSpindles: boolean;
  readonly policy: PolicyKind;
  readonly networkCount: number;
  readonly allocPolicies: Readonly<Partial<Record<AllocPolicy, number>>>;
  readonly splitShare: number;
  /** Instances without a second copy that name a secondary, as text files may. */
  readonly namedShare: number;
  readonly names: NameKind;
  readonly missingMemoryShare: number;
  readonly columns: ColumnKind;
}

/** A plain healthy drbd cluster of one group; benchmarks start from it. */
export const PLAIN_SHAPE: ClusterShape = {
  seed: 1,
  groupCount: 1,
  nodesPerGroup: 20,
  unevenGroups: false,
  instancesPerNode: 10,
  memoryFill: 0.55,
  diskFill: 0.5,
  templates: { drbd: 1 },
  oddNodeShare: 0.4,
  nodeScale: 1,
  hasEqualInstances: false,
  hasOddSizes: false,
  lateNodeShare: 0.2,
  rebootedShare: 0.15,
  carelessShare: 0,
  offlineNodes: 0,
  drainedNodes: 0,
  unknownNodes: 0,
  exclusionTagShare: 0.2,
  locationCount: 0,
  desiredLocationShare: 0,
  hypervisorVersions: 0,
  allowsUpgrades: false,
  downShare: 0.03,
  adminOfflineShare: 0,
  errorShare: 0,
  manualShare: 0.02,
  forthcomingShare: 0,
  exclusiveStorage: 'none',
  hasCpuSpeeds: false,
  hasNodeCpus: false,
  hasSpindles: false,
  policy: 'wide',
  networkCount: 0,
  allocPolicies: { preferred: 1 },
  splitShare: 0,
  namedShare: 0,
  names: 'domain',
  missingMemoryShare: 0,
  columns: 'full',
};

const TEMPLATE_MIXES: readonly Readonly<Partial<Record<DiskTemplate, number>>>[] = [
  { drbd: 1 },
  { drbd: 4, plain: 1 },
  { drbd: 4, plain: 1, ext: 1, rbd: 1 },
  { ext: 1 },
  { rbd: 2, sharedfile: 1, gluster: 1, blockdev: 1 },
  { plain: 2, file: 1, diskless: 1, drbd: 2 },
  { diskless: 1, file: 1, sharedfile: 1, plain: 1, blockdev: 1, drbd: 2, rbd: 1, ext: 1, gluster: 1 },
  { plain: 1 },
];

/** A random combination of everything, 4 to 20 nodes: the stock programs need seconds at most. */
export function randomShape(seed: number): ClusterShape {
  const random = new Random(seed, 'shape');
  // Most properties are off in most clusters, so that each is also seen without the others.
  const rarely = <T>(value: T, otherwise: T, probability = 0.25): T =>
    random.chance(probability) ? value : otherwise;
  const groupCount = random.pick([1, 1, 1, 2, 3]);
  const mostNodes = groupCount === 1 ? 20 : groupCount === 2 ? 9 : 6;
  const fewestNodes = groupCount === 1 ? 4 : 2;
  const isHomogeneous = random.chance(0.2);
  const named = new Random(seed, 'named');
  return {
    seed,
    groupCount,
    nodesPerGroup: random.between(fewestNodes, random.chance(0.7) ? Math.min(9, mostNodes) : mostNodes),
    unevenGroups: random.chance(0.5),
    instancesPerNode: random.pick([1, 2, 3, 4, 5, 6, 8, 10]),
    memoryFill: rarely(random.real(0.75, 1.1), random.real(0.2, 0.7)),
    diskFill: rarely(random.real(0.75, 1), random.real(0.1, 0.65)),
    templates: random.pick(TEMPLATE_MIXES),
    oddNodeShare: isHomogeneous ? 0 : random.real(0, 0.8),
    nodeScale: rarely(random.real(0.02, 0.2), random.pick([0.25, 0.5, 1, 2])),
    hasEqualInstances: isHomogeneous || random.chance(0.05),
    hasOddSizes: !isHomogeneous && random.chance(0.5),
    lateNodeShare: random.real(0, 0.5),
    rebootedShare: random.real(0, 0.5),
    carelessShare: rarely(random.real(0.2, 1), 0, 0.4),
    offlineNodes: rarely(random.between(1, 2), 0, 0.35),
    drainedNodes: rarely(1, 0),
    unknownNodes: rarely(1, 0, 0.1),
    exclusionTagShare: rarely(random.real(0.2, 0.9), 0, 0.5),
    locationCount: rarely(random.between(2, 4), 0, 0.35),
    desiredLocationShare: rarely(random.real(0.2, 0.8), 0, 0.5),
    hypervisorVersions: rarely(random.between(2, 3), 0, 0.3),
    allowsUpgrades: random.chance(0.7),
    downShare: rarely(random.real(0.05, 0.4), 0, 0.5),
    adminOfflineShare: rarely(0.1, 0),
    errorShare: rarely(0.1, 0),
    manualShare: rarely(random.real(0.05, 0.5), 0, 0.4),
    forthcomingShare: rarely(random.real(0.05, 0.2), 0),
    exclusiveStorage: random.pick(['none', 'none', 'none', 'none', 'some', 'all']),
    hasCpuSpeeds: random.chance(0.3),
    hasNodeCpus: random.chance(0.3),
    hasSpindles: random.chance(0.3),
    policy: random.pick(['absent', 'wide', 'wide', 'ranges', 'narrow', 'templates', 'ratios']),
    networkCount: rarely(random.between(1, 3), 0),
    allocPolicies: random.pick([
      { preferred: 1 },
      { preferred: 2, last_resort: 1 },
      { preferred: 2, last_resort: 1, unallocable: 1 },
    ]),
    splitShare: groupCount > 1 ? rarely(0.1, 0) : 0,
    namedShare: named.chance(0.1) ? named.real(0.1, 0.9) : 0,
    names: random.pick(['domain', 'domain', 'bare', 'two-domains']),
    missingMemoryShare: rarely(0.3, 0),
    columns: random.pick(['full', 'full', 'full', 'old', 'more']),
  };
}

/** Nodes of each group that are offline, drained or both kinds: where evacuations are asked for. */
export const underMaintenance = (random: Random): Pick<ClusterShape, 'offlineNodes' | 'drainedNodes'> =>
  random.pick([
    { offlineNodes: 1, drainedNodes: 0 },
    { offlineNodes: 0, drainedNodes: 1 },
    { offlineNodes: 1, drainedNodes: 1 },
    { offlineNodes: 2, drainedNodes: 2 },
  ]);
