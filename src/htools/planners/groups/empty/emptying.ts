/**
 * Emptying groups: can all their instances move to the other groups, these staying healthy? Source:
 * docs/why/groups.md.
 *
 * Yes with a plan: the largest instances are placed first, in three ways, and those that cannot leave yet
 * wait for others to make room. No with a proof: an instance that cannot leave whatever leaves first, or that
 * fits nowhere even alone; more in use than is free elsewhere; or, for a few instances, an exact search that
 * has tried everything. Otherwise the answer is "not found".
 */
import { NO_NODE } from '../../../cluster/snapshot.ts';
import { type Shortage, shortagesOf } from '../homes/group-room.ts';
import { findHome, fullGroups } from '../homes/homes.ts';
import { type GroupRules, stayRule } from '../homes/leaving.ts';
import { STRATEGIES, type Strategy } from '../homes/placements.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import { isForGood, type Stranded, strandedBy } from '../refusals/refusals.ts';
import { neverLeaving } from '../relocate/departure.ts';
import { inTurns } from '../relocate/in-turns.ts';
import type { Relocation } from '../relocate/relocation.ts';
import { placeExactly } from './exact-placement.ts';

/** Instances up to which the exact search is worth trying. */
const MOST_EXACT_INSTANCES = 16;
/** From so many instances on, one group is scanned at a time: time matters more than a score's last digit. */
const MANY_INSTANCES = 100;

export interface Emptied {
  readonly isPossible: true;
  readonly relocations: readonly Relocation[];
}

export interface NotEmptied {
  readonly isPossible: false;
  /** The answer holds for every order and every choice of homes; else a way was not found. */
  readonly isProven: boolean;
  readonly shortages: readonly Shortage[];
  readonly stranded: readonly Stranded[];
}

/** What the trial of groups needs besides the cluster. */
export interface EmptyingContext {
  readonly cluster: SuperCluster;
  readonly rules: GroupRules;
  /** Groups that may take instances: healthy ones that are not emptied themselves. */
  readonly isTarget: (group: number) => boolean;
}

/** Instances with a node in the group, those that need most first. */
export function residentsOf({ state, members, snapshot }: SuperCluster, group: number): number[] {
  const all = new Set<number>();
  for (const n of members[group]!) {
    const { primaries, secondaries, forthcomingPrimaries, forthcomingSecondaries } = state;
    for (const lists of [primaries, secondaries, forthcomingPrimaries, forthcomingSecondaries])
      for (const i of lists[n]!) all.add(i);
  }
  const { instances } = snapshot;
  return [...all].sort(
    (a, b) =>
      instances[b]!.memMib - instances[a]!.memMib || instances[b]!.diskMib - instances[a]!.diskMib || a - b,
  );
}

/** Groups that may take an instance: one list for all that are open to the same. */
function targetsOf({ rules, isTarget }: EmptyingContext): (i: number) => readonly number[] {
  const known = new Map<readonly number[], readonly number[]>();
  return (i) => {
    const { open } = rules.of(i);
    const found = known.get(open) ?? open.filter(isTarget);
    known.set(open, found);
    return found;
  };
}

/** Places instances one after another; undefined, with the state as before, when one finds no home. */
export function placeAll(
  context: EmptyingContext,
  instances: readonly number[],
  strategy: Strategy,
): readonly Relocation[] | undefined {
  const { cluster } = context;
  const targetsFor = targetsOf(context);
  const mark = cluster.mark();
  const relocations: Relocation[] = [];
  const { groupOf, primary, secondary } = cluster.state;
  const mayLeaveTarget = (i: number): boolean =>
    [primary[i]!, secondary[i]!].some((n) => n !== NO_NODE && context.isTarget(groupOf[n]!));
  const options = {
    strategy,
    refreshesOld: false,
    full: instances.some(mayLeaveTarget) ? undefined : fullGroups(cluster),
    ...(instances.length < MANY_INSTANCES ? {} : { together: 1 }),
  };
  for (let waiting = instances; waiting.length > 0; ) {
    const blocked: number[] = [];
    for (const i of waiting) {
      const home = findHome(cluster, i, targetsFor(i), options);
      if (home.kind === 'found') relocations.push(home.relocation);
      else if (home.kind === 'blocked') blocked.push(i);
      else {
        cluster.rollback(mark);
        return undefined;
      }
    }
    if (blocked.length === waiting.length) {
      cluster.rollback(mark);
      return undefined;
    }
    waiting = blocked;
  }
  return relocations;
}

/** Those that find no home alone, the others being where they are. The state is as before. */
function homelessAlone(context: EmptyingContext, instances: readonly number[]): Stranded[] {
  const { cluster, rules, isTarget } = context;
  const targetsFor = targetsOf(context);
  const mark = cluster.mark();
  return instances.flatMap((i) => {
    const home = findHome(cluster, i, targetsFor(i), { strategy: 'first', refreshesOld: false });
    cluster.rollback(mark);
    return home.kind === 'none' ? [strandedBy(cluster, rules, i, isTarget)] : [];
  });
}

/** Those that find no home once the others have taken theirs. The state is as before. */
function homelessTogether(context: EmptyingContext, instances: readonly number[]): Stranded[] {
  const { cluster, rules, isTarget } = context;
  const targetsFor = targetsOf(context);
  const start = cluster.mark();
  const stranded: Stranded[] = [];
  const waiting = inTurns(instances, (i) => {
    const home = findHome(cluster, i, targetsFor(i), { strategy: 'tight', refreshesOld: false });
    if (home.kind === 'none') stranded.push(strandedBy(cluster, rules, i, isTarget, true));
    return home.kind !== 'blocked';
  });
  for (const i of waiting) stranded.push(strandedBy(cluster, rules, i, isTarget, true));
  cluster.rollback(start);
  return stranded;
}

const refused = (
  isProven: boolean,
  shortages: readonly Shortage[],
  stranded: readonly Stranded[],
): NotEmptied => ({ isPossible: false, isProven, shortages, stranded });

/** Reasons that hold before any home is looked for; undefined where there is none. */
function plainRefusal(context: EmptyingContext, instances: readonly number[]): NotEmptied | undefined {
  const { cluster, rules, isTarget } = context;
  const staying = instances.filter((i) => stayRule(cluster, i) !== undefined);
  const targets = [...new Set([...new Set(instances.map(targetsOf(context)))].flat())];
  const shortages = targets.length === 0 ? [] : shortagesOf(cluster, instances, targets);
  if (staying.length > 0)
    return refused(
      true,
      shortages,
      staying.map((i) => strandedBy(cluster, rules, i, isTarget)),
    );
  if (shortages.length > 0) return refused(true, shortages, []);
  const blocked = neverLeaving(cluster.state, instances);
  return blocked.length === 0
    ? undefined
    : refused(
        true,
        [],
        blocked.map((i) => strandedBy(cluster, rules, i, isTarget)),
      );
}

/**
 * Moves instances out of groups that are emptied if that is possible; the state is as before otherwise. What
 * is known of the emptied groups' own N+1 is not kept up to date: nothing is left there.
 * @param instances all that have a node there, those that need most first
 */
export function emptyOf(context: EmptyingContext, instances: readonly number[]): Emptied | NotEmptied {
  if (instances.length === 0) return { isPossible: true, relocations: [] };
  const plain = plainRefusal(context, instances);
  if (plain) return plain;
  for (const strategy of STRATEGIES) {
    const relocations = placeAll(context, instances, strategy);
    if (relocations) return { isPossible: true, relocations };
  }
  const hopeless = homelessAlone(context, instances);
  if (hopeless.some(isForGood)) return refused(true, [], hopeless);
  let isProven = false;
  if (instances.length <= MOST_EXACT_INSTANCES) {
    const exact = placeExactly(context.cluster, instances, targetsOf(context));
    if (exact.kind === 'found') return { isPossible: true, relocations: exact.relocations };
    isProven = exact.kind === 'none';
  }
  return refused(isProven, [], hopeless.length > 0 ? hopeless : homelessTogether(context, instances));
}
