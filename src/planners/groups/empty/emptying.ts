/**
 * Emptying a group: can all its instances move to the other groups, these staying healthy? Source: docs/design/groups.md.
 *
 * Yes with a plan, found by placing the largest instances first, in three ways; no with a reason that holds whatever the
 * order (an instance that cannot leave, or that fits nowhere even alone; more in use than is free elsewhere); for a few
 * instances an exact search decides what is left. Otherwise the answer is no, marked as unproven.
 */
import { type Shortage, shortagesOf } from '../homes/group-room.ts';
import { findHome, STRATEGIES, type Strategy } from '../homes/homes.ts';
import { type GroupRules, type Stranded, stayRule, strandedBy } from '../homes/leaving.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import type { Relocation } from '../relocate/relocation.ts';
import { placeExactly } from './exact-placement.ts';

/** Instances up to which the exact search is worth trying. */
const MOST_EXACT_INSTANCES = 16;
/** Instances without a home that are looked for before the search for more ends. */
const MOST_STRANDED = 20;

export interface Emptied {
  readonly isPossible: true;
  readonly relocations: readonly Relocation[];
}

export interface NotEmptied {
  readonly isPossible: false;
  /** The reason holds for every order and every choice of homes. */
  readonly isProven: boolean;
  readonly shortages: readonly Shortage[];
  readonly stranded: readonly Stranded[];
}

/** What the trial of a group needs besides the cluster. */
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

const targetsFor = ({ rules, isTarget }: EmptyingContext, i: number, group: number): number[] =>
  rules.of(i).open.filter((other) => other !== group && isTarget(other));

/** Places them one after another; undefined, with the state as before, when one finds no home. */
function placeAll(
  context: EmptyingContext,
  group: number,
  instances: readonly number[],
  strategy: Strategy,
): readonly Relocation[] | undefined {
  const { cluster } = context;
  const mark = cluster.mark();
  const relocations: Relocation[] = [];
  for (const i of instances) {
    const moved = findHome(cluster, i, targetsFor(context, i, group), { strategy, refreshesOld: false });
    if (moved === undefined) {
      cluster.rollback(mark);
      return undefined;
    }
    relocations.push(moved);
  }
  return relocations;
}

/** Those that find no home: each alone, or one after another, the others taking their room. The state is as before. */
function strandedAmong(
  context: EmptyingContext,
  group: number,
  instances: readonly number[],
  alone: boolean,
): Stranded[] {
  const { cluster, rules, isTarget } = context;
  const start = cluster.mark();
  const stranded: Stranded[] = [];
  for (const i of instances) {
    if (stranded.length === MOST_STRANDED) break;
    const mark = cluster.mark();
    const targets = targetsFor(context, i, group);
    const moved = findHome(cluster, i, targets, { strategy: 'first', refreshesOld: false });
    if (!moved) stranded.push(strandedBy(cluster, rules, i, (other) => other !== group && isTarget(other)));
    else if (alone) cluster.rollback(mark);
  }
  cluster.rollback(start);
  return stranded;
}

const refused = (
  isProven: boolean,
  shortages: readonly Shortage[],
  stranded: readonly Stranded[],
): NotEmptied => ({ isPossible: false, isProven, shortages, stranded });

/**
 * Moves everything out of a group if that is possible; the state is as before otherwise. What is known of the emptied
 * group's own N+1 is not kept up to date: nothing is left there.
 */
export function emptyGroup(context: EmptyingContext, group: number): Emptied | NotEmptied {
  const { cluster, rules, isTarget } = context;
  const instances = residentsOf(cluster, group);
  if (instances.length === 0) return { isPossible: true, relocations: [] };
  const staying = instances.flatMap((i): Stranded[] => {
    const stays = stayRule(cluster, i);
    return stays ? [{ instance: i, stays, refusals: [] }] : [];
  });
  const targets = [...new Set(instances.flatMap((i) => targetsFor(context, i, group)))];
  const shortages = targets.length === 0 ? [] : shortagesOf(cluster, instances, targets);
  if (staying.length > 0) return refused(true, shortages, staying);
  if (shortages.length > 0) return refused(true, shortages, []);
  for (const strategy of STRATEGIES) {
    const relocations = placeAll(context, group, instances, strategy);
    if (relocations) return { isPossible: true, relocations };
  }
  const hopeless = strandedAmong(context, group, instances, true);
  if (hopeless.length > 0) return refused(true, [], hopeless);
  let isProven = false;
  if (instances.length <= MOST_EXACT_INSTANCES) {
    const exact = placeExactly(cluster, rules, instances, (other) => other !== group && isTarget(other));
    if (exact.kind === 'found') return { isPossible: true, relocations: exact.relocations };
    isProven = exact.kind === 'none';
  }
  return refused(isProven, [], strandedAmong(context, group, instances, false));
}
