/**
 * A cluster as it was read: plain immutable records. Nothing here searches; see state.ts for that.
 *
 * Units: memory and disk in MiB. Nodes, groups and instances refer to each other by their position in the
 * snapshot's arrays; `index` is the number that the stock programs show (simulated clusters count from 1).
 */
import type { ChangedWeights } from './metric-table.ts';
import type { DiskTemplate } from './templates.ts';

export const ALLOC_POLICIES = ['preferred', 'last_resort', 'unallocable'] as const;
export type AllocPolicy = (typeof ALLOC_POLICIES)[number];

/** Instance states as Ganeti's query layer names them, in stock's order. */
export const INSTANCE_STATUSES = [
  'ADMIN_down',
  'ADMIN_offline',
  'ERROR_down',
  'ERROR_up',
  'ERROR_nodedown',
  'ERROR_nodeoffline',
  'running',
  'USER_down',
  'ERROR_wrongnode',
] as const;
export type InstanceStatus = (typeof INSTANCE_STATUSES)[number];

/** One bound of an instance policy. Memory and disk in MiB. */
export interface InstanceSpec {
  readonly memoryMib: number;
  readonly cpuCount: number;
  readonly diskMib: number;
  readonly diskCount: number;
  readonly nicCount: number;
  readonly spindleUse: number;
}

export interface SpecRange {
  readonly min: InstanceSpec;
  readonly max: InstanceSpec;
}

/** What instances a group (or the cluster) admits: those that fit one of `ranges`; an empty list, all. */
export interface InstancePolicy {
  readonly ranges: readonly SpecRange[];
  readonly standard: InstanceSpec;
  readonly diskTemplates: readonly DiskTemplate[];
  /** Virtual cpus allowed per physical cpu. */
  readonly vcpuRatio: number;
  /** Instance spindles allowed per node spindle. */
  readonly spindleRatio: number;
}

export interface Group {
  readonly index: number;
  readonly name: string;
  readonly uuid: string;
  readonly allocPolicy: AllocPolicy;
  readonly tags: readonly string[];
  readonly networks: readonly string[];
  readonly policy: InstancePolicy;
}

/** Load or load capacity: cpu, memory, disk and network, in the units of the dynamic-use file. */
export interface Utilisation {
  readonly cpu: number;
  readonly mem: number;
  readonly disk: number;
  readonly net: number;
}

/** Where a load comes from; `assumed`: nothing says it, and it counts as 1. */
export type LoadSource = 'measured' | 'dynu-file' | 'mond' | 'what-if' | 'assumed';

/** `TYPE/NAME`, for example `internal/lvm` or `external/my-nas`. */
export type PoolId = string;

/** A node as its source describes it. */
export interface RawNode {
  readonly index: number;
  readonly name: string;
  /** Position of the node's group in the snapshot's groups. */
  readonly group: number;
  readonly totalMemMib: number;
  /** Memory of the node itself (hypervisor, dom0). */
  readonly nodeMemMib: number;
  /** Free memory as the node reports it. */
  readonly freeMemMib: number;
  readonly totalDiskMib: number;
  readonly freeDiskMib: number;
  readonly totalCpus: number;
  /** Virtual cpus that the node's own system uses. */
  readonly nodeCpus: number;
  /** Relative speed, 1 = standard. */
  readonly cpuSpeed: number;
  readonly spindles: number;
  readonly freeSpindles: number;
  readonly hasExclusiveStorage: boolean;
  /** Offline or drained: takes no part in the scores and gets nothing new. */
  readonly isOffline: boolean;
  /** Whether a node without part can be asked, being only drained; undefined = the source does not tell. */
  readonly isReachable?: boolean | undefined;
  readonly isMaster: boolean;
  readonly tags: readonly string[];
  /** Set by iallocator requests and network backends; undefined in text files. */
  readonly hypervisor?: string | undefined;
  /** Storage pools that the node itself names; undefined = it says nothing. */
  readonly storagePools?: readonly PoolId[] | undefined;
  /** Smallest share of disk to stay free, 0 to 1, where a change in thought says so (`reserve node`). */
  readonly minFreeDiskRatio?: number | undefined;
  /** Memory (MiB) that is free and counts as used all the same (`--reserve`); undefined = none. */
  readonly headRoomMib?: number | undefined;
}

/** A node ready for the searches: with what follows from the whole cluster and the command line. */
export interface Node extends RawNode {
  /** Name without the suffix common to all nodes and instances; what tables and steps show. */
  readonly alias: string;
  /** Smallest share of disk to stay free, 0 to 1 (`--min-disk`). */
  readonly minFreeDiskRatio: number;
  /** Override of the policy's vcpu ratio (`--max-cpu`). */
  readonly maxVcpuRatio?: number | undefined;
  /** Whether nothing is to move there (`htools:hands-off`). */
  readonly isLeftAlone?: boolean | undefined;
  /** cpu load reported by the monitoring daemon in place of the sum over the instances. */
  readonly reportedCpuLoad?: number | undefined;
}

export interface Disk {
  readonly sizeMib: number;
  /** undefined = not known. */
  readonly spindles?: number | undefined;
}

export interface Nic {
  /** UUID of the network it is connected to. */
  readonly network?: string | undefined;
}

/** An instance as its source describes it. */
export interface RawInstance {
  readonly index: number;
  readonly name: string;
  readonly memMib: number;
  /** All disks together, as the source reports the sum. */
  readonly diskMib: number;
  readonly disks: readonly Disk[];
  readonly vcpus: number;
  readonly status: InstanceStatus;
  readonly isAutoBalanced: boolean;
  /** Position of the primary node; -1 for an instance still to be placed. */
  readonly primary: number;
  /** Position of the secondary node; -1 for none. */
  readonly secondary: number;
  readonly diskTemplate: DiskTemplate;
  readonly spindleUse: number;
  readonly tags: readonly string[];
  readonly nics: readonly Nic[];
  /** Reserved but not yet created. */
  readonly isForthcoming: boolean;
  /** Storage pool named by a field of the source; undefined = it says nothing. */
  readonly storagePool?: PoolId | undefined;
  /** Where the source knows it: an instance that was made anew under its name has another. */
  readonly uuid?: string | undefined;
  /** Load that it puts on its nodes, where a change in thought says so (`load instance`). */
  readonly utilisation?: Utilisation | undefined;
}

/** An instance ready for the searches: with what follows from the whole cluster and the command line. */
export interface Instance extends RawInstance {
  /** Name without the suffix common to all nodes and instances; what tables and steps show. */
  readonly alias: string;
  /** Load that it puts on its nodes. */
  readonly utilisation: Utilisation;
  /** Where each part of the load comes from; only where measured loads were read. */
  readonly loadSources?: Readonly<Record<keyof Utilisation, LoadSource>>;
  /** Template, selection, exclusion and split groups all allow a move. */
  readonly isMovable: boolean;
  /** Whether it stays where it is, whatever else is asked (`htools:hands-off`). */
  readonly isLeftAlone?: boolean | undefined;
  /** The instance's tags that exclude other instances with the same tag from its primary. */
  readonly exclusionTags: readonly string[];
  /** The instance's tags that name a preferred location. */
  readonly desiredLocationTags: readonly string[];
}

/** A cluster as a source describes it, and as it is written. Only `prepare` makes a Snapshot of it. */
export interface RawSnapshot {
  readonly groups: readonly Group[];
  readonly nodes: readonly RawNode[];
  readonly instances: readonly RawInstance[];
  readonly tags: readonly string[];
  /** Cluster-wide instance policy (groups carry their own). */
  readonly policy: InstancePolicy;
  /** Weights of the score that a change in thought has set; no source says any. */
  readonly weights?: ChangedWeights | undefined;
}

/** Changes that `--what-if` made before anything was planned. */
interface WhatIf {
  /** In the words of the option, one change each. */
  readonly edits: readonly string[];
  /** The cluster without them, prepared in the same way. */
  readonly before: Snapshot;
}

/** Free memory (MiB) that may be planned with: what the node reports, less its head room. */
export const plannableMem = (node: Node): number => node.freeMemMib - (node.headRoomMib ?? 0);

/** A network that an instance needs and a group does not have; undefined where it has all. */
export const missingNetwork = ({ networks }: Group, { nics }: RawInstance): string | undefined =>
  nics.find(({ network }) => network !== undefined && !networks.includes(network))?.network;

/** Spindles of all disks together; undefined as soon as one disk does not say. */
export function totalSpindles({ disks }: RawInstance): number | undefined {
  let sum = 0;
  for (const { spindles } of disks) {
    if (spindles === undefined) return undefined;
    sum += spindles;
  }
  return sum;
}

/** A cluster that is ready for the searches. */
export interface Snapshot extends RawSnapshot {
  readonly nodes: readonly Node[];
  readonly instances: readonly Instance[];
  /** What was changed in thought since the cluster was read; undefined = nothing. */
  readonly whatIf?: WhatIf | undefined;
}

export const ZERO_UTILISATION: Utilisation = { cpu: 0, mem: 0, disk: 0, net: 0 };
/** What an instance counts for when nothing is known about its load. */
export const BASE_UTILISATION: Utilisation = { cpu: 1, mem: 1, disk: 1, net: 1 };

/** Position that stands for "no node". */
export const NO_NODE = -1;
