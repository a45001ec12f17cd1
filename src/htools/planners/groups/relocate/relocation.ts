/**
 * Moving an instance to a new home step by step, so that Ganeti accepts each command in the state that the
 * steps before have made. A disk is replaced only from a primary that can be reached, and an instance changes
 * over only to a secondary that is online. The node that keeps a copy for a while needs room for it, so a
 * full primary may be left by way of its secondary, and the other way round. Source: docs/why/groups.md;
 * gnt-instance(8), replace-disks, migrate, failover.
 */
import { ALLOWED, type FailCode } from '../../../cluster/refusal.ts';
import { NO_NODE } from '../../../cluster/snapshot.ts';
import { applyMove, putInstance, takeOff } from '../../../model/moves/apply.ts';
import {
  FAILOVER,
  FAILOVER_AND_REPLACE,
  FAILOVER_TO_ANY,
  type Move,
  type MoveKind,
  moveBetween,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../../../model/moves/kinds.ts';
import { type ClusterState, HAS_SECONDARY } from '../../../model/state/state.ts';
import type { PlanStep } from '../../../plan/plan.ts';
import { stepsFrom } from '../../../plan/step.ts';

/** Nodes of a group where an instance is, or may go; `secondary` is -1 where it needs none. */
export interface Home {
  readonly group: number;
  readonly primary: number;
  readonly secondary: number;
}

export const homeOf = (state: ClusterState, i: number): Home => ({
  group: state.groupOf[state.primary[i]!]!,
  primary: state.primary[i]!,
  secondary: state.secondary[i]!,
});

/** All nodes of some homes, each once. */
export function nodesIn(homes: readonly Home[]): number[] {
  const nodes: number[] = [];
  for (const { primary, secondary } of homes)
    for (const n of [primary, secondary]) if (n !== NO_NODE && !nodes.includes(n)) nodes.push(n);
  return nodes;
}

/** One instance that went to another home, in its group or in another one, with the steps that it takes. */
export interface Relocation {
  readonly instance: number;
  readonly from: Home;
  readonly to: Home;
  readonly steps: readonly PlanStep[];
}

export const nodesOf = ({ from, to }: Pick<Relocation, 'from' | 'to'>): number[] => nodesIn([from, to]);

export const isWithin = ({ from, to }: Relocation): boolean => from.group === to.group;

/** Ways of a DRBD instance to two new nodes, the cheapest first: two kinds of move, each with its target. */
const apart = ({ primary: newP, secondary: newS }: Home): readonly [MoveKind, number, MoveKind, number][] => [
  [REPLACE_SECONDARY, newP, FAILOVER_AND_REPLACE, newS],
  [REPLACE_AND_FAILOVER, newP, REPLACE_SECONDARY, newS],
  [FAILOVER_AND_REPLACE, newP, FAILOVER_AND_REPLACE, newS],
  [REPLACE_SECONDARY, newS, REPLACE_PRIMARY, newP],
  [FAILOVER_AND_REPLACE, newS, REPLACE_PRIMARY, newP],
];

const NEEDS_PRIMARY: ReadonlySet<MoveKind> = new Set([REPLACE_SECONDARY, REPLACE_AND_FAILOVER]);
const NEEDS_SECONDARY: ReadonlySet<MoveKind> = new Set([FAILOVER, FAILOVER_AND_REPLACE, REPLACE_PRIMARY]);

/** Ways that Ganeti can take by the nodes that are there; whether rules allow them, relocate tries. */
export function itineraries(state: ClusterState, instance: number, to: Home): readonly (readonly Move[])[] {
  const move = (kind: MoveKind, target: number): Move => ({ instance, kind, target });
  if (!(state.flags[instance]! & HAS_SECONDARY)) return [[move(FAILOVER_TO_ANY, to.primary)]];
  const p = state.primary[instance]!;
  const s = state.secondary[instance]!;
  const only = moveBetween(p, s, to.primary, to.secondary, NO_NODE);
  const ways = only
    ? [[move(...only)]]
    : apart(to).map(([first, target, second, next]) => [move(first, target), move(second, next)]);
  return ways.filter(
    ([first]) =>
      (state.isReachable[p] || !NEEDS_PRIMARY.has(first!.kind)) &&
      (!state.isOffline[s] || !NEEDS_SECONDARY.has(first!.kind)),
  );
}

/**
 * Moves the instance on the first way that is open; undefined, with the state as before, when none is.
 * @param refusals what closed each of the ways is added here
 */
export function relocate(
  state: ClusterState,
  instance: number,
  to: Home,
  refusals?: FailCode[],
): Relocation | undefined {
  const from = homeOf(state, instance);
  const mark = state.journal.mark();
  for (const way of itineraries(state, instance, to)) {
    const isOpen = way.every(({ kind, target }) => {
      const code = applyMove(state, instance, kind, target, false);
      if (code !== ALLOWED) refusals?.push(code);
      return code === ALLOWED;
    });
    if (isOpen) return { instance, from, to, steps: stepsFrom(way, from.primary, from.secondary) };
    state.journal.rollback(mark);
  }
  return undefined;
}

/** Takes a relocation back, whatever was done in between. No rule is asked: the instance was there before. */
export function sendBack(state: ClusterState, { instance: i, from }: Relocation): void {
  takeOff(state, i);
  putInstance(state, i, from.primary, from.secondary);
}

/**
 * Settles what can be settled, in order, and what waits again as long as something more was: each may make
 * way for others. @returns what waits to the end
 */
export function inTurns<T>(all: readonly T[], settle: (one: T) => boolean): readonly T[] {
  let waiting = all;
  for (let count = -1; count !== waiting.length; ) {
    count = waiting.length;
    waiting = waiting.filter((one) => !settle(one));
  }
  return waiting;
}

/** Makes the moves that can be made, in turns. @param move makes one; undefined while that cannot be */
export function moveInTurns<T>(all: readonly T[], move: (one: T) => Relocation | undefined) {
  const relocations: Relocation[] = [];
  const waiting = inTurns(all, (one) => {
    const moved = move(one);
    if (moved) relocations.push(moved);
    return moved !== undefined;
  });
  return { relocations, waiting };
}
