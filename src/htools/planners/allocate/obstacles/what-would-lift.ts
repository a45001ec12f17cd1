/**
 * What would let more instances in: some more of a resource on a node, or one more node. Each proposal is
 * tried: the cluster gets it and is filled from the start, as it is for who asks with `--what-if`. Filling on
 * from where it is full would promise more, or less: what is there would have been spread in another way.
 */
import { groupedBy } from '../../../../kit/grouped.ts';
import { MIB_PER_GIB } from '../../../../kit/units.ts';
import { type Resource, ruleOf } from '../../../cluster/rules.ts';
import type { Instance, Snapshot } from '../../../cluster/snapshot.ts';
import { iterate } from '../fill/fill-standard.ts';
import { type Upgrade, withNodeLike, withUpgrades } from '../fill/filled-snapshot.ts';
import type { Filler } from '../fill/filler.ts';
import { GLOBAL_RULE, type Obstacle, obstaclesTo } from './next-obstacle.ts';

/** A change of the hardware and the instances that it lets in. */
export interface Lift {
  readonly upgrades: readonly Upgrade[];
  /** Position of the node that the new one is like; undefined = no new node. */
  readonly nodeLike: number | undefined;
  /** Instances of the size in question that the cluster takes with it beyond those that it takes now. */
  readonly gain: number;
  /** The count stopped there, for it would take too long: there may be more. */
  readonly isAtLeast: boolean;
}

interface LiftTrial {
  /** The cluster that is full, with what its nodes have. */
  readonly full: Snapshot;
  /** The cluster before, and how many instances filled it. */
  readonly start: Snapshot;
  readonly count: number;
  readonly instance: Instance;
  readonly checksCapacity: boolean;
  /** A filler on a variant of the cluster, under the same rules. */
  readonly fillerOn: (snapshot: Snapshot) => Filler;
}

/** More is not proposed for one lift: an operator would not do it. */
const MOST_UPGRADES = 6;
/** Different makes of nodes that are tried as new ones, the most frequent ones. */
const MOST_KINDS = 6;
/** Disks of the same make differ by a little: they are told apart by units of this. */
const SAME_DISK_MIB = 64 * MIB_PER_GIB;

/** Resources that are bought by the GiB. */
const IN_GIB: ReadonlySet<Resource> = new Set(['memory', 'disk', 'pool'] as const);

/** The smallest upgrade against an obstacle, on its best node; undefined where hardware is no help. */
function upgradeFor({ full }: LiftTrial, { rule, least, pool }: Obstacle): Upgrade | undefined {
  const lift = ruleOf(rule)?.lift;
  if (!lift || !('more' in lift) || !least) return undefined;
  const resource = lift.more;
  const step = IN_GIB.has(resource) ? MIB_PER_GIB : 1;
  const round = (amount: number): number => Math.ceil(amount / step) * step;
  if (resource === 'pool') return { node: -1, resource, amount: round(least.missing), pool: pool! };
  const node = full.nodes[least.node]!;
  const perUnit = lift.perUnit(node, full.groups[node.group]!.policy);
  return perUnit > 0 ? { node: least.node, resource, amount: round(least.missing / perUnit) } : undefined;
}

/** Instances that are counted at most, which bounds the time of a count: a second or two. */
export const MOST_COUNTED = 20_000;

/** @param changed the cluster before it was filled, with the change */
function gainOf(
  { instance, checksCapacity, count, fillerOn }: LiftTrial,
  changed: Snapshot,
): Pick<Lift, 'gain' | 'isAtLeast'> {
  if (count >= MOST_COUNTED) return { gain: 0, isAtLeast: true };
  const filler = fillerOn(changed);
  iterate(filler, instance, MOST_COUNTED, checksCapacity);
  return { gain: Math.max(0, filler.count - count), isAtLeast: filler.count >= MOST_COUNTED };
}

/** Mends one obstacle after the other until an instance fits; undefined when that does not lead there. */
function liftFrom(trial: LiftTrial, first: Upgrade): Lift | undefined {
  const upgrades = [first];
  while (upgrades.length <= MOST_UPGRADES) {
    const filler = trial.fillerOn(withUpgrades(trial.full, upgrades));
    const obstacles = obstaclesTo(filler, trial.instance, trial.checksCapacity);
    if (obstacles.length === 0)
      return {
        upgrades: merged(upgrades),
        nodeLike: undefined,
        ...gainOf(trial, withUpgrades(trial.start, upgrades)),
      };
    const next = nextUpgrade(trial, filler, obstacles, upgrades);
    if (!next) return undefined;
    upgrades.push(next);
  }
  return undefined;
}

/** Where a node could not be emptied any more, memory for one more may do, on one of each make. */
const roomFor = (trial: LiftTrial, usable: readonly number[]): Upgrade[] =>
  kindsOfNodes(trial, usable).map((node) => ({
    node,
    resource: 'memory',
    amount: Math.ceil(trial.instance.memMib / MIB_PER_GIB) * MIB_PER_GIB,
  }));

/** A node that was begun with is finished first; then the role that no node can take gets its best node. */
function nextUpgrade(
  trial: LiftTrial,
  filler: Filler,
  obstacles: readonly Obstacle[],
  upgrades: readonly Upgrade[],
): Upgrade | undefined {
  const begun = new Set(upgrades.map(({ node }) => node));
  if (obstacles[0]!.rule === GLOBAL_RULE)
    return roomFor(trial, filler.nodes).find(({ node }) => !begun.has(node));
  const asPrimary = obstacles.filter((o) => o.role === 'primary');
  const refusing = asPrimary.reduce((sum, o) => sum + o.nodes.length, 0);
  const role = refusing < filler.nodes.length ? 'secondary' : 'primary';
  const choices = obstacles
    .filter((o) => o.role === role)
    .flatMap((obstacle) => upgradeFor(trial, obstacle) ?? [])
    .sort((a, b) => Number(begun.has(b.node)) - Number(begun.has(a.node)) || a.amount - b.amount);
  return choices[0];
}

/** Upgrades of the same resource on the same node as one. */
function merged(upgrades: readonly Upgrade[]): Upgrade[] {
  const sums = new Map<string, Upgrade>();
  for (const upgrade of upgrades) {
    const key = `${upgrade.node} ${upgrade.resource} ${upgrade.pool}`;
    const amount = (sums.get(key)?.amount ?? 0) + upgrade.amount;
    sums.set(key, { ...upgrade, amount });
  }
  return [...sums.values()];
}

/** One node of each make, the most frequent makes first. */
function kindsOfNodes({ full }: LiftTrial, usable: readonly number[]): number[] {
  const kinds = groupedBy(usable, (n) => {
    const { group, totalMemMib, totalCpus, spindles, cpuSpeed, hasExclusiveStorage, totalDiskMib } =
      full.nodes[n]!;
    const disk = Math.round(totalDiskMib / SAME_DISK_MIB);
    return [group, totalMemMib, totalCpus, spindles, cpuSpeed, hasExclusiveStorage, disk].join();
  });
  return [...kinds.values()]
    .sort((a, b) => b.length - a.length)
    .slice(0, MOST_KINDS)
    .map((alike) => alike[0]!);
}

/** Whether a lift asks for nothing that the other one does not ask for, too. */
const isPart = (part: Lift, whole: Lift): boolean =>
  part.upgrades.every(({ node, resource, amount }) =>
    whole.upgrades.some((u) => u.node === node && u.resource === resource && u.amount >= amount),
  );

/** Everything worth proposing: upgrades with the fewest parts first, then new nodes by what they let in. */
export function findLifts(
  trial: LiftTrial,
  obstacles: readonly Obstacle[],
  usable: readonly number[],
): Lift[] {
  const found: Lift[] = [];
  for (const obstacle of obstacles) {
    const starts =
      obstacle.rule === GLOBAL_RULE ? roomFor(trial, usable) : [upgradeFor(trial, obstacle) ?? []].flat();
    for (const start of starts) {
      const lift = liftFrom(trial, start);
      if (lift && (lift.gain > 0 || lift.isAtLeast)) found.push(lift);
    }
  }
  const upgrades = found
    .sort((a, b) => a.upgrades.length - b.upgrades.length)
    .filter((lift, k) => !found.slice(0, k).some((other) => isPart(other, lift)));
  const nodes = kindsOfNodes(trial, usable).map(
    (nodeLike): Lift => ({ upgrades: [], nodeLike, ...gainOf(trial, withNodeLike(trial.start, nodeLike)) }),
  );
  return [...upgrades, ...nodes.sort((a, b) => b.gain - a.gain)];
}
