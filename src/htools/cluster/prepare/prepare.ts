/**
 * From a snapshot as it was read to one that the searches can use: loads, tags with a meaning, short names,
 * what may move, and warnings about figures that do not add up. Source: the stock loader and hbal(1).
 */
import { ExecutionError } from '../../../kit/faults.ts';
import { groupedBy } from '../../../kit/grouped.ts';
import { MIB_PER_GIB } from '../../../kit/units.ts';
import { usesMemory } from '../instance-status.ts';
import { aliasOf, commonDomain, isFound, lookupName } from '../names.ts';
import {
  BASE_UTILISATION,
  type Instance,
  type LoadSource,
  NO_NODE,
  type Node,
  type RawSnapshot,
  type Snapshot,
  type Utilisation,
  ZERO_UTILISATION,
} from '../snapshot.ts';
import { mayMoveAtAll, meaningfulTags, tagMeanings } from './derived.ts';
import { applyMonitoring, type MonitoringReports } from './monitoring-load.ts';

export interface PrepareOptions {
  /** Loads by instance name, in the order of their file (`-U`); names of no instance are passed over. */
  readonly dynamicUse?: ReadonlyMap<string, Utilisation> | undefined;
  /** Measured loads, which go before the dynamic use; what was not measured is not there. */
  readonly measured?: ReadonlyMap<string, Partial<Utilisation>> | undefined;
  /** Count every load as zero (`--ignore-dynu`). */
  readonly ignoreDynamicUse?: boolean | undefined;
  /** Exclusion prefixes as given by `--exclusion-tags`, without their final colon. */
  readonly exclusionTags?: readonly string[] | undefined;
  /** When not empty, only these may move (`--select-instances`); parts of names are taken. */
  readonly selectedInstances?: readonly string[] | undefined;
  /** These may not move (`--exclude-instances`). */
  readonly excludedInstances?: readonly string[] | undefined;
  /** Memory of a KVM node's own system; 0 keeps what the node reports (`--static-kvm-node-memory`). */
  readonly staticKvmNodeMemoryMib?: number | undefined;
  /** Cpu loads from the monitoring daemons. */
  readonly monitoring?: MonitoringReports | undefined;
}

export interface PreparedSnapshot {
  readonly snapshot: Snapshot;
  /** `node X is missing ...` sentences, in the order in which the stock programs list them. */
  readonly warnings: readonly string[];
  /** Why the monitoring daemons' data was not used; undefined when it was, or was not asked for. */
  readonly monitoringWarning?: string | undefined;
}

/** Memory kept for the system of a KVM node unless the command line says otherwise. Source: htools(1). */
export const DEFAULT_STATIC_KVM_NODE_MEMORY_MIB = 4096;

/** @throws ExecutionError when a selected or excluded name is no instance. */
export function prepareSnapshot(raw: RawSnapshot, options: PrepareOptions): PreparedSnapshot {
  const named = fillIn(raw, options);
  const monitored = options.monitoring ? applyMonitoring(named, options.monitoring) : { snapshot: named };
  const snapshot = withStaticKvmMemory(
    monitored.snapshot,
    options.staticKvmNodeMemoryMib ?? DEFAULT_STATIC_KVM_NODE_MEMORY_MIB,
  );
  return {
    snapshot,
    warnings: [...missingResourceWarnings(snapshot), ...unscorableWarnings(snapshot)],
    monitoringWarning: monitored.warning,
  };
}

/** Optional fields, too, so that the compiler names one that the copy forgets; not those that few have. */
type EachField = Omit<
  { readonly [K in keyof Required<Instance>]: Instance[K] },
  'loadSources' | 'isLeftAlone'
>;

function fillIn(raw: RawSnapshot, options: PrepareOptions): Snapshot {
  const mayMove = movableNames(raw, options);
  const meanings = tagMeanings(raw.tags, options.exclusionTags);
  const domain = commonDomain([...raw.nodes, ...raw.instances].map(({ name }) => name));
  const nodes = raw.nodes.map(
    (node): Node => ({
      ...node,
      alias: aliasOf(node.name, domain),
      minFreeDiskRatio: node.minFreeDiskRatio ?? 0,
    }),
  );
  const instances = raw.instances.map((instance): Instance => {
    const { utilisation, loadSources } = loadOf(instance, options);
    const { exclusionTags, desiredLocationTags } = meaningfulTags(instance, meanings);
    // Field by field: V8 makes a dictionary of a copy that gets more fields, and all who read it are slower.
    const filled: EachField = {
      index: instance.index,
      name: instance.name,
      memMib: instance.memMib,
      diskMib: instance.diskMib,
      disks: instance.disks,
      vcpus: instance.vcpus,
      status: instance.status,
      isAutoBalanced: instance.isAutoBalanced,
      primary: instance.primary,
      secondary: instance.secondary,
      diskTemplate: instance.diskTemplate,
      spindleUse: instance.spindleUse,
      tags: instance.tags,
      nics: instance.nics,
      isForthcoming: instance.isForthcoming,
      storagePool: instance.storagePool,
      uuid: instance.uuid,
      alias: aliasOf(instance.name, domain),
      utilisation,
      isMovable: mayMove(instance.name) && mayMoveAtAll(instance, raw.nodes),
      exclusionTags,
      desiredLocationTags,
    };
    return loadSources ? { ...filled, loadSources } : filled;
  });
  return { ...raw, nodes, instances };
}

/** The load of an instance, and with measured loads where each part of it comes from. */
function loadOf(
  { name, utilisation: given }: RawSnapshot['instances'][number],
  { ignoreDynamicUse, dynamicUse, measured }: PrepareOptions,
): Pick<Instance, 'utilisation' | 'loadSources'> {
  if (ignoreDynamicUse) return { utilisation: ZERO_UTILISATION };
  const stated = dynamicUse?.get(name);
  const utilisation = given ?? stated ?? BASE_UTILISATION;
  if (!measured) return { utilisation };
  if (given)
    return { utilisation, loadSources: { cpu: 'what-if', mem: 'what-if', disk: 'what-if', net: 'what-if' } };
  const own = measured.get(name) ?? {};
  const sourceOf = (resource: keyof Utilisation): LoadSource =>
    own[resource] === undefined ? (stated ? 'dynu-file' : 'assumed') : 'measured';
  return {
    utilisation: { ...utilisation, ...own },
    loadSources: { cpu: sourceOf('cpu'), mem: sourceOf('mem'), disk: sourceOf('disk'), net: sourceOf('net') },
  };
}

function movableNames(raw: RawSnapshot, options: PrepareOptions): (name: string) => boolean {
  const names = raw.instances.map((instance) => instance.name);
  const selected = (options.selectedInstances ?? []).map((text) => lookupName(names, text));
  const excluded = (options.excludedInstances ?? []).map((text) => lookupName(names, text));
  const unknown = [...selected, ...excluded].filter((match) => !isFound(match));
  if (unknown.length > 0) {
    const list = unknown.map((match) => JSON.stringify(match.name)).join(',');
    throw new ExecutionError(
      `failed to load data, aborting: Unknown instance(s): [${list}]`,
      'each name must be an instance of the cluster, or the beginning of exactly one up to a dot',
    );
  }
  const only = new Set(selected.map((match) => match.name));
  const out = new Set(excluded.map((match) => match.name));
  return (name) => !out.has(name) && (only.size === 0 || only.has(name));
}

function withStaticKvmMemory(snapshot: Snapshot, memMib: number): Snapshot {
  if (memMib <= 0 || snapshot.nodes.every((node) => node.hypervisor !== 'kvm')) return snapshot;
  const nodes = snapshot.nodes.map((node) =>
    node.hypervisor === 'kvm' ? { ...node, nodeMemMib: memMib } : node,
  );
  return { ...snapshot, nodes };
}

/** Up to so much may be missing without a word. Source: the stock loader. */
const TOLERATED_MEM_MIB = 512;
const TOLERATED_DISK_MIB = 1024;

/** One sentence for each node with something missing; the last node first, as in the stock programs. */
function missingResourceWarnings(snapshot: Snapshot): string[] {
  const { nodes, instances } = snapshot;
  const usedMemMib = new Float64Array(nodes.length);
  const usedDiskMib = new Float64Array(nodes.length);
  for (const instance of instances) {
    if (instance.isForthcoming) continue;
    if (usesMemory(instance)) usedMemMib[instance.primary]! += instance.memMib;
    usedDiskMib[instance.primary]! += instance.diskMib;
    if (instance.secondary !== NO_NODE) usedDiskMib[instance.secondary]! += instance.diskMib;
  }
  const warnings = nodes.flatMap((node, n) => {
    const memMib = Math.trunc(node.totalMemMib) - node.nodeMemMib - usedMemMib[n]! - node.freeMemMib;
    const diskMib = Math.trunc(node.totalDiskMib) - node.freeDiskMib - usedDiskMib[n]!;
    if (memMib <= TOLERATED_MEM_MIB && diskMib <= TOLERATED_DISK_MIB) return [];
    return [`node ${node.name} is missing ${memMib} MB ram and ${Math.floor(diskMib / MIB_PER_GIB)} GB disk`];
  });
  return warnings.reverse();
}

/** A sentence for the nodes because of which every score is NaN: their shares are 0 in 0, as in stock. */
function unscorableWarnings({ groups, nodes }: Snapshot): string[] {
  const online = nodes.filter(({ isOffline }) => !isOffline);
  const byLack = groupedBy(online, ({ totalMemMib, totalCpus, spindles, group }) => {
    const amounts = {
      memory: totalMemMib,
      cpus: totalCpus,
      'spindles by its policy': spindles * groups[group]!.policy.spindleRatio,
    };
    return Object.entries(amounts)
      .flatMap(([name, amount]) => (amount === 0 ? [name] : []))
      .join(', ');
  });
  byLack.delete('');
  return [...byLack].map(
    ([lacking, some]) =>
      `online without ${lacking}: ${some.map(({ name }) => name).join(', ')}. Each score that counts such a node is NaN, so that no move improves it; should it be offline?`,
  );
}
