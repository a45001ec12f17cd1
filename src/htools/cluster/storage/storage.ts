/**
 * Storage pools of a cluster: who reaches which, what is in them, and what of that does not go together.
 *
 * Computed once from a snapshot; nothing of it changes while instances move. The typed arrays are for hot
 * loops. Source: docs/why/storage.md.
 */
import type { InputProblem } from '../../../kit/faults.ts';
import { groupedBy } from '../../../kit/grouped.ts';
import { kept } from '../../../kit/kept.ts';
import { uint8 } from '../../../kit/shared-arrays.ts';
import type { Instance, PoolId, Snapshot } from '../snapshot.ts';
import { poolSizesOf, type StorageType } from '../tags/tags.ts';
import {
  contradictionOf,
  isExternal,
  LVM_POOL,
  malformedPoolTags,
  namedPool,
  namesPools,
  nodesOfInstance,
  poolNeedMib,
  poolOfRecord,
  saysAnything,
  statedNodePools,
  UNLISTED_NODE_POOLS,
} from './pool-statements.ts';

/** One pool. Nodes, groups and instances are positions. Sizes in MiB; undefined = not known. */
export interface StoragePool {
  readonly id: PoolId;
  readonly type: StorageType;
  readonly name: string;
  /** Nodes with access, offline ones included. */
  readonly nodes: readonly number[];
  /** Groups with at least one such node: the pool's partition. */
  readonly groups: readonly number[];
  readonly instances: readonly number[];
  /** Disks of the instances, each copy counted; forthcoming ones included. */
  readonly usedMib: number;
  /** External: from the cluster's `poolsize` tag. `internal/lvm`: what its nodes have together. */
  readonly sizeMib: number | undefined;
  readonly freeMib: number | undefined;
}

/**
 * Rows of `access` are the pools, then one row that every node has (instances without disks), then one that
 * no node has (a pool that is named nowhere else while lists are binding). So a row number never needs a test
 * before use.
 */
export class Storage {
  declare readonly nodeCount: number;
  declare readonly pools: readonly StoragePool[];
  /** 1 where a node reaches a pool: `access[row * nodeCount + node]`. */
  declare readonly access: Uint8Array;
  /** Row of each instance of the snapshot, then of each one of `toAdd`. */
  declare readonly rows: Int32Array;
  /** Row of instances without disks: they run anywhere. */
  declare readonly anywhereRow: number;
  /** Row of a pool that nobody reaches. */
  declare readonly nowhereRow: number;
  /** Whether any field or tag speaks of storage; if not, all is as if this module did not exist. */
  declare readonly isStated: boolean;
  /** Whether some node says what it reaches, so that the lists decide. */
  declare readonly isBinding: boolean;
  /** 1 for nodes without part in the disk metrics: storage is stated, and they reach no internal pool. */
  declare readonly lacksInternal: Uint8Array;
  /** Instances on a node that does not reach their pool; they may only move to where there is access. */
  declare readonly misplaced: readonly number[];
  /**
   * Contradictions: errors of the input, naming the record in `field`. Found when somebody asks, as warnings
   * are: of a cluster that is read, not of each of its groups.
   */
  declare readonly problems: () => readonly InputProblem[];
  declare readonly warnings: () => readonly string[];
  private readonly rowById: ReadonlyMap<PoolId, number>;

  /** Used by describeStorage only. */
  constructor(parts: Omit<Storage, 'poolOf' | 'poolAt' | 'rowOfRecord'>) {
    Object.assign(this, parts);
    this.rowById = new Map(parts.pools.map(({ id }, row) => [id, row]));
  }

  /** The pool behind a row; undefined for the two rows that are no pools. */
  poolAt(row: number): StoragePool | undefined {
    return this.pools[row];
  }

  /** The pool of an instance of the snapshot (or of `toAdd`, counted on); undefined when it has no disks. */
  poolOf(instance: number): PoolId | undefined {
    return this.poolAt(this.rows[instance]!)?.id;
  }

  /** Row of an instance that was not there when the storage was described (one added while searching). */
  rowOfRecord(instance: Pick<Instance, 'storagePool' | 'tags' | 'diskTemplate'>): number {
    const pool = poolOfRecord(instance);
    if (pool === undefined) return this.anywhereRow;
    return this.rowById.get(pool) ?? (this.isBinding ? this.nowhereRow : this.anywhereRow);
  }
}

/** Storage of a snapshot, where it or an instance to come says anything about it. */
export const statedStorage = (snapshot: Snapshot, toAdd: readonly Instance[] = []): Storage | undefined =>
  isStatedBy(snapshot, toAdd) ? describeStorage(snapshot, toAdd) : undefined;

/** What is known of snapshots: loading, planning and checking ask for the same; it takes long to find. */
const stated = new WeakMap<Snapshot, boolean>();
const described = new WeakMap<Snapshot, Storage>();

function isStatedBy(snapshot: Snapshot, toAdd: readonly Instance[]): boolean {
  const isStated = kept(stated, snapshot, () => saysAnything(snapshot));
  return isStated || toAdd.some((instance) => namedPool(instance) !== undefined);
}

/** @param toAdd instances to be placed later (a request's), so that their pools are known from the start */
export function describeStorage(snapshot: Snapshot, toAdd: readonly Instance[] = []): Storage {
  if (toAdd.length > 0) return describe(snapshot, toAdd);
  return kept(described, snapshot, () => describe(snapshot, toAdd));
}

function describe(snapshot: Snapshot, toAdd: readonly Instance[]): Storage {
  const { nodes, instances } = snapshot;
  const listed = nodes.map((node) => statedNodePools(snapshot, node));
  const isBinding = listed.some((pools) => pools !== undefined);
  const isStated = isStatedBy(snapshot, toAdd);
  const reached = listed.map((pools) => new Set(pools ?? UNLISTED_NODE_POOLS));
  const { sizes, malformed } = poolSizesOf(snapshot.tags);

  const poolsOfInstances = [...instances, ...toAdd].map(poolOfRecord);
  const ids = inOrder([
    ...poolsOfInstances.filter((pool) => pool !== undefined),
    ...listed.flatMap((pools) => pools ?? (isBinding ? UNLISTED_NODE_POOLS : [])),
    ...sizes.keys(),
  ]);
  const rowByPool = new Map(ids.map((id, row) => [id, row]));
  const anywhereRow = ids.length;
  const rows = Int32Array.from(poolsOfInstances, (pool) => rowByPool.get(pool!) ?? anywhereRow);
  const access = uint8((ids.length + 2) * nodes.length);
  access.fill(1, anywhereRow * nodes.length, (anywhereRow + 1) * nodes.length);
  ids.forEach((id, row) => {
    reached.forEach((pools, n) => {
      access[row * nodes.length + n] = !isBinding || pools.has(id) ? 1 : 0;
    });
  });

  // Where nothing speaks of storage nothing can be wrong with it.
  const speaking = isStated ? instances : [];
  const misplaced = speaking.flatMap((instance, i) =>
    nodesOfInstance(instance).some((n) => access[rows[i]! * nodes.length + n] === 0) ? [i] : [],
  );
  return new Storage({
    nodeCount: nodes.length,
    pools: ids.map(poolDescriber(snapshot, rows, access, sizes)),
    access,
    rows,
    anywhereRow,
    nowhereRow: anywhereRow + 1,
    isStated,
    isBinding,
    lacksInternal: Uint8Array.from(nodes, (node, n) => {
      const hasInternal = !isBinding || [...reached[n]!].some((id) => !isExternal(id));
      return isStated && !(hasInternal && node.totalDiskMib > 0) ? 1 : 0;
    }),
    misplaced,
    problems: () => [...speaking, ...toAdd].flatMap(problemsOf),
    warnings: () => [
      ...(isStated ? warningsOfTags(snapshot, malformed) : []),
      ...[...sizes.keys()].filter((id) => !isExternal(id)).map(internalSizeWarning),
      ...speaking.flatMap((instance) => templateWarnings(instance)),
      ...misplaced.map((i) => misplacedWarning(snapshot, i, poolsOfInstances[i]!, rows[i]!, access)),
    ],
  });
}

/** Internal pools first, each kind by name. */
const inOrder = (ids: readonly PoolId[]): PoolId[] =>
  [...new Set(ids)].sort((a, b) => {
    if (isExternal(a) !== isExternal(b)) return isExternal(a) ? 1 : -1;
    return a < b ? -1 : 1;
  });

function poolDescriber(
  snapshot: Snapshot,
  rows: Int32Array,
  access: Uint8Array,
  sizes: ReturnType<typeof poolSizesOf>['sizes'],
): (id: PoolId, row: number) => StoragePool {
  const members = groupedBy(snapshot.instances.keys(), (i) => rows[i]!);
  return (id, row) => {
    const nodeCount = snapshot.nodes.length;
    const nodes = snapshot.nodes.flatMap((_, n) => (access[row * nodeCount + n] ? [n] : []));
    const instances = members.get(row) ?? [];
    let usedMib = 0;
    for (const i of instances) {
      const instance = snapshot.instances[i]!;
      usedMib +=
        poolNeedMib(instance) * (instance.diskTemplate === 'drbd' ? nodesOfInstance(instance).length : 1);
    }
    const slash = id.indexOf('/');
    return {
      id,
      type: id.slice(0, slash) as StorageType,
      name: id.slice(slash + 1),
      nodes,
      groups: [...new Set(nodes.map((n) => snapshot.nodes[n]!.group))].sort((a, b) => a - b),
      instances,
      usedMib,
      ...capacityOf(snapshot, id, nodes, usedMib, sizes),
    };
  };
}

function capacityOf(
  snapshot: Snapshot,
  id: PoolId,
  nodes: readonly number[],
  usedMib: number,
  sizes: ReturnType<typeof poolSizesOf>['sizes'],
): Pick<StoragePool, 'sizeMib' | 'freeMib'> {
  if (id === LVM_POOL) {
    let sizeMib = 0;
    let freeMib = 0;
    for (const n of nodes) {
      sizeMib += snapshot.nodes[n]!.totalDiskMib;
      freeMib += snapshot.nodes[n]!.freeDiskMib;
    }
    return { sizeMib, freeMib };
  }
  const size = isExternal(id) ? sizes.get(id) : undefined;
  if (size === undefined) return { sizeMib: undefined, freeMib: undefined };
  return { sizeMib: size.totalMib, freeMib: size.freeMib ?? size.totalMib - usedMib };
}

function problemsOf(instance: Instance): InputProblem[] {
  const contradiction = contradictionOf(instance);
  if (contradiction === undefined) return [];
  return [
    {
      field: `${instance.name}.storage_pool`,
      value: namedPool(instance),
      problem: `instance ${instance.name} ${contradiction}`,
      remedy: 'correct its storage pool, or its disk template',
    },
  ];
}

function warningsOfTags(snapshot: Snapshot, malformedSizes: readonly string[]): string[] {
  const of = (owner: string, tags: readonly string[]): string[] =>
    malformedPoolTags(tags).map((tag) => `${owner} has the tag '${tag}', which names no storage pool`);
  const ofEach = (kind: string, owners: readonly { name: string; tags: readonly string[] }[]): string[] =>
    owners.filter(({ tags }) => namesPools(tags)).flatMap(({ name, tags }) => of(`${kind} ${name}`, tags));
  return [
    ...of('the cluster', snapshot.tags),
    ...malformedSizes.map(
      (tag) => `the cluster has the tag '${tag}', which does not give the size of a pool`,
    ),
    ...ofEach('group', snapshot.groups),
    ...ofEach('node', snapshot.nodes),
    ...ofEach('instance', snapshot.instances),
  ];
}

const internalSizeWarning = (id: PoolId): string =>
  `the size given for ${id} is ignored: the size of an internal pool is what its nodes have`;

/** What Ganeti itself would not do with that template; the stated pool is believed all the same. */
function templateWarnings(instance: Instance): string[] {
  const named = namedPool(instance);
  if (named === undefined || contradictionOf(instance) !== undefined) return [];
  const { name, diskTemplate } = instance;
  const derived = poolOfRecord({ diskTemplate, tags: [] });
  if (derived === undefined || isExternal(derived) === isExternal(named)) return [];
  return [`instance ${name} is said to be in ${named}, although its disk template is ${diskTemplate}`];
}

function misplacedWarning(
  snapshot: Snapshot,
  i: number,
  pool: PoolId | undefined,
  row: number,
  access: Uint8Array,
): string {
  const instance = snapshot.instances[i]!;
  const without = nodesOfInstance(instance).filter((n) => access[row * snapshot.nodes.length + n] === 0);
  const names = without.map((n) => snapshot.nodes[n]!.name).join(' and ');
  return `instance ${instance.name} is in ${pool}, which its node ${names} does not reach`;
}
