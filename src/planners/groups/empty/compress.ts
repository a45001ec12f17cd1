/** Compression: which groups can be emptied and given back. Source: docs/design/groups.md, "hcompress". */
import { type Capacity, capacityOf, freeShare } from '../homes/group-room.ts';
import type { Health } from '../homes/health.ts';
import { GroupRules } from '../homes/leaving.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import { forbidsInterGroup, neighbours } from '../homes/targets.ts';
import type { Relocation } from '../relocate/relocation.ts';
import { type Emptied, type EmptyingContext, emptyGroup, type NotEmptied, residentsOf } from './emptying.ts';

/** What the trial of one group found. */
export interface GroupVerdict {
  readonly group: number;
  readonly health: Health;
  readonly capacity: Capacity;
  /** Mean of the free shares of memory, disk and cpu: the order of the report. */
  readonly freeShare: number;
  readonly instances: number;
  /** Groups that share a pool with it; without any it stands alone. */
  readonly neighbours: number;
  readonly outcome: Emptied | NotEmptied | 'alone' | 'forbidden';
}

export const isReclaimable = ({ outcome }: GroupVerdict): boolean =>
  typeof outcome === 'object' && outcome.isPossible;

/** Told of each group that was tried. */
export type Watch = (group: number, done: number, of: number) => void;

const contextOf = (
  cluster: SuperCluster,
  rules: GroupRules,
  emptied: ReadonlySet<number>,
): EmptyingContext => {
  const healthy = new Set(
    cluster.groups.filter((group) => !emptied.has(group) && cluster.healthOf(group).state === 'healthy'),
  );
  return { cluster, rules, isTarget: (group) => healthy.has(group) };
};

/** The report of one group, with the state as before. */
function judge(
  context: EmptyingContext,
  group: number,
  near: ReadonlySet<number>,
  isForbidden: boolean,
): GroupVerdict {
  const { cluster } = context;
  const capacity = capacityOf(cluster.state, cluster.members[group]!);
  const instances = residentsOf(cluster, group).length;
  const found = {
    group,
    health: cluster.healthOf(group),
    capacity,
    freeShare: freeShare(capacity),
    instances,
    neighbours: near.size,
  };
  if (instances > 0 && isForbidden) return { ...found, outcome: 'forbidden' };
  if (instances > 0 && near.size === 0) return { ...found, outcome: 'alone' };
  const mark = cluster.mark();
  const outcome = emptyGroup(context, group);
  cluster.rollback(mark);
  return { ...found, outcome };
}

const byFreeShare = (a: GroupVerdict, b: GroupVerdict): number =>
  b.freeShare - a.freeShare || a.group - b.group;

/** Tries every group; those with the largest free resources first. The state is as before. */
export function judgeGroups(cluster: SuperCluster, watch: Watch = () => {}): GroupVerdict[] {
  const rules = new GroupRules(cluster);
  const context = contextOf(cluster, rules, new Set());
  const near = neighbours(cluster);
  const isForbidden = forbidsInterGroup(cluster);
  const verdicts = cluster.groups.map((group, k) => {
    watch(group, k, cluster.groups.length);
    return judge(context, group, near[group]!, isForbidden);
  });
  return verdicts.sort(byFreeShare);
}

/** A group that is emptied, in its turn. */
export interface Reclaimed {
  readonly group: number;
  readonly relocations: readonly Relocation[];
}

/**
 * Empties groups one after another, each time the one with the largest free resources that can be; the state is left
 * with them empty. What an emptied group held counts for the next ones.
 * @param verdicts of the state as it stands
 * @param most how many groups to empty
 */
export function reclaim(
  cluster: SuperCluster,
  verdicts: readonly GroupVerdict[],
  most: number,
  watch: Watch = () => {},
): Reclaimed[] {
  const rules = new GroupRules(cluster);
  const emptied = new Set<number>();
  const reclaimed: Reclaimed[] = [];
  // A group that cannot be emptied now cannot be later: the others only get fuller, and fewer.
  const candidates = verdicts.filter(isReclaimable).map(({ group }) => group);
  while (reclaimed.length < most && candidates.length > 0) {
    const share = (group: number): number => freeShare(capacityOf(cluster.state, cluster.members[group]!));
    const ranked = candidates.map((group) => ({ group, share: share(group) }));
    ranked.sort((a, b) => b.share - a.share || a.group - b.group);
    const { group } = ranked[0]!;
    candidates.splice(candidates.indexOf(group), 1);
    watch(group, verdicts.length - candidates.length, verdicts.length);
    const outcome = emptyGroup(contextOf(cluster, rules, new Set([...emptied, group])), group);
    if (!outcome.isPossible) continue;
    emptied.add(group);
    reclaimed.push({ group, relocations: outcome.relocations });
  }
  return reclaimed;
}
