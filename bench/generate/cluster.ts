/**
 * Seeded clusters for comparing and measuring.
 *
 * A cluster is aged, not dealt out: nodes join in two waves, instances are created one after another on the
 * emptier of a few nodes that existed at the time, some nodes are rebooted and never get their primaries
 * back. What comes out is valid but out of balance in the way that real clusters are.
 */
import type { InstanceStatus } from '../../src/htools/cluster/snapshot.ts';
import { hasSecondary, mirroringOf, usesNodeDisk } from '../../src/htools/cluster/templates.ts';
import type { MadeCluster, MadeGroup, MadeInstance, MadeNode } from './made-cluster.ts';
import { NO_NODE, OVERHEAD_MIB, Placement, reservedMib } from './placement.ts';
import { type MeanInstance, makePolicy } from './policies.ts';
import { Random } from './random.ts';
import type { ClusterShape } from './shape.ts';
import { tagCluster } from './tags.ts';

const GIB = 1024;
/** [memory, disk, cpus] of the node sizes as factors of the first one. */
const NODE_SIZES = [
  [1, 1, 1],
  [2, 2, 2],
  [0.5, 0.75, 0.5],
  [1, 3, 1],
  [1.5, 1, 2],
] as const;
const FIRST_SIZE = { memMib: 64 * GIB, diskMib: 1800 * GIB, cpus: 24 };
/** Relative instance sizes; small ones are common. */
const INSTANCE_SIZES = [1, 1, 1, 2, 2, 3, 4, 4, 8];
const MEAN_INSTANCE_SIZE = INSTANCE_SIZES.reduce((sum, size) => sum + size, 0) / INSTANCE_SIZES.length;

const suffixOf = (shape: ClusterShape, index: number): string => {
  if (shape.names === 'bare') return '';
  return shape.names === 'two-domains' && index % 2 === 1 ? '.lab.example.org' : '.site.example.com';
};

function makeNodes(shape: ClusterShape, random: Random): MadeNode[] {
  const nodes: MadeNode[] = [];
  for (let group = 0; group < shape.groupCount; group++) {
    const shrink = shape.unevenGroups ? random.between(0, Math.floor(shape.nodesPerGroup / 2)) : 0;
    const count = Math.max(1, shape.nodesPerGroup - (group === 0 ? 0 : shrink));
    for (let position = 0; position < count; position++) {
      const size = random.chance(shape.oddNodeShare) ? random.pick(NODE_SIZES) : NODE_SIZES[0];
      const blur = shape.hasOddSizes ? random.between(0, 977) : 0;
      const totalMemMib = Math.round(FIRST_SIZE.memMib * size[0] * shape.nodeScale) + blur;
      const totalDiskMib = Math.round(FIRST_SIZE.diskMib * size[1] * shape.nodeScale) + blur * 13;
      nodes.push({
        name: `node${String(nodes.length + 1).padStart(2, '0')}${suffixOf(shape, nodes.length)}`,
        group,
        isMaster: nodes.length === 0,
        totalMemMib,
        nodeMemMib: Math.round(totalMemMib / 32),
        freeMemMib: 0,
        totalDiskMib,
        freeDiskMib: totalDiskMib,
        cpuCount: Math.max(
          1,
          Math.round(FIRST_SIZE.cpus * size[2] * Math.min(2, Math.max(0.2, shape.nodeScale))),
        ),
        nodeCpus: shape.hasNodeCpus ? random.between(0, 3) : 1,
        cpuSpeed: shape.hasCpuSpeeds ? random.pick([0.5, 0.8, 1, 1.25, 2]) : 1,
        spindles: shape.hasSpindles ? random.between(1, 12) : 1,
        freeSpindles: 0,
        hasExclusiveStorage:
          shape.exclusiveStorage === 'all' || (shape.exclusiveStorage === 'some' && random.chance(0.5)),
        isOffline: false,
        isDrained: false,
        isUnknown: false,
        tags: [],
      });
    }
  }
  return nodes;
}

function makeInstance(
  shape: ClusterShape,
  unit: { memMib: number; diskMib: number },
  random: Random,
): MadeInstance {
  const template = random.weighted(shape.templates);
  const memSize = shape.hasEqualInstances ? MEAN_INSTANCE_SIZE : random.pick(INSTANCE_SIZES);
  const diskSize = shape.hasEqualInstances ? MEAN_INSTANCE_SIZE : random.pick(INSTANCE_SIZES);
  const step = shape.hasOddSizes ? 1 : 128;
  const rounded = (value: number): number => Math.max(step, Math.round(value / step) * step);
  const needsSpindles = shape.exclusiveStorage !== 'none' && usesNodeDisk(template);
  return {
    name: '',
    memMib: rounded(memSize * unit.memMib * (shape.hasOddSizes ? random.real(0.7, 1.3) : 1)),
    diskMib: template === 'diskless' ? 0 : rounded(diskSize * unit.diskMib * random.real(0.9, 1.1)),
    vcpus: shape.hasEqualInstances ? 2 : random.pick([1, 1, 2, 2, 4, 8]),
    status: 'running',
    isAutoBalanced: !random.chance(shape.manualShare),
    primary: NO_NODE,
    secondary: NO_NODE,
    template,
    tags: [],
    spindleUse: shape.hasSpindles ? random.between(0, 3) : 1,
    spindles: needsSpindles || (shape.hasSpindles && random.chance(0.5)) ? random.between(1, 2) : undefined,
    isForthcoming: false,
    network: undefined,
  };
}

/** Creates one group's instances on its nodes; those that find no home are left out. */
function ageGroup(
  shape: ClusterShape,
  place: Placement,
  members: readonly number[],
  random: Random,
): MadeInstance[] {
  const joined = new Map(
    members.map((position, rank) => [
      position,
      rank > 1 && random.chance(shape.lateNodeShare) ? random.real(0.4, 1) : 0,
    ]),
  );
  const count = Math.round(members.length * shape.instancesPerNode);
  const totalMem = members.reduce((sum, position) => sum + place.nodes[position]!.totalMemMib, 0);
  const totalDisk = members.reduce((sum, position) => sum + place.nodes[position]!.totalDiskMib, 0);
  const diskCopies = shape.templates.drbd ? 2 : 1;
  const unit = {
    memMib: (totalMem * shape.memoryFill) / Math.max(1, count) / MEAN_INSTANCE_SIZE,
    diskMib: (totalDisk * shape.diskFill) / diskCopies / Math.max(1, count) / MEAN_INSTANCE_SIZE,
  };
  const made: MadeInstance[] = [];
  const emptierOf = (choices: readonly number[]): number => {
    const load = (position: number): number =>
      place.accounts[position]!.usedMemMib / place.nodes[position]!.totalMemMib;
    return choices.reduce((best, position) => (load(position) < load(best) ? position : best));
  };
  for (let created = 0; created < count; created++) {
    const instance = makeInstance(shape, unit, random);
    const present = members.filter((position) => joined.get(position)! <= created / count);
    const isCareless = random.chance(shape.carelessShare);
    const homes = present.filter(
      (position) =>
        place.hasDisk(position, instance) &&
        place.fits(position, instance.memMib, isCareless ? 0 : reservedMib(place.accounts[position]!)),
    );
    if (homes.length === 0) continue;
    const primary = emptierOf(random.sample(homes, random.between(1, 3)));
    if (!hasSecondary(instance.template)) {
      place.put(instance, primary, NO_NODE);
      made.push(instance);
      continue;
    }
    const refuges = present.filter((position) => {
      if (position === primary || !place.hasDisk(position, instance)) return false;
      const already = place.accounts[position]!.peers.get(primary) ?? 0;
      return (
        isCareless ||
        place.fits(position, 0, Math.max(already + instance.memMib, reservedMib(place.accounts[position]!)))
      );
    });
    if (refuges.length === 0) continue;
    place.put(instance, primary, random.pick(refuges));
    made.push(instance);
  }
  return made;
}

/** Some nodes were rebooted: what can go elsewhere went there and stayed. */
function reboot(shape: ClusterShape, place: Placement, members: readonly number[], random: Random): void {
  for (const position of members) {
    if (!random.chance(shape.rebootedShare)) continue;
    for (const instance of [...place.accounts[position]!.primaries]) {
      const mirroring = mirroringOf(instance.template);
      const refuge = mirroring === 'internal' ? instance.secondary : random.pick(members);
      if (mirroring === 'none' || refuge === position) continue;
      const { primary, secondary } = instance;
      place.lift(instance);
      const fits = place.fits(refuge, instance.memMib, reservedMib(place.accounts[refuge]!));
      if (fits) place.put(instance, refuge, mirroring === 'internal' ? primary : NO_NODE);
      else place.put(instance, primary, secondary);
    }
  }
}

const RUNNING: ReadonlySet<InstanceStatus> = new Set([
  'running',
  'ERROR_up',
  'ERROR_nodedown',
  'ERROR_nodeoffline',
  'ERROR_wrongnode',
]);

/** Instances that are down, in error, reserved only, or split between groups; nodes that are away. */
function upset(
  shape: ClusterShape,
  nodes: MadeNode[],
  instances: readonly MadeInstance[],
  random: Random,
): void {
  for (let group = 0; group < shape.groupCount; group++) {
    // The master stays online; a group never loses all its nodes.
    const away = random.shuffled(nodes.filter((node) => node.group === group && !node.isMaster)).slice(0, -1);
    for (const node of away.splice(0, shape.offlineNodes)) node.isOffline = true;
    for (const node of away.splice(0, shape.drainedNodes)) node.isDrained = true;
    for (const node of away.splice(0, group === 0 ? shape.unknownNodes : 0)) node.isUnknown = true;
  }
  for (const instance of instances) {
    const home = nodes[instance.primary]!;
    if (random.chance(shape.downShare)) instance.status = random.chance(0.8) ? 'ADMIN_down' : 'USER_down';
    else if (random.chance(shape.adminOfflineShare)) instance.status = 'ADMIN_offline';
    else if (random.chance(shape.errorShare))
      instance.status = random.pick(['ERROR_up', 'ERROR_down', 'ERROR_wrongnode', 'ERROR_nodedown']);
    else if (home.isOffline || home.isUnknown) instance.status = 'ERROR_nodeoffline';
    instance.isForthcoming = random.chance(shape.forthcomingShare);
    const strangers = nodes
      .map((_, position) => position)
      .filter((position) => nodes[position]!.group !== home.group);
    if (instance.secondary !== NO_NODE && strangers.length > 0 && random.chance(shape.splitShare))
      instance.secondary = random.pick(strangers);
  }
}

/** After the nodes are settled: such a secondary has no disks. */
function nameSecondaries(
  shape: ClusterShape,
  nodes: readonly MadeNode[],
  instances: readonly MadeInstance[],
): void {
  const random = new Random(shape.seed, 'named');
  for (const instance of instances) {
    if (instance.secondary !== NO_NODE || !random.chance(shape.namedShare)) continue;
    const others = [...nodes.keys()].filter(
      (n) => n !== instance.primary && nodes[n]!.group === nodes[instance.primary]!.group,
    );
    if (others.length > 0) instance.secondary = random.pick(others);
  }
}

/** What the nodes report: computed last, from where the instances ended up. */
function settleNodes(
  shape: ClusterShape,
  nodes: readonly MadeNode[],
  instances: readonly MadeInstance[],
  random: Random,
): void {
  const usedMem = nodes.map(() => 0);
  const usedDisk = nodes.map(() => 0);
  const usedSpindles = nodes.map(() => 0);
  for (const instance of instances) {
    if (instance.isForthcoming) continue;
    if (RUNNING.has(instance.status)) usedMem[instance.primary]! += instance.memMib;
    if (!usesNodeDisk(instance.template)) continue;
    for (const position of [instance.primary, instance.secondary]) {
      if (position === NO_NODE) continue;
      usedDisk[position]! += instance.diskMib;
      usedSpindles[position]! += instance.spindles ?? 0;
    }
  }
  nodes.forEach((node, position) => {
    const overhead = shape.hasEqualInstances ? 0 : random.below(OVERHEAD_MIB);
    const missing = random.chance(shape.missingMemoryShare)
      ? random.between(0, Math.round(node.totalMemMib / 8))
      : 0;
    node.freeMemMib = Math.max(
      0,
      node.totalMemMib - node.nodeMemMib - usedMem[position]! - overhead - missing,
    );
    node.freeDiskMib = Math.max(0, node.totalDiskMib - usedDisk[position]! - missing);
    if (!node.hasExclusiveStorage) return;
    node.spindles = usedSpindles[position]! + random.between(1, 8);
    node.freeSpindles = node.spindles - usedSpindles[position]!;
  });
}

const uuidOf = (random: Random): string => {
  const hex = (digits: number): string =>
    Array.from({ length: digits }, () => random.below(16).toString(16)).join('');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
};

/** a to z, then a2 to z2 and so on. */
export const rackOf = (group: number): string =>
  String.fromCharCode(97 + (group % 26)) + (group < 26 ? '' : `${Math.floor(group / 26) + 1}`);

function makeGroups(shape: ClusterShape, mean: MeanInstance, random: Random): MadeGroup[] {
  const networks = Array.from({ length: shape.networkCount }, () => uuidOf(random));
  return Array.from({ length: shape.groupCount }, (_, group) => ({
    name: shape.groupCount === 1 ? 'default' : `rack-${rackOf(group)}`,
    uuid: uuidOf(random),
    allocPolicy: group === 0 ? 'preferred' : random.weighted(shape.allocPolicies),
    tags: random.chance(0.2) ? ['site:north', `row:${group}`] : [],
    networks: networks.filter(() => random.chance(0.7)),
    policy:
      shape.policy === 'absent' || random.chance(0.2) ? undefined : makePolicy(shape.policy, mean, random),
  }));
}

function meanInstance(instances: readonly MadeInstance[]): MeanInstance {
  const mean = (size: (instance: MadeInstance) => number): number =>
    instances.reduce((sum, one) => sum + size(one), 0) / Math.max(1, instances.length);
  return { memMib: mean((one) => one.memMib), diskMib: mean((one) => one.diskMib) };
}

/** The cluster of a shape. The same shape gives the same cluster, byte for byte. */
export function makeCluster(shape: ClusterShape): MadeCluster {
  const random = new Random(shape.seed, 'cluster');
  const nodes = makeNodes(shape, random);
  const place = new Placement(nodes);
  const made: MadeInstance[] = [];
  for (let group = 0; group < shape.groupCount; group++) {
    const members = nodes
      .map((_, position) => position)
      .filter((position) => nodes[position]!.group === group);
    made.push(...ageGroup(shape, place, members, random));
    reboot(shape, place, members, random);
  }
  const instances = random.shuffled(made);
  instances.forEach((instance, position) => {
    instance.name = `web${String(position + 1).padStart(3, '0')}${suffixOf(shape, position)}`;
  });
  upset(shape, nodes, instances, random);
  settleNodes(shape, nodes, instances, random);
  if (shape.namedShare > 0) nameSecondaries(shape, nodes, instances);
  const mean = meanInstance(instances);
  const groups = makeGroups(shape, mean, random);
  for (const instance of instances) {
    const known = groups[nodes[instance.primary]!.group]!.networks;
    if (known.length > 0 && random.chance(0.5)) instance.network = random.pick(known);
  }
  const tags = tagCluster(shape, nodes, instances, random);
  const policy = shape.policy === 'absent' ? undefined : makePolicy(shape.policy, mean, random);
  return { shape, groups, nodes, instances, tags, policy };
}
