/** A generated cluster as plain data: what the text form and the iallocator message are written from. */
import type { AllocPolicy, InstancePolicy, InstanceStatus } from '../../src/htools/cluster/snapshot.ts';
import type { DiskTemplate } from '../../src/htools/cluster/templates.ts';
import type { ClusterShape } from './shape.ts';

export interface MadeGroup {
  readonly name: string;
  readonly uuid: string;
  readonly allocPolicy: AllocPolicy;
  readonly tags: readonly string[];
  readonly networks: readonly string[];
  /** undefined = the cluster's. */
  readonly policy: InstancePolicy | undefined;
}

/** Memory and disk in MiB. `group` is a position in MadeCluster.groups. */
export interface MadeNode {
  readonly name: string;
  readonly group: number;
  readonly isMaster: boolean;
  totalMemMib: number;
  nodeMemMib: number;
  freeMemMib: number;
  totalDiskMib: number;
  freeDiskMib: number;
  cpuCount: number;
  nodeCpus: number;
  cpuSpeed: number;
  spindles: number;
  freeSpindles: number;
  hasExclusiveStorage: boolean;
  isOffline: boolean;
  isDrained: boolean;
  /** Written with `?` in place of its figures. */
  isUnknown: boolean;
  /** What messages and servers say; yes unless it is said. */
  isVmCapable?: boolean;
  tags: string[];
}

/** `primary` and `secondary` are positions in MadeCluster.nodes; -1 = none. */
export interface MadeInstance {
  name: string;
  memMib: number;
  diskMib: number;
  vcpus: number;
  status: InstanceStatus;
  isAutoBalanced: boolean;
  primary: number;
  secondary: number;
  readonly template: DiskTemplate;
  tags: string[];
  spindleUse: number;
  spindles: number | undefined;
  isForthcoming: boolean;
  network: string | undefined;
  /** What messages and servers tell apart; one of each unless it is said. */
  diskCount?: number;
  nicCount?: number;
}

export interface MadeCluster {
  readonly shape: ClusterShape;
  readonly groups: readonly MadeGroup[];
  readonly nodes: readonly MadeNode[];
  readonly instances: readonly MadeInstance[];
  readonly tags: readonly string[];
  readonly policy: InstancePolicy | undefined;
}
