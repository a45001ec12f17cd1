/**
 * The working copy of a cluster for searching: typed arrays over shared memory, with a journal for undo.
 *
 * One piece because every array's meaning depends on the others'; what changes it stands in
 * moves/transitions.ts. Nodes and instances are named by their positions in the snapshot; instances added
 * later follow.
 *
 * Source: the figures are those of stock's Node and Instance records.
 */
import { float64, float64Of, int32, int32Of, uint8, uint8Of } from '../../../kit/shared-arrays.ts';
import { reachableNodes, usesMemory } from '../../cluster/instance-status.ts';
import { weightsOf } from '../../cluster/metric-table.ts';
import { type Instance, NO_NODE, plannableMem, type Snapshot } from '../../cluster/snapshot.ts';
import { describeStorage, type Storage, statedStorage } from '../../cluster/storage/storage.ts';
import { hasSecondary, type Mirroring, mirroringOf, usesNodeDisk } from '../../cluster/templates.ts';
import { Journal } from './journal.ts';
import * as F from './node-fields.ts';
import { PeerTable } from './peer-table.ts';
import { PlacementRules } from './placement-rules.ts';
import { TagIndex } from './tag-index.ts';

/** Instance flags, as bits of ClusterState.flags. */
/** Counts against its primary's memory. */
export const USES_MEMORY = 1;
/** Needs memory reserved on its secondary. */
export const RESERVES_MEMORY = 2;
/** Counts against cpus (not administratively offline). */
export const USES_CPU = 4;
export const USES_NODE_DISK = 8;
export const HAS_SECONDARY = 16;
export const IS_FORTHCOMING = 32;
export const IS_MOVABLE = 64;
export const IS_AUTO_BALANCED = 128;
export const IS_BLOCK_DEVICE = 256;

const MIRROR_CODES: Record<Mirroring, number> = { none: 0, internal: 1, external: 2 };
export const MIRROR_NONE = 0;
export const MIRROR_INTERNAL = 1;
export const MIRROR_EXTERNAL = 2;

/** Instances for which there is room at least once the arrays grow. */
const LEAST_CAPACITY = 16;

/** Utilisation values of one instance in ClusterState.utilisation: cpu, memory, disk, network. */
export const UTILISATION_STRIDE = 4;

interface StateOptions {
  /** Keep the order in which peers were added, which only the `peermap` column shows. */
  readonly trackPeerOrder?: boolean;
  /** Instances that will be added later, so that their exclusion tags are known from the start. */
  readonly toAdd?: readonly Instance[];
}

export class ClusterState {
  readonly snapshot: Snapshot;
  readonly nodeCount: number;
  instanceCount: number;

  /** What each metric of the score weighs, in the order of the table. */
  readonly weights: Float64Array;

  // What a node is; never changes. Memory and disk in MiB.
  readonly totalMem: Float64Array;
  readonly totalDisk: Float64Array;
  readonly totalCpu: Float64Array;
  readonly cpuSpeed: Float64Array;
  readonly totalSpindles: Float64Array;
  /** Unaccounted memory; negative when the node uses less than recorded. */
  readonly missingMem: Float64Array;
  readonly lowDisk: Float64Array;
  readonly highCpu: Float64Array;
  readonly highSpindles: Float64Array;
  readonly vcpuRatio: Float64Array;
  readonly isOffline: Uint8Array;
  /** Whether Ganeti can ask the node at all: one that is only drained can be asked. */
  readonly isReachable: Uint8Array;
  readonly isExclusive: Uint8Array;
  readonly groupOf: Int32Array;

  /** What changes; see node-fields.ts. */
  readonly nodeFields: Float64Array;
  /** Memory reserved on a node for another's primaries. Loops lay it out first: peer-rows.ts. */
  readonly peers: PeerTable;

  // Instances.
  mem = float64(0);
  disk = float64(0);
  vcpus = float64(0);
  spindleUse = float64(0);
  /** Spindles of all disks; NaN where one is not known. */
  diskSpindles = float64(0);
  flags = int32(0);
  mirroring = uint8(0);
  utilisation = float64(0);
  primary = int32(0);
  secondary = int32(0);
  /** Common-failure tags shared by primary and secondary. */
  locationScore = float64(0);

  /** Exclusion, location and migration tags as numbers. */
  readonly tags: TagIndex;

  /** Rules as tags: bars and sets. */
  readonly placement: PlacementRules;

  /** Storage pools and who reaches them; undefined when the snapshot says nothing about storage. */
  readonly storage: Storage | undefined;
  /** Row of each instance's pool in `storage.access`; meaningless without storage. */
  storageRow = int32(0);

  /** Instances on each node, oldest first (stock's lists, reversed). Forthcoming ones are kept apart. */
  readonly primaries: number[][];
  readonly secondaries: number[][];
  readonly forthcomingPrimaries: number[][];
  readonly forthcomingSecondaries: number[][];

  /** The records of instances added since the snapshot. */
  readonly added: Instance[] = [];

  readonly journal: Journal;

  constructor(snapshot: Snapshot, options: StateOptions = {}) {
    this.snapshot = snapshot;
    this.weights = weightsOf(snapshot.weights);
    const { nodes } = snapshot;
    const n = nodes.length;
    const count = snapshot.instances.length;
    this.nodeCount = n;
    this.instanceCount = 0;

    const policies = nodes.map(({ group }) => snapshot.groups[group]!.policy);
    const ratios = nodes.map(({ maxVcpuRatio }, k) => maxVcpuRatio ?? policies[k]!.vcpuRatio);
    this.totalMem = float64Of(nodes.map((node) => node.totalMemMib));
    this.totalDisk = float64Of(nodes.map((node) => node.totalDiskMib));
    this.totalCpu = float64Of(nodes.map((node) => node.totalCpus));
    this.cpuSpeed = float64Of(nodes.map((node) => node.cpuSpeed));
    this.totalSpindles = float64Of(nodes.map((node) => node.spindles));
    this.missingMem = float64(n);
    this.lowDisk = float64Of(nodes.map((node) => Math.floor(node.minFreeDiskRatio * node.totalDiskMib)));
    this.highCpu = float64Of(nodes.map((node, k) => Math.floor(ratios[k]! * node.totalCpus)));
    this.highSpindles = float64Of(nodes.map((node, k) => policies[k]!.spindleRatio * node.spindles));
    this.vcpuRatio = float64Of(ratios);
    this.isOffline = uint8Of(nodes.map((node) => Number(node.isOffline)));
    this.isReachable = Uint8Array.from(reachableNodes(snapshot), Number);
    this.isExclusive = uint8Of(nodes.map((node) => Number(node.hasExclusiveStorage)));
    this.groupOf = int32Of(nodes.map((node) => node.group));
    this.nodeFields = float64(n * F.NODE_STRIDE);
    this.peers = new PeerTable(n, options.trackPeerOrder === true);
    this.grow(count + (options.toAdd?.length ?? 0));

    this.primaries = nodes.map(() => []);
    this.secondaries = nodes.map(() => []);
    this.forthcomingPrimaries = nodes.map(() => []);
    this.forthcomingSecondaries = nodes.map(() => []);

    this.tags = new TagIndex(snapshot, options.toAdd ?? []);
    this.placement = new PlacementRules(snapshot);
    this.storage = statedStorage(snapshot, options.toAdd);
    this.loadNodes();
    for (const instance of snapshot.instances) this.fillInstance(instance);
    for (let i = 0; i < count; i++) this.placeAsRead(i);
    this.loadReservations();
    this.loadMemory();
    this.journal = new Journal(this);
  }

  /** The record of an instance, whether read or added. */
  instanceRecord(i: number): Instance {
    const read = this.snapshot.instances;
    return i < read.length ? read[i]! : this.added[i - read.length]!;
  }

  /** Adds an instance that is not placed yet, growing the arrays when needed; returns its position. */
  addInstance(instance: Instance): number {
    if (this.instanceCount === this.mem.length) this.grow(Math.max(LEAST_CAPACITY, 2 * this.mem.length));
    this.added.push(instance);
    return this.fillInstance(instance);
  }

  /** The same for one that is listed on nodes for good, whether or not it takes up room there. */
  addListed(instance: Instance, primary: number, secondary: number): number {
    const i = this.addInstance(instance);
    this.primary[i] = primary;
    this.secondary[i] = secondary;
    return i;
  }

  /** Takes the last added, unplaced instance out again. */
  dropLastInstance(): void {
    this.added.pop();
    this.instanceCount--;
    this.tags.dropInstance(this.instanceCount);
    this.placement.dropInstance(this.instanceCount);
  }

  /** Storage as stated, or else as it follows from the disk templates. */
  anyStorage(): Storage {
    return this.storage ?? describeStorage(this.snapshot);
  }

  /** One of a node's numbers (`node-fields.ts`); loops over candidates read the table itself. */
  field(node: number, field: number): number {
    return this.nodeFields[node * F.NODE_STRIDE + field]!;
  }

  reaches(i: number, node: number): boolean {
    return (
      this.storage === undefined || this.storage.access[this.storageRow[i]! * this.nodeCount + node] === 1
    );
  }

  /** Whether an instance may be on a node at all: its pool is there, and no tag keeps it off. */
  admits(i: number, node: number): boolean {
    return this.reaches(i, node) && !(this.placement.hasBars && this.placement.isBarred(i, node));
  }

  /** Common-failure tags that two nodes share; 0 where the instance has no secondary. */
  commonLocations(primary: number, secondary: number): number {
    return secondary === NO_NODE ? 0 : this.tags.commonLocations(primary, secondary);
  }

  private loadNodes(): void {
    const { snapshot, nodeFields } = this;
    snapshot.nodes.forEach((node, n) => {
      const at = n * F.NODE_STRIDE;
      nodeFields[at + F.FREE_MEM_FORTHCOMING] = plannableMem(node);
      nodeFields[at + F.FREE_DISK] = node.freeDiskMib;
      nodeFields[at + F.FREE_DISK_FORTHCOMING] = node.freeDiskMib;
      nodeFields[at + F.USED_CPU] = node.nodeCpus;
      nodeFields[at + F.USED_CPU_FORTHCOMING] = node.nodeCpus;
      nodeFields[at + F.FREE_SPINDLES] = node.freeSpindles;
      nodeFields[at + F.FREE_SPINDLES_FORTHCOMING] = node.freeSpindles;
    });
  }

  private fillInstance(instance: Instance): number {
    const i = this.instanceCount++;
    const { status, diskTemplate, isForthcoming } = instance;
    const isOnline = status !== 'ADMIN_offline';
    let spindles = 0;
    for (const disk of instance.disks) spindles += disk.spindles ?? Number.NaN;

    this.mem[i] = instance.memMib;
    this.disk[i] = instance.diskMib;
    this.vcpus[i] = instance.vcpus;
    this.spindleUse[i] = instance.spindleUse;
    this.diskSpindles[i] = spindles;
    this.mirroring[i] = MIRROR_CODES[mirroringOf(diskTemplate)];
    this.flags[i] =
      (usesMemory(instance) ? USES_MEMORY : 0) |
      (isOnline && instance.isAutoBalanced ? RESERVES_MEMORY : 0) |
      (isOnline ? USES_CPU : 0) |
      (usesNodeDisk(diskTemplate) ? USES_NODE_DISK : 0) |
      (hasSecondary(diskTemplate) ? HAS_SECONDARY : 0) |
      (isForthcoming ? IS_FORTHCOMING : 0) |
      (instance.isMovable ? IS_MOVABLE : 0) |
      (instance.isAutoBalanced ? IS_AUTO_BALANCED : 0) |
      (diskTemplate === 'blockdev' ? IS_BLOCK_DEVICE : 0);
    const u = i * UTILISATION_STRIDE;
    this.utilisation[u] = instance.utilisation.cpu;
    this.utilisation[u + 1] = instance.utilisation.mem;
    this.utilisation[u + 2] = instance.utilisation.disk;
    this.utilisation[u + 3] = instance.utilisation.net;
    this.primary[i] = instance.primary;
    this.secondary[i] = instance.secondary;
    this.locationScore[i] = 0;
    if (this.storage) this.storageRow[i] = this.storage.rowOfRecord(instance);
    this.tags.addInstance(i, instance);
    this.placement.addInstance(i, instance);
    return i;
  }

  /** Counts a loaded instance on its nodes, whose reported free memory and disk already include it. */
  private placeAsRead(i: number): void {
    const { nodeFields: f, utilisation: util, flags } = this;
    const p = this.primary[i]!;
    const s = this.secondary[i]!;
    const isForthcoming = (flags[i]! & IS_FORTHCOMING) !== 0;
    const u = i * UTILISATION_STRIDE;
    this.locationScore[i] = this.commonLocations(p, s);

    const at = p * F.NODE_STRIDE;
    const vcpus = flags[i]! & USES_CPU ? this.vcpus[i]! : 0;
    const spindles = flags[i]! & USES_NODE_DISK ? this.spindleUse[i]! : 0;
    f[at + F.TAG_CONFLICTS]! += this.tags.countPrimary(i, p, 1);
    f[at + F.USED_CPU_FORTHCOMING]! += vcpus;
    if (!(flags[i]! & USES_MEMORY)) f[at + F.FREE_MEM_FORTHCOMING]! -= this.mem[i]!;
    f[at + F.INSTANCE_SPINDLES_FORTHCOMING] = this.isExclusive[p]
      ? 0
      : f[at + F.INSTANCE_SPINDLES_FORTHCOMING]! + spindles;
    if (isForthcoming) {
      this.forthcomingPrimaries[p]!.push(i);
      this.takeForthcomingDisk(i, p);
    } else {
      this.primaries[p]!.push(i);
      f[at + F.PRIMARY_COUNT]!++;
      f[at + F.USED_CPU]! += vcpus;
      f[at + F.LOAD_CPU]! += util[u]!;
      f[at + F.LOAD_MEM]! += util[u + 1]!;
      f[at + F.LOAD_DISK]! += util[u + 2]!;
      f[at + F.LOAD_NET]! += util[u + 3]!;
      f[at + F.INSTANCE_SPINDLES] = this.isExclusive[p] ? 0 : f[at + F.INSTANCE_SPINDLES]! + spindles;
      f[at + F.LOCATION_SCORE]! += this.locationScore[i]! + this.tags.unmetLocations(i, p);
      this.tags.countInLocations(i, p, 1);
    }
    if (s === NO_NODE) return;

    const sat = s * F.NODE_STRIDE;
    f[sat + F.INSTANCE_SPINDLES_FORTHCOMING] = this.isExclusive[s]
      ? 0
      : f[sat + F.INSTANCE_SPINDLES_FORTHCOMING]! + spindles;
    if (isForthcoming) {
      this.forthcomingSecondaries[s]!.push(i);
      this.takeForthcomingDisk(i, s);
    } else {
      this.secondaries[s]!.push(i);
      f[sat + F.SECONDARY_COUNT]!++;
      f[sat + F.LOAD_DISK]! += util[u + 2]!;
      f[sat + F.INSTANCE_SPINDLES] = this.isExclusive[s] ? 0 : f[sat + F.INSTANCE_SPINDLES]! + spindles;
    }
  }

  private takeForthcomingDisk(i: number, node: number): void {
    const at = node * F.NODE_STRIDE;
    if (this.flags[i]! & USES_NODE_DISK) this.nodeFields[at + F.FREE_DISK_FORTHCOMING]! -= this.disk[i]!;
    const spindles = this.diskSpindles[i]!;
    if (!this.isExclusive[node]) this.nodeFields[at + F.FREE_SPINDLES_FORTHCOMING] = 0;
    else if (Number.isNaN(spindles)) this.nodeFields[at + F.FREE_SPINDLES_FORTHCOMING] = -1;
    else this.nodeFields[at + F.FREE_SPINDLES_FORTHCOMING]! -= spindles;
  }

  private loadReservations(): void {
    const { nodeCount: n, nodeFields: f, peers } = this;
    for (let s = 0; s < n; s++) {
      for (const i of this.secondaries[s]!) {
        const p = this.primary[i]!;
        peers.set(s, p, peers.get(s, p) + (this.flags[i]! & RESERVES_MEMORY ? this.mem[i]! : 0));
      }
      f[s * F.NODE_STRIDE + F.RESERVED_MEM] = this.largestPeer(s);
    }
  }

  /** Last: N+1 is judged by what the records leave once missing memory is off, here as after changes. */
  private loadMemory(): void {
    const { nodeFields: f } = this;
    this.snapshot.nodes.forEach((node, n) => {
      const at = n * F.NODE_STRIDE;
      let used = 0;
      for (const i of this.primaries[n]!) if (this.flags[i]! & USES_MEMORY) used += this.mem[i]!;
      const headRoom = node.headRoomMib ?? 0;
      const recordedFree = Math.trunc(node.totalMemMib) - node.nodeMemMib - headRoom - used;
      this.missingMem[n] = recordedFree - plannableMem(node);
      f[at + F.INSTANCE_MEM] = used;
      f[at + F.FREE_MEM] = recordedFree - Math.max(0, this.missingMem[n]!);
      f[at + F.FAILS_N1] = f[at + F.FREE_MEM]! <= f[at + F.RESERVED_MEM]! ? 1 : 0;
      if (node.reportedCpuLoad !== undefined) f[at + F.LOAD_CPU] = node.reportedCpuLoad;
    });
  }

  /**
   * Whether an instance names a secondary without having a second copy. As in stock its moves leave the
   * secondary alone, with all that is counted there.
   */
  keepsSecondary(i: number): boolean {
    if (this.flags[i]! & HAS_SECONDARY) return false;
    return (this.snapshot.instances[i]?.secondary ?? NO_NODE) !== NO_NODE;
  }

  /** Node that an instance's secondary keeps memory for: the primary, or that which was read. */
  reservedFor(i: number): number {
    return this.keepsSecondary(i) ? this.snapshot.instances[i]!.primary : this.primary[i]!;
  }

  /** Largest reservation on a node, else 0. @param except leave out what is for this one's primaries */
  largestPeer(node: number, except?: number): number {
    let largest = 0;
    for (const i of this.secondaries[node]!) {
      const primary = this.reservedFor(i);
      if (primary === except) continue;
      const reserved = this.peers.get(node, primary);
      if (reserved > largest) largest = reserved;
    }
    return largest;
  }

  /** Makes room for so many instances. */
  private grow(capacity: number): void {
    const wider = <A extends Float64Array | Int32Array | Uint8Array>(
      make: (length: number) => A,
      from: A,
      stride = 1,
    ): A => {
      const to = make(capacity * stride);
      to.set(from);
      return to;
    };
    this.mem = wider(float64, this.mem);
    this.disk = wider(float64, this.disk);
    this.vcpus = wider(float64, this.vcpus);
    this.spindleUse = wider(float64, this.spindleUse);
    this.diskSpindles = wider(float64, this.diskSpindles);
    this.flags = wider(int32, this.flags);
    this.mirroring = wider(uint8, this.mirroring);
    this.utilisation = wider(float64, this.utilisation, UTILISATION_STRIDE);
    this.primary = wider(int32, this.primary);
    this.secondary = wider(int32, this.secondary);
    this.locationScore = wider(float64, this.locationScore);
    this.storageRow = wider(int32, this.storageRow);
  }
}
