/**
 * Clusters in one line a node and one line an instance. What a node reports as free follows from its
 * instances, and tags get their meaning as in a real run, so a test states only what it is about.
 */
import { DEFAULT_POLICY } from '../../src/htools/cluster/policy.ts';
import { prepareSnapshot } from '../../src/htools/cluster/prepare/prepare.ts';
import {
  BASE_UTILISATION,
  type Group,
  type Instance,
  type InstancePolicy,
  NO_NODE,
  type Node,
  type Snapshot,
} from '../../src/htools/cluster/snapshot.ts';
import { hasSecondary, isMovableTemplate, usesNodeDisk } from '../../src/htools/cluster/templates.ts';
import { ClusterState } from '../../src/htools/model/state/state.ts';

export type GroupSketch = Partial<Omit<Group, 'index'>>;
export type NodeSketch = Partial<Omit<Node, 'index' | 'alias'>>;
export type InstanceSketch = Partial<Omit<Instance, 'index' | 'alias'>>;

export interface ClusterSketch {
  readonly groups?: readonly GroupSketch[];
  readonly nodes: readonly NodeSketch[];
  readonly instances?: readonly InstanceSketch[];
  readonly tags?: readonly string[];
}

const USES_NO_MEMORY = new Set(['ADMIN_down', 'ERROR_down', 'USER_down', 'ADMIN_offline']);

/** The default policy, but for how large disks may be. */
export const policyOfDisksUpTo = (diskMib: number): InstancePolicy => ({
  ...DEFAULT_POLICY,
  ranges: DEFAULT_POLICY.ranges.map(({ min, max }) => ({ min, max: { ...max, diskMib } })),
});

/** A preferred group with the default policy. */
export function groupFrom(sketch: GroupSketch, index: number): Group {
  return {
    index,
    name: `group${index + 1}`,
    uuid: `00000000-0000-4000-8000-00000000000${index + 1}`,
    allocPolicy: 'preferred',
    tags: [],
    networks: [],
    policy: DEFAULT_POLICY,
    ...sketch,
  };
}

/** A running DRBD instance of 1 GiB memory and 4 GiB disk on the first two nodes. */
export function instanceFrom(sketch: InstanceSketch, index: number): Instance {
  const diskTemplate = sketch.diskTemplate ?? 'drbd';
  const diskMib = sketch.diskMib ?? 4096;
  return {
    index,
    name: `inst${index + 1}`,
    alias: `inst${index + 1}`,
    memMib: 1024,
    diskMib,
    disks: [{ sizeMib: diskMib }],
    vcpus: 1,
    status: 'running',
    isAutoBalanced: true,
    primary: 0,
    secondary: hasSecondary(diskTemplate) ? 1 : NO_NODE,
    diskTemplate,
    spindleUse: 1,
    tags: [],
    nics: [],
    isForthcoming: false,
    utilisation: BASE_UTILISATION,
    isMovable: isMovableTemplate(diskTemplate),
    exclusionTags: [],
    desiredLocationTags: [],
    ...sketch,
  };
}

/** A node of 16 GiB (1 GiB its own) and 100 GiB disk with 8 cpus. */
export function nodeFrom(sketch: NodeSketch, index: number, instances: readonly Instance[]): Node {
  const real = instances.filter((i) => !i.isForthcoming);
  const primaries = real.filter((i) => i.primary === index);
  const onDisk = real.filter(
    (i) => (i.primary === index || i.secondary === index) && usesNodeDisk(i.diskTemplate),
  );
  const usedMem = primaries
    .filter((i) => !USES_NO_MEMORY.has(i.status))
    .reduce((total, i) => total + i.memMib, 0);
  const totalMemMib = sketch.totalMemMib ?? 16384;
  const nodeMemMib = sketch.nodeMemMib ?? 1024;
  const totalDiskMib = sketch.totalDiskMib ?? 102400;
  return {
    index,
    name: `node${index + 1}`,
    alias: `node${index + 1}`,
    group: 0,
    totalMemMib,
    nodeMemMib,
    freeMemMib: totalMemMib - nodeMemMib - usedMem,
    totalDiskMib,
    freeDiskMib: totalDiskMib - onDisk.reduce((total, i) => total + i.diskMib, 0),
    totalCpus: 8,
    nodeCpus: 0,
    cpuSpeed: 1,
    spindles: 1,
    freeSpindles: 0,
    hasExclusiveStorage: false,
    isOffline: false,
    isMaster: index === 0,
    tags: [],
    minFreeDiskRatio: 0,
    ...sketch,
  };
}

/** A prepared snapshot. `primary` and `secondary` are positions in `nodes`, `group` one in `groups`. */
export function smallCluster(sketch: ClusterSketch): Snapshot {
  const instances = (sketch.instances ?? []).map(instanceFrom);
  const raw: Snapshot = {
    groups: (sketch.groups ?? [{}]).map(groupFrom),
    nodes: sketch.nodes.map((node, index) => nodeFrom(node, index, instances)),
    instances,
    tags: sketch.tags ?? [],
    policy: DEFAULT_POLICY,
  };
  return prepareSnapshot(raw, {
    staticKvmNodeMemoryMib: 0,
    dynamicUse: new Map(instances.map(({ name, utilisation }) => [name, utilisation])),
    excludedInstances: instances
      .filter(({ isMovable, diskTemplate }) => !isMovable && isMovableTemplate(diskTemplate))
      .map(({ name }) => name),
  }).snapshot;
}

export const smallState = (sketch: ClusterSketch): ClusterState => new ClusterState(smallCluster(sketch));

/** `count` times the same sketch, or one that depends on the position. */
export const times = <T>(count: number, make: (position: number) => T): T[] =>
  Array.from({ length: count }, (_, position) => make(position));
