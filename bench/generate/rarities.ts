/**
 * What shapes do not say: records that clusters seldom have though files can hold them, a few at a time on a
 * generated cluster.
 */
import type { InstancePolicy } from '../../src/htools/cluster/snapshot.ts';
import { usesNodeDisk } from '../../src/htools/cluster/templates.ts';
import { MAX_MIB } from '../../src/kit/ranges.ts';
import type { MadeCluster, MadeGroup, MadeInstance } from './made-cluster.ts';
import type { Random } from './random.ts';
import { OPEN_POLICY } from './request.ts';

type Rarity = (cluster: MadeCluster, random: Random) => Partial<MadeCluster>;

const withPolicies = (
  { groups, policy = OPEN_POLICY }: MadeCluster,
  random: Random,
  change: (policy: InstancePolicy) => InstancePolicy,
): Partial<MadeCluster> => ({
  policy: random.chance(0.3) ? change(policy) : policy,
  groups: groups.map((group) =>
    random.chance(0.6) ? { ...group, policy: change(group.policy ?? policy) } : group,
  ),
});

/** More groups, which stock reads, too. */
const GROUP_RARITIES = {
  emptyGroups({ groups }, random) {
    const more = Array.from(
      { length: random.between(1, 2) },
      (_, k): MadeGroup => ({
        name: `bare-${k}`,
        uuid: `bare-uuid-${k}`,
        allocPolicy: random.pick(['preferred', 'last_resort', 'unallocable']),
        tags: [],
        networks: [],
        policy: undefined,
      }),
    );
    return { groups: [...groups, ...more] };
  },
  groupsOfOne({ groups, nodes }, random) {
    if (nodes.length < 3) return {};
    const more = { ...random.pick(groups), name: 'single', uuid: 'single-uuid' };
    return {
      groups: [...groups, more],
      nodes: nodes.map((node, n) => (n === nodes.length - 1 ? { ...node, group: groups.length } : node)),
    };
  },
} satisfies Readonly<Record<string, Rarity>>;

/** What else stock reads. */
const PLAIN_RARITIES = {
  standbyNodes({ nodes }, random) {
    for (const node of nodes)
      if (random.chance(node.isOffline ? 0.8 : 0.4))
        node.tags.push(random.pick(['htools:standby:auto', 'htools:standby:night', 'htools:standby:']));
    return {};
  },
  // Prefixes of one another, empty ones, tags of two kinds at once, chains and pairs that are none.
  tagsThatOverlap({ nodes, instances, tags }, random) {
    for (const node of nodes)
      node.tags.push(
        ...random.sample(['power:feed1', 'power:x', 'room:1', 'room:2', 'kernel:v1'], random.below(4)),
      );
    for (const instance of instances)
      if (random.chance(0.4))
        instance.tags.push(
          ...random.sample(
            ['service:shop', 'service:', 'serv:a', 'power:feed1', 'room:1', 'service:shop'],
            random.between(1, 3),
          ),
        );
    const more = [
      ...['htools:iextags:service', 'htools:iextags:serv', 'htools:iextags:', 'htools:iextags:service'],
      ...['htools:nlocation:power', 'htools:nlocation:room', 'htools:nlocation:'],
      ...['htools:desiredlocation:power', 'htools:desiredlocation:room', 'htools:desiredlocation:'],
      ...['htools:migration:kernel', 'htools:migration:room', 'htools:migration:'],
      ...['htools:allowmigration:kernel:v1::room:1', 'htools:allowmigration:room:1::room:2'],
      ...['htools:allowmigration:a::b::c', 'htools:allowmigration:room:2'],
    ];
    return { tags: [...tags, ...random.sample(more, random.between(1, 8))] };
  },
  hugeFigures({ nodes, instances }, random) {
    const largest = Math.max(...nodes.map(({ totalMemMib }) => totalMemMib));
    const times = Math.floor(MAX_MIB / largest / random.pick([2, 2 ** 10]));
    for (const node of nodes) {
      node.totalMemMib *= times;
      node.nodeMemMib *= times;
      node.freeMemMib *= times;
    }
    for (const instance of instances) instance.memMib *= times;
    return {};
  },
  disksAndNics({ instances }, random) {
    for (const instance of instances) {
      if (random.chance(0.6)) instance.diskCount = random.pick([0, 1, 2, 3, 17]);
      if (random.chance(0.6)) instance.nicCount = random.pick([0, 1, 2, 9]);
    }
    return {};
  },
  // Ganeti lets no node with instances be one.
  nodesForNoInstance({ nodes, instances }, random) {
    const used = new Set(instances.flatMap(({ primary, secondary }) => [primary, secondary]));
    nodes.forEach((node, n) => {
      node.isVmCapable = used.has(n) || random.chance(0.3);
    });
    return {};
  },
  cpuSpeedsApart({ nodes }, random) {
    for (const node of nodes) node.cpuSpeed = random.pick([0.01, 1, 1, 1000]);
    return {};
  },
  manyVcpus({ instances }, random) {
    for (const instance of instances)
      if (random.chance(0.3)) instance.vcpus = random.pick([0, 64, 1000, 1_000_000]);
    return {};
  },
  nothingButDisk({ instances }, random) {
    for (const instance of instances)
      if (random.chance(0.4)) {
        instance.memMib = 0;
        if (random.chance(0.5)) instance.vcpus = 0;
        if (random.chance(0.5)) instance.spindleUse = 0;
      }
    return {};
  },
  groupsAway({ groups, nodes }, random) {
    const away = random.below(groups.length);
    for (const node of nodes) if (node.group === away) node.isOffline = true;
    return {};
  },
  nothingAllocable({ groups }, random) {
    const allocPolicy = random.pick(['unallocable', 'last_resort'] as const);
    return { groups: groups.map((group) => ({ ...group, allocPolicy })) };
  },
  masters({ nodes }, random) {
    const kind = random.below(3);
    return {
      nodes: nodes.map((node, n) => ({
        ...node,
        isMaster: kind === 0 ? false : kind === 1 ? n < 2 : node.isMaster,
        isOffline: node.isOffline || (kind === 2 && node.isMaster),
      })),
    };
  },
  policyOfNothing: (cluster, random) =>
    withPolicies(cluster, random, (policy) =>
      random.chance(0.5) ? { ...policy, diskTemplates: [] } : { ...policy, ranges: [] },
    ),
  ratiosAtTheirEnds: (cluster, random) =>
    withPolicies(cluster, random, (policy) => ({
      ...policy,
      vcpuRatio: random.pick([0, 0.01, 1e-9, 1e6, 4]),
      // Shares of 0 in 0 would be NaN, and so every score.
      spindleRatio: random.pick([0.01, 1e-9, 1e6, 32]),
    })),
  rangesUpsideDown: (cluster, random) =>
    withPolicies(cluster, random, (policy) => ({
      ...policy,
      ranges: policy.ranges.map(({ min, max }) =>
        random.chance(0.5) ? { min: max, max: min } : { min, max },
      ),
      standard: random.chance(0.5) ? { ...policy.standard, memoryMib: 2 ** 30 } : policy.standard,
    })),
  manyRanges: (cluster, random) =>
    withPolicies(cluster, random, (policy) => {
      const [first] = policy.ranges;
      if (!first) return policy;
      const steps = random.between(3, 6);
      const most = first.max.memoryMib;
      const at = (k: number): number => Math.round((most * k) / steps);
      return {
        ...policy,
        ranges: Array.from({ length: steps }, (_, k) => ({
          min: { ...first.min, memoryMib: at(k) },
          max: {
            ...first.max,
            memoryMib: Math.max(0, at(k + 1) - (random.chance(0.3) ? 64 : 0)),
            cpuCount: 2 ** (k + 1),
          },
        })),
      };
    }),
  namesAlike({ nodes, instances }, random) {
    const isShort = random.chance(0.5);
    for (const one of instances)
      if (random.chance(0.3)) one.name = isShort ? one.name.split('.')[0]! : random.pick(nodes).name;
    const names = new Set<string>();
    return { instances: instances.filter(({ name }) => !names.has(name) && names.add(name)) };
  },
  // What instances that are down leave free of them may be less than nothing.
  spindlesHereAndThere({ nodes, instances }, random) {
    for (const node of nodes) {
      node.hasExclusiveStorage = random.chance(0.5);
      node.freeSpindles = random.pick([-1, 0, 5, 100]);
      if (random.chance(0.3)) node.isOffline = !node.isMaster;
    }
    for (const one of instances)
      if (usesNodeDisk(one.template)) one.spindles = random.pick([0, 1, 2, undefined]);
    return {};
  },
  spindlesEverywhere({ nodes, instances }, random) {
    for (const node of nodes) {
      node.hasExclusiveStorage = true;
      const used = instances
        .filter(
          (one) =>
            usesNodeDisk(one.template) && (nodes[one.primary] === node || nodes[one.secondary] === node),
        )
        .reduce((sum, one) => sum + (one.spindles ?? 0), 0);
      node.spindles = used + random.between(used > 0 ? 0 : 1, 3);
      node.freeSpindles = node.spindles - used;
    }
    return {};
  },
} satisfies Readonly<Record<string, Rarity>>;

const LVM = 'htools:storagepool:internal/lvm';
const pooled = (pool: string): string => `htools:storagepool:external/${pool}`;

function nameTags(
  list: readonly { tags: string[] }[],
  tags: readonly string[],
  share: number,
  random: Random,
): void {
  for (const one of list) if (random.chance(share)) one.tags.push(random.pick(tags));
}

/** What only ours reads. */
const OWN_RARITIES = {
  namesTwice({ groups, instances, policy }, random) {
    // Policies name their groups by either, so that such names would mean two.
    if (!policy && random.chance(0.5))
      return {
        groups: groups.map((group, g) => ({ ...group, name: groups[(g + 1) % groups.length]!.uuid })),
      };
    for (const one of instances) if (random.chance(0.2)) one.name = random.pick(instances).name;
    return {};
  },
  lettersOfAllSorts({ groups, nodes, instances }, random) {
    const rename = <T extends { readonly name: string }>(list: readonly T[]): T[] =>
      list.map((one) =>
        random.chance(0.3)
          ? { ...one, name: `${random.pick(['süd', '数', '💥', "it's", '$x'])}-${one.name}` }
          : one,
      );
    return { groups: rename(groups), nodes: rename(nodes), instances: rename(instances) };
  },
  pools({ nodes, instances, tags }, random) {
    const pools = ['nas', 'san'];
    const isShared = ({ template }: MadeInstance): boolean =>
      ['ext', 'rbd', 'sharedfile', 'gluster', 'blockdev'].includes(template);
    for (const one of instances)
      if (isShared(one) && random.chance(0.8)) one.tags.push(pooled(random.pick(pools)));
    for (const node of nodes)
      if (random.chance(0.95)) node.tags.push(LVM, ...pools.filter(() => random.chance(0.85)).map(pooled));
    const usedMib = instances.filter(isShared).reduce((sum, { diskMib }) => sum + diskMib, 0);
    const sizes = pools.flatMap((pool) =>
      random.chance(0.5)
        ? [`htools:poolsize:external/${pool}:${Math.round(usedMib * random.real(0.4, 2))}`]
        : [],
    );
    return { tags: [...tags, ...sizes] };
  },
  leftAlone({ groups, nodes, instances, tags }, random) {
    const own = ['htools:hands-off'];
    nameTags(instances, own, 0.1, random);
    nameTags(nodes, own, random.pick([0, 0.2]), random);
    return {
      groups: groups.map((group) =>
        random.chance(0.15) ? { ...group, tags: [...group.tags, ...own] } : group,
      ),
      tags: random.chance(0.05) ? [...tags, ...own] : tags,
    };
  },
  keptFromMigrating({ instances }, random) {
    nameTags(instances, ['htools:nomigrate'], 0.4, random);
    return {};
  },
  keptInGroups({ instances, tags }, random) {
    nameTags(instances, ['htools:nointergroup'], 0.4, random);
    return random.chance(0.2) ? { tags: [...tags, 'htools:nointergroup'] } : {};
  },
} satisfies Readonly<Record<string, Rarity>>;

/** Scores that are no numbers: for comparisons with stock alone, as nothing can be said of such scores. */
const NUMBERLESS_RARITIES = {
  // What is drained may be asked for as well.
  cpusAway({ nodes }, random) {
    const [bare, drained] = random.sample(nodes, 2);
    if (!bare || !drained) return {};
    bare.cpuCount = 0;
    bare.nodeCpus = random.between(1, 2);
    drained.isDrained = true;
    return {};
  },
} satisfies Readonly<Record<string, Rarity>>;

const RARITIES = Object.keys({ ...PLAIN_RARITIES, ...GROUP_RARITIES, ...OWN_RARITIES });
const ALL: Readonly<Record<string, Rarity>> = {
  ...PLAIN_RARITIES,
  ...GROUP_RARITIES,
  ...OWN_RARITIES,
  ...NUMBERLESS_RARITIES,
};
/** Those that leave the groups as they are, and all. */
export const PLAIN_NAMES: readonly string[] = Object.keys({ ...PLAIN_RARITIES, ...NUMBERLESS_RARITIES });
export const STOCK_NAMES: readonly string[] = [...PLAIN_NAMES, ...Object.keys(GROUP_RARITIES)];

/** The cluster with some of them; instances and nodes are changed in place. */
export function withRarities(
  cluster: MadeCluster,
  random: Random,
  names: readonly string[] = RARITIES,
): MadeCluster {
  let made = cluster;
  for (const name of random.sample(names, random.between(1, 3)))
    made = { ...made, ...ALL[name]!(made, random) };
  return made;
}
