/**
 * The checker's own model of a cluster: one object a node, plain maps and sets (built-replica.ts builds it
 * from a snapshot). It shares nothing with the search's state, so that a fault in one does not hide in the
 * other.
 *
 * Source of the figures: htools(1) and the definitions of the node fields in hbal(1).
 */
import type { Instance, Node, Snapshot } from '../../cluster/snapshot.ts';
import type { Storage } from '../../cluster/storage/storage.ts';

/** What is left and what is used on a node. */
export interface Books {
  freeMemMib: number;
  freeDiskMib: number;
  /** Virtual cpus in use, those of the node's own system included. */
  vcpus: number;
  /** Counts only with exclusive storage. */
  freeSpindles: number;
  /** Spindles that instances use; 0 with exclusive storage. */
  instanceSpindles: number;
}

export interface ReplicaNode {
  readonly position: number;
  readonly record: Node;
  /** Whether Ganeti can ask it: it is online, or only drained. */
  readonly isReachable: boolean;
  /** Disk that has to stay free (`--min-disk`). */
  readonly reserveDiskMib: number;
  /** Most virtual cpus a cpu; negative = no limit. */
  readonly vcpuRatioLimit: number;
  readonly spindleLimit: number;
  /** False where storage is stated and the node has none of its own: it is no part of the disk metrics. */
  readonly hasInternalStorage: boolean;
  readonly locations: ReadonlySet<string>;
  readonly migrationTags: ReadonlySet<string>;
  readonly receivableMigrationTags: ReadonlySet<string>;
  /** Positions of real (not forthcoming) instances. */
  readonly primaries: Set<number>;
  readonly secondaries: Set<number>;
  /** Positions of forthcoming instances. */
  readonly forthcomingPrimaries: Set<number>;
  readonly forthcomingSecondaries: Set<number>;
  /** Real instances only. */
  readonly now: Books;
  /** Real and forthcoming instances. */
  readonly planned: Books;
  /** Memory to keep for instances of each peer, should that peer fail. */
  readonly reservedMibByPeer: Map<number, number>;
  breaksNPlusOne: boolean;
  /** Spindles that real instances with disks here took since the start; those of no other template count. */
  takenSpindles: number;
  readonly load: { cpu: number; mem: number; disk: number; net: number };
  /** How many primaries (forthcoming ones too) carry each exclusion tag. */
  readonly exclusionTags: Map<string, number>;
  /** How many real primaries carry an exclusion tag in a location of this node; keyed by both. */
  readonly locationPairs: Map<string, number>;
  /** Locations shared by the two nodes of its primaries, and desired locations that are not met. */
  locationPenalty: number;
}

export interface Replica {
  readonly start: Snapshot;
  /** Pools and access; undefined when the start says nothing about storage. */
  readonly storage: Storage | undefined;
  readonly nodes: ReplicaNode[];
  /** Current nodes of each instance; -1 = none. */
  readonly primaryOf: number[];
  readonly secondaryOf: number[];
  /** Locations that the nodes of an instance have in common, as of the last change of its disks. */
  readonly commonLocationsOf: number[];
}

export const copyOf = (node: ReplicaNode): ReplicaNode => ({
  ...node,
  primaries: new Set(node.primaries),
  secondaries: new Set(node.secondaries),
  forthcomingPrimaries: new Set(node.forthcomingPrimaries),
  forthcomingSecondaries: new Set(node.forthcomingSecondaries),
  now: { ...node.now },
  planned: { ...node.planned },
  reservedMibByPeer: new Map(node.reservedMibByPeer),
  load: { ...node.load },
  exclusionTags: new Map(node.exclusionTags),
  locationPairs: new Map(node.locationPairs),
});

/** States in which an instance takes no memory. */
const DOWN: readonly string[] = ['ADMIN_down', 'ADMIN_offline', 'ERROR_down', 'USER_down'];

export const takesMemory = ({ isForthcoming, status }: Instance): boolean =>
  !isForthcoming && !DOWN.includes(status);

/** Whether the instance's virtual cpus count; they do unless it is marked offline. */
export const takesCpus = (instance: Instance): boolean => instance.status !== 'ADMIN_offline';

/** Memory to reserve on the secondary for a failover. */
export const failoverMemMib = (instance: Instance): number =>
  takesCpus(instance) && instance.isAutoBalanced ? instance.memMib : 0;

/** Spindles of all disks together; undefined when those of one disk are not known. */
export function diskSpindles(instance: Instance): number | undefined {
  let sum = 0;
  for (const disk of instance.disks) {
    if (disk.spindles === undefined) return undefined;
    sum += disk.spindles;
  }
  return sum;
}

/** Largest memory reservation among the peers of a node, in MiB. */
export function reservedMib(node: ReplicaNode): number {
  let largest = 0;
  for (const mib of node.reservedMibByPeer.values()) if (mib > largest) largest = mib;
  return largest;
}

/** How many real instances it has in either role. */
export const countOn = ({ primaries, secondaries }: ReplicaNode): number => primaries.size + secondaries.size;

export const commonLocations = (one: ReplicaNode, other: ReplicaNode): number =>
  [...one.locations].filter((tag) => other.locations.has(tag)).length;

export const unmetLocations = (node: ReplicaNode, instance: Instance): number =>
  [...new Set(instance.desiredLocationTags)].filter((tag) => !node.locations.has(tag)).length;

/** Keys of `locationPairs` that an instance counts under on a node. */
export const locationPairKeys = (node: ReplicaNode, instance: Instance): string[] =>
  [...node.locations].flatMap((location) => instance.exclusionTags.map((tag) => `${location}\n${tag}`));

/** Adds `change` to a count, and forgets the key when nothing is left. */
export function adjustCount<K>(counts: Map<K, number>, key: K, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
