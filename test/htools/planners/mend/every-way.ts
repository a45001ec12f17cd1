/**
 * Mending by brute force: all sequences of allowed moves in which each instance moves once at most, shortest
 * first. What is broken is counted from the records and tags, sharing nothing with the planner.
 */
import { ALLOWED } from '../../../../src/htools/cluster/refusal.ts';
import type { Instance, Snapshot } from '../../../../src/htools/cluster/snapshot.ts';
import { isBarredFrom, isSticky, wishesOf } from '../../../../src/htools/cluster/tags/placement-tags.ts';
import { isMovableTemplate } from '../../../../src/htools/cluster/templates.ts';
import { applyMove } from '../../../../src/htools/model/moves/apply.ts';
import {
  FAILOVER,
  type Move,
  type MoveKind,
  REPLACE_PRIMARY,
} from '../../../../src/htools/model/moves/kinds.ts';
import { SharedStorageN1 } from '../../../../src/htools/model/redundancy/shared/shared-storage.ts';
import { memNeedOf } from '../../../../src/htools/model/rules/memory.ts';
import { reservationOf } from '../../../../src/htools/model/rules/n-plus-one.ts';
import { misplacedOf } from '../../../../src/htools/model/rules/sets.ts';
import * as F from '../../../../src/htools/model/state/node-fields.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { unitPrices } from '../../../../src/htools/plan/price.ts';
import type { BalanceOptions } from '../../../../src/htools/planners/balance/options.ts';
import { kindsWithTarget, mayFailOver } from '../../../../src/htools/planners/balance/possible-moves.ts';

const mayMove = (instance: Instance): boolean =>
  instance.isMovable &&
  instance.isAutoBalanced &&
  !instance.isForthcoming &&
  isMovableTemplate(instance.diskTemplate);

/** What a snapshot breaks even without all that may move: too little memory, shared tags, parted sets. */
function brokenAnyway(snapshot: Snapshot, nodes: readonly number[]): number {
  const state = new ClusterState(snapshot);
  const isMovable = (i: number): boolean => {
    const instance = snapshot.instances[i]!;
    const isBound = instance.diskTemplate === 'drbd' && instance.secondary < 0;
    return mayMove(instance) && !isBound && nodes.includes(instance.primary);
  };
  const parted = state.placement.allSets().map((set) => {
    const fixed = set.members.filter((i) => !isMovable(i));
    return misplacedOf(
      set,
      nodes.map((n) => fixed.filter((i) => snapshot.instances[i]!.primary === n).length),
    );
  });
  const ofSets = parted.reduce((sum, count) => sum + count, 0);
  return nodes.reduce((sum, n) => {
    if (state.isOffline[n]) return sum;
    let free = state.nodeFields[n * F.NODE_STRIDE + F.FREE_MEM]!;
    const reserved = new Map<number, number>();
    const carriers = new Map<string, number>();
    snapshot.instances.forEach((instance, i) => {
      const { primary, secondary } = instance;
      if (isMovable(i)) {
        if (primary === n) free += memNeedOf(state, i);
        return;
      }
      if (primary === n)
        for (const tag of instance.exclusionTags) carriers.set(tag, (carriers.get(tag) ?? 0) + 1);
      if (secondary === n) reserved.set(primary, (reserved.get(primary) ?? 0) + reservationOf(state, i));
    });
    const conflicts = [...carriers.values()].reduce((all, count) => all + count - 1, 0);
    return sum + conflicts + (free <= Math.max(0, ...reserved.values()) ? 1 : 0);
  }, ofSets);
}

/** Rules broken by what may move, as the instances stand. */
export function brokenNow(state: ClusterState, nodes: readonly number[], diskMoves: boolean): number {
  const { snapshot } = state;
  let broken = -brokenAnyway(snapshot, nodes);
  const isIn = (n: number): boolean => nodes.includes(n);
  const tagsOn = new Map<string, number>();
  snapshot.instances.forEach((instance, i) => {
    const p = state.primary[i]!;
    const s = state.secondary[i]!;
    if (!isIn(p)) return;
    const wishes = wishesOf(instance.tags);
    if (mayMove(instance) && !(instance.diskTemplate === 'drbd' && s < 0)) {
      const places = instance.diskTemplate === 'drbd' && diskMoves ? [p, s] : [p];
      for (const n of places) {
        if (snapshot.nodes[n]!.isOffline) broken++;
        if (isBarredFrom(wishes, snapshot.nodes[n]!) || !state.reaches(i, n)) broken++;
      }
    }
    for (const tag of instance.exclusionTags) tagsOn.set(`${p} ${tag}`, (tagsOn.get(`${p} ${tag}`) ?? 0) + 1);
  });
  for (const [key, count] of tagsOn)
    if (!snapshot.nodes[Number(key.split(' ')[0])]!.isOffline) broken += count - 1;
  for (const set of state.placement.allSets()) {
    const count = (n: number): number => set.members.filter((i) => state.primary[i] === n).length;
    broken += misplacedOf(set, nodes.map(count));
  }
  for (const n of nodes) if (!state.isOffline[n]) broken += state.nodeFields[n * F.NODE_STRIDE + F.FAILS_N1]!;
  return broken;
}

export interface Mended {
  readonly moves: number;
  /** Sticky instances moved, MiB copied times their factors, and memory migrated. */
  readonly price: readonly [number, number];
}

const compare = (a: readonly number[], b: readonly number[]): number => a[0]! - b[0]! || a[1]! - b[1]!;

interface Place {
  readonly moves: readonly Move[];
  readonly price: [number, number];
}

/** Moves of an instance that the run may take, whether or not the rules allow them. */
function movesToTry(
  state: ClusterState,
  i: number,
  nodes: readonly number[],
  options: BalanceOptions,
): readonly (readonly [MoveKind, number])[] {
  const instance = state.snapshot.instances[i]!;
  if (!mayMove(instance) || !nodes.includes(state.primary[i]!)) return [];
  if (instance.diskTemplate === 'drbd' && state.secondary[i]! < 0) return [];
  const moves: [MoveKind, number][] = mayFailOver(state, i, options) ? [[FAILOVER, -1]] : [];
  for (const t of nodes) {
    if (state.isOffline[t] || t === state.primary[i] || t === state.secondary[i]) continue;
    for (const kind of kindsWithTarget(state, i, options)) moves.push([kind, t]);
  }
  return moves;
}

/**
 * The fewest and cheapest moves that mend everything; undefined when none do, `too-many` when there are too
 * many ways to look at.
 */
export function everyWay(
  snapshot: Snapshot,
  nodes: readonly number[],
  options: BalanceOptions,
  mostWays: number,
): Mended | undefined | 'too-many' {
  let level = new Map<string, Place>([['', { moves: [], price: [0, 0] }]]);
  let ways = 0;
  for (let moves = 0; level.size > 0; moves++) {
    const next = new Map<string, Place>();
    let best: Place | undefined;
    for (const place of level.values()) {
      const state = new ClusterState(snapshot);
      for (const { instance, kind, target } of place.moves)
        applyMove(state, instance, kind, target, options.ignoreSoftErrors);
      if (brokenNow(state, nodes, options.diskMoves) === 0 && (!best || compare(place.price, best.price) < 0))
        best = place;
      const guard = state.storage ? new SharedStorageN1(state, state.anyStorage(), { nodes }) : undefined;
      const moved = new Set(place.moves.map(({ instance }) => instance));
      for (let i = 0; i < state.instanceCount; i++) {
        if (moved.has(i)) continue;
        const instance = snapshot.instances[i]!;
        for (const [kind, target] of movesToTry(state, i, nodes, options)) {
          if (++ways > mostWays) return 'too-many';
          const before = state.primary[i]!;
          const touched = [before, state.secondary[i]!, target].filter((n) => n >= 0);
          const mark = state.journal.mark();
          if (applyMove(state, i, kind, target, options.ignoreSoftErrors) !== ALLOWED) continue;
          const isSafe = !guard || guard.newlyFailing([...new Set(touched)]) === undefined;
          const { copy, change, job } = unitPrices(instance, options.rates);
          const changes = state.primary[i] === before ? 0 : kind === REPLACE_PRIMARY ? 2 : 1;
          const seconds = (kind <= 1 ? 0 : copy) + changes * change + job;
          const [sticky, milliseconds] = place.price;
          const price: [number, number] = [
            sticky + (isSticky(instance.tags) ? 1 : 0),
            milliseconds + Math.round(1000 * seconds),
          ];
          const key = snapshot.instances
            .map((_, k) => (k === i || moved.has(k) ? `${k}:${state.primary[k]}:${state.secondary[k]}` : ''))
            .join();
          const known = next.get(key);
          if (isSafe && (!known || compare(price, known.price) < 0))
            next.set(key, { moves: [...place.moves, { instance: i, kind, target }], price });
          state.journal.rollback(mark);
        }
      }
    }
    if (best) return { moves, price: best.price };
    level = next;
  }
  return undefined;
}

/**
 * How many times rules are broken at least in any placement that allowed moves lead to, however often each
 * instance moves; `too-many` when there are too many placements to look at.
 */
export function leastReachable(
  snapshot: Snapshot,
  nodes: readonly number[],
  options: BalanceOptions,
  mostPlaces: number,
): number | 'too-many' {
  const state = new ClusterState(snapshot);
  const keyOf = (): string => `${state.primary.join()} ${state.secondary.join()}`;
  const seen = new Set([keyOf()]);
  const queue: (readonly Move[])[] = [[]];
  let least = brokenNow(state, nodes, options.diskMoves);
  for (const way of queue) {
    const mark = state.journal.mark();
    for (const { instance, kind, target } of way)
      applyMove(state, instance, kind, target, options.ignoreSoftErrors);
    const guard = state.storage ? new SharedStorageN1(state, state.anyStorage(), { nodes }) : undefined;
    for (const i of snapshot.instances.keys()) {
      for (const [kind, target] of movesToTry(state, i, nodes, options)) {
        const touched = [state.primary[i]!, state.secondary[i]!, target].filter((n) => n >= 0);
        const before = state.journal.mark();
        if (applyMove(state, i, kind, target, options.ignoreSoftErrors) !== ALLOWED) continue;
        const isSafe = !guard || guard.newlyFailing([...new Set(touched)]) === undefined;
        const key = keyOf();
        if (isSafe && !seen.has(key)) {
          if (seen.size >= mostPlaces) return 'too-many';
          seen.add(key);
          queue.push([...way, { instance: i, kind, target }]);
          least = Math.min(least, brokenNow(state, nodes, options.diskMoves));
        }
        state.journal.rollback(before);
      }
    }
    state.journal.rollback(mark);
  }
  return least;
}
