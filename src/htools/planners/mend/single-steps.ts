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

/** The best move of an instance, and when it was found. */
interface Known {
  readonly tried: Tried | undefined;
  readonly at: number;
}

export class SingleSteps {
  private readonly known = new Map<number, Known>();
  /** When each node last changed, counted in steps. */
  private readonly changedAt: Int32Array;
  private order: number[];
  private easings = 0;
  /** Instances for which no room could be made. */
  private readonly stuck = new Set<number>();

  constructor(private readonly bench: Workbench) {
    this.changedAt = new Int32Array(bench.state.nodeCount);
    this.order = roomiest(bench);
  }

  /** What it comes to is noted on the bench; nothing is left taken there. */
  run(): void {
    const { bench } = this;
    bench.work = new Budget({ candidates: MOST_TRIED + MOST_TRIED_EACH * bench.movable.length });
    for (const set of bench.state.placement.allSets())
      if (set.rule === 'together') this.takeAll(gather(bench, set, this.order));
    do {
      this.moveOut();
      this.mendSuspects();
    } while (bench.broken > 0 && !bench.work.isSpent && (this.ease() || this.makeRoom()));
    bench.takeBackTo(0);
  }

  private takeAll(steps: readonly Tried[]): void {
    for (const tried of steps) this.take(tried);
  }

  private take(tried: Tried): void {
    const { bench, changedAt } = this;
    const { instance, target } = tried.move;
    const touched = touchedNodes(bench.state, instance, target);
    const { broken } = bench.best;
    bench.take(tried);
    for (const n of touched) changedAt[n] = bench.taken.length;
    this.order = roomiest(bench);
    bench.note();
    if (bench.best.broken < broken) this.easings = 0;
  }

  /** Each instance in a wrong place goes where it may be, if that breaks no more than it mends. */
  private moveOut(): void {
    const { bench } = this;
    const { state, book } = bench;
    const bySize = [...bench.must].sort((a, b) => state.mem[b]! - state.mem[a]! || a - b);
    for (const i of bySize) {
      const isWanted = (p: number, s: number): boolean => book.ofPlace(i, p, s) === 0;
      const tried = bestMove(bench, i, this.order, { isWanted, isGood: ({ change }) => change <= 0 });
      if (tried) this.take(tried);
    }
  }

  /** Takes the move that mends most as long as any mends. */
  private mendSuspects(): void {
    const { bench } = this;
    for (;;) {
      const [best] = suspects(bench)
        .flatMap((i) => this.bestOf(i) ?? [])
        .sort(byChange);
      if (!best || best.change >= 0 || bench.work.isSpent) return;
      const { instance } = best.move;
      const tried = bestMove(bench, instance, this.order);
      // What was known may be out of date by nodes that it does not touch: then the next best is looked for.
      if (tried && tried.change < 0) this.take(tried);
      else this.known.set(instance, { tried, at: bench.taken.length });
    }
  }

  /** The best move of an instance: as before, while its nodes and that target are unchanged. */
  private bestOf(i: number): Tried | undefined {
    const { bench, known, changedAt } = this;
    const before = known.get(i);
    const nodes = touchedNodes(bench.state, i, before?.tried?.move.target ?? -1);
    if (before && nodes.every((n) => changedAt[n]! <= before.at)) return before.tried;
    const tried = bestMove(bench, i, this.order, { isScored: false });
    known.set(i, { tried, at: bench.taken.length });
    return tried;
  }

  /** Mends nothing, but a node that fails N+1 lacks less: several such moves may mend it. */
  private ease(): boolean {
    const { bench } = this;
    if (this.easings >= MOST_EASING) return false;
    const isGood = ({ change, lack }: Tried): boolean => change <= 0 && lack < 0;
    const [best] = suspects(bench)
      .flatMap((i) => bestMove(bench, i, this.order, { order: byLack, isGood, isScored: false }) ?? [])
      .sort(byLack);
    if (!best) return false;
    this.easings++;
    this.take(best);
    return true;
  }

  /** Moves that mend something together: instances that stand in the way of the last one go first. */
  private makeRoom(): boolean {
    const { bench } = this;
    for (const i of suspects(bench)) {
      if (bench.work.isSpent) return false;
      if (this.stuck.has(i)) continue;
      const steps = afterMakingRoom(bench, i, this.order);
      if (steps.length === 0) {
        this.stuck.add(i);
        continue;
      }
      this.takeAll(steps);
      this.known.clear();
      return true;
    }
    return false;
  }
}
