/**
 * Seeded super clusters: many groups of different fill and health, several external pools that only some
 * groups and nodes reach, allocation policies, and groups whose policy leaves templates out.
 *
 * Each group is aged on its own (cluster.ts), then they are put together.
 */
import type { AllocPolicy } from '../../src/htools/cluster/snapshot.ts';
import { DISK_TEMPLATES, type DiskTemplate, mirroringOf } from '../../src/htools/cluster/templates.ts';
import { makeCluster, rackOf } from './cluster.ts';
import type { MadeCluster, MadeGroup, MadeInstance, MadeNode } from './made-cluster.ts';
import { makePolicy } from './policies.ts';
import { Random } from './random.ts';
import { type ClusterShape, PLAIN_SHAPE } from './shape.ts';

export interface SuperShape {
  readonly seed: number;
  readonly groupCount: number;
  readonly nodesPerGroup: number;
  readonly instancesPerNode: number;
  readonly templates: Readonly<Partial<Record<DiskTemplate, number>>>;
  /** External pools; 0 = nothing is said about storage, and every node reaches everything. */
  readonly poolCount: number;
  /** Share of a group's nodes that reach each of its pools. */
  readonly accessShare: number;
  /** Least and most of the memory of a group that is in use. */
  readonly fill: readonly [number, number];
  /** Share of the groups with a node that went offline with its instances. */
  readonly brokenShare: number;
  /** Share of the groups that were filled without a look at N+1. */
  readonly carelessShare: number;
  readonly allocPolicies: Readonly<Partial<Record<AllocPolicy, number>>>;
  /** Share of instances tagged to stay in their group. */
  readonly pinnedShare: number;
  /** Share of groups whose policy leaves some templates out. */
  readonly narrowShare: number;
}

export const PLAIN_SUPER_SHAPE: SuperShape = {
  seed: 1,
  groupCount: 5,
  nodesPerGroup: 8,
  instancesPerNode: 10,
  templates: { drbd: 5, ext: 3, rbd: 2 },
  poolCount: 3,
  accessShare: 0.9,
  fill: [0.15, 0.6],
  brokenShare: 0.2,
  carelessShare: 0.1,
  allocPolicies: { preferred: 6, last_resort: 1 },
  pinnedShare: 0,
  narrowShare: 0.1,
};

/** A random combination within the size limits. */
export function randomSuperShape(
  seed: number,
  limits: { readonly groups: readonly [number, number]; readonly nodes: readonly [number, number] },
): SuperShape {
  const random = new Random(seed, 'super-shape');
  const rarely = <T>(value: T, otherwise: T): T => (random.chance(0.25) ? value : otherwise);
  return {
    seed,
    groupCount: random.between(...limits.groups),
    nodesPerGroup: random.between(...limits.nodes),
    instancesPerNode: random.pick([2, 4, 6, 8, 10]),
    templates: random.pick<SuperShape['templates']>([
      { drbd: 1 },
      { ext: 2, rbd: 1 },
      { drbd: 5, ext: 3, rbd: 2 },
      { drbd: 6, ext: 3, plain: 1 },
      { drbd: 4, ext: 3, sharedfile: 1, diskless: 1 },
    ]),
    poolCount: rarely(0, random.between(1, 4)),
    accessShare: random.pick([1, 0.9, 0.7]),
    fill: random.pick<SuperShape['fill']>([
      [0.1, 0.4],
      [0.15, 0.65],
      [0.4, 0.9],
    ]),
    brokenShare: random.real(0, 0.5),
    carelessShare: random.pick([0, 0.1, 0.4]),
    allocPolicies: random.pick<SuperShape['allocPolicies']>([
      { preferred: 1 },
      { preferred: 4, last_resort: 1 },
      { preferred: 4, last_resort: 1, unallocable: 1 },
    ]),
    pinnedShare: rarely(0.05, 0),
    narrowShare: rarely(0.3, 0),
  };
}

function groupShape(shape: SuperShape, group: number, random: Random): ClusterShape {
  const fill = random.real(...shape.fill);
  const isCareless = random.chance(shape.carelessShare);
  return {
    ...PLAIN_SHAPE,
    seed: shape.seed * 1000 + group,
    nodesPerGroup: shape.nodesPerGroup,
    instancesPerNode: shape.instancesPerNode,
    templates: shape.templates,
    memoryFill: isCareless ? Math.max(fill, 0.75) : fill,
    diskFill: fill * 0.8,
    carelessShare: isCareless ? 0.7 : 0,
    rebootedShare: 0.1,
    offlineNodes: random.chance(shape.brokenShare) ? 1 : 0,
    manualShare: 0.02,
    exclusionTagShare: 0,
  };
}

const poolTag = (pool: string): string => `htools:storagepool:${pool}`;
const LVM = 'internal/lvm';

/** Pools of the groups, of their nodes and of the instances, as tags. */
function givePools(
  shape: SuperShape,
  nodes: readonly MadeNode[],
  instances: readonly MadeInstance[],
  random: Random,
): void {
  if (shape.poolCount === 0) return;
  const all = Array.from({ length: shape.poolCount }, (_, k) => `external/nas-${k + 1}`);
  const ofGroup = Array.from({ length: shape.groupCount }, () =>
    random.sample(all, random.between(1, all.length)),
  );
  const reached = nodes.map((node) => ofGroup[node.group]!.filter(() => random.chance(shape.accessShare)));
  for (const instance of instances) {
    if (mirroringOf(instance.template) !== 'external' || instance.template === 'diskless') continue;
    const pools = reached[instance.primary]!;
    if (pools.length === 0) pools.push(random.pick(ofGroup[nodes[instance.primary]!.group]!));
    instance.tags.push(poolTag(random.pick(pools)));
  }
  nodes.forEach((node, n) => {
    node.tags.push(poolTag(LVM), ...reached[n]!.map(poolTag));
  });
}

/** The super cluster of a shape. The same shape gives the same cluster, byte for byte. */
export function makeSuperCluster(shape: SuperShape): MadeCluster {
  const random = new Random(shape.seed, 'super');
  const nodes: MadeNode[] = [];
  const instances: MadeInstance[] = [];
  const groups: MadeGroup[] = [];
  for (let group = 0; group < shape.groupCount; group++) {
    const part = makeCluster(groupShape(shape, group, random));
    const first = nodes.length;
    const rack = rackOf(group);
    part.nodes.forEach((node, n) => {
      const isMaster = group === 0 && n === 0;
      nodes.push({ ...node, name: `${rack}${String(n + 1).padStart(2, '0')}.example.com`, group, isMaster });
    });
    part.instances.forEach((instance, i) => {
      instances.push({
        ...instance,
        name: `vm-${rack}${String(i + 1).padStart(3, '0')}.example.com`,
        primary: instance.primary + first,
        secondary: instance.secondary < 0 ? -1 : instance.secondary + first,
        tags: random.chance(shape.pinnedShare) ? ['htools:nointergroup'] : [],
      });
    });
    groups.push({
      ...part.groups[0]!,
      name: `rack-${rack}`,
      tags: [],
      allocPolicy: group === 0 ? 'preferred' : random.weighted(shape.allocPolicies),
      policy: undefined,
    });
  }
  givePools(shape, nodes, instances, random);
  const mean = {
    memMib: Math.max(...instances.map((one) => one.memMib), 1),
    diskMib: Math.max(...instances.map((one) => one.diskMib), 1),
  };
  const wide = { ...makePolicy('wide', mean, random), diskTemplates: DISK_TEMPLATES };
  const narrow = { ...wide, diskTemplates: DISK_TEMPLATES.filter((template) => template !== 'rbd') };
  return {
    shape: { ...PLAIN_SHAPE, seed: shape.seed, groupCount: shape.groupCount },
    groups: groups.map((group) => ({ ...group, policy: random.chance(shape.narrowShare) ? narrow : wide })),
    nodes,
    instances,
    tags: [],
    policy: wide,
  };
}
