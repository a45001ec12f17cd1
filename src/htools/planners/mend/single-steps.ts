/**
 * Mends step by step: what is in a wrong place, the largest first; then whatever a single move mends, the
 * best first; where none does, one that leaves a failing node less to lack, or moves that make room.
 */
import { Budget } from '../anneal/budget.ts';
import { touchedNodes } from '../balance/steps/trial.ts';
import { bestMove, byChange, byLack, roomiest, suspects } from './best-move.ts';
import { afterMakingRoom, gather } from './make-room.ts';
import type { Tried, Workbench } from './workbench.ts';

/** Moves tried, and how many more for each instance. */
const MOST_TRIED = 200_000;
const MOST_TRIED_EACH = 300;
/** Steps that mend nothing by themselves, one after the other. */
const MOST_EASING = 8;

/** What it comes to is noted on the bench; nothing is left taken there. */
export function takeSingleSteps(bench: Workbench): void {
  const { state, book, taken } = bench;
  /** The best move of an instance, and when it was found. */
  const known = new Map<number, { readonly tried: Tried | undefined; readonly at: number }>();
  /** When each node last changed, counted in steps. */
  const changedAt = new Int32Array(state.nodeCount);
  /** Instances for which no room could be made. */
  const stuck = new Set<number>();
  let order = roomiest(bench);
  let easings = 0;

  const take = (tried: Tried): void => {
    const { instance, target } = tried.move;
    const touched = touchedNodes(state, instance, target);
    const { broken } = bench.best;
    bench.take(tried);
    for (const n of touched) changedAt[n] = taken.length;
    order = roomiest(bench);
    bench.note();
    if (bench.best.broken < broken) easings = 0;
  };

  /** Each instance in a wrong place goes where it may be, if that breaks no more than it mends. */
  const moveOut = (): void => {
    const bySize = [...bench.must].sort((a, b) => state.mem[b]! - state.mem[a]! || a - b);
    for (const i of bySize) {
      const isWanted = (p: number, s: number): boolean => book.ofPlace(i, p, s) === 0;
      const tried = bestMove(bench, i, order, { isWanted, isGood: ({ change }) => change <= 0 });
      if (tried) take(tried);
    }
  };

  /** The best move of an instance: as before, while its nodes and that target are unchanged. */
  const bestOf = (i: number): Tried | undefined => {
    const before = known.get(i);
    const nodes = touchedNodes(state, i, before?.tried?.move.target ?? -1);
    if (before && nodes.every((n) => changedAt[n]! <= before.at)) return before.tried;
    const tried = bestMove(bench, i, order, { isScored: false });
    known.set(i, { tried, at: taken.length });
    return tried;
  };
  /** Takes the move that mends most as long as any mends. */
  const mendSuspects = (): void => {
    for (;;) {
      const [best] = suspects(bench)
        .flatMap((i) => bestOf(i) ?? [])
        .sort(byChange);
      if (!best || best.change >= 0 || bench.work.isSpent) return;
      const { instance } = best.move;
      const tried = bestMove(bench, instance, order);
      // What was known may be out of date by nodes that it does not touch: then the next best is looked for.
      if (tried && tried.change < 0) take(tried);
      else known.set(instance, { tried, at: taken.length });
    }
  };

  /** Mends nothing, but a node that fails N+1 lacks less: several such moves may mend it. */
  const ease = (): boolean => {
    if (easings >= MOST_EASING) return false;
    const isGood = ({ change, lack }: Tried): boolean => change <= 0 && lack < 0;
    const [best] = suspects(bench)
      .flatMap((i) => bestMove(bench, i, order, { order: byLack, isGood, isScored: false }) ?? [])
      .sort(byLack);
    if (!best) return false;
    easings++;
    take(best);
    return true;
  };

  /** Moves that mend something together: instances that stand in the way of the last one go first. */
  const makeRoom = (): boolean => {
    for (const i of suspects(bench)) {
      if (bench.work.isSpent) return false;
      if (stuck.has(i)) continue;
      const steps = afterMakingRoom(bench, i, order);
      if (steps.length === 0) {
        stuck.add(i);
        continue;
      }
      steps.forEach(take);
      known.clear();
      return true;
    }
    return false;
  };

  bench.work = new Budget({ candidates: MOST_TRIED + MOST_TRIED_EACH * bench.movable.length });
  for (const set of state.placement.allSets())
    if (set.rule === 'together') gather(bench, set, order).forEach(take);
  do {
    moveOut();
    mendSuspects();
  } while (bench.broken > 0 && !bench.work.isSpent && (ease() || makeRoom()));
  bench.takeBackTo(0);
}
