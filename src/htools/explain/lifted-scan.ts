/**
 * The best moves of a group whatever the rules say; they are scored exactly and held against the rules
 * afterwards. The balancer's bounds say which instances could lead low enough to be asked for.
 */
import type { Move, MoveKind } from '../model/moves/kinds.ts';
import { noRooms } from '../model/rules/rooms.ts';
import type { Scorer } from '../model/score/scorer.ts';
import { type ClusterState, MIRROR_NONE } from '../model/state/state.ts';
import type { PlanStep } from '../plan/plan.ts';
import { nodesOfStep, stepOf } from '../plan/step.ts';
import { ScoreBounds } from '../planners/balance/bounds/score-bounds.ts';
import type { BalanceOptions } from '../planners/balance/options.ts';
import { isCandidate, movesOf } from '../planners/balance/possible-moves.ts';
import { type Candidate, Candidates } from '../planners/balance/scan/candidates.ts';
import { coverage, findColumns } from '../planners/balance/scan/columns.ts';
import { Hoists } from '../planners/balance/scan/hoists.ts';
import { Scan } from '../planners/balance/scan/scan.ts';
import { makeScanData } from '../planners/balance/scan/scan-data.ts';
import { NodeTables } from '../planners/balance/scan/tables.ts';
import { CarriedBounds } from '../planners/balance/steps/carried-bounds.ts';
import { withPlacement } from './placement.ts';

/** Candidates that are kept of each instance. */
const KEPT = 4;
/** Exact trials of one look, for instances that the scan does not cover. */
const MOST_TRIALS = 20_000;

/** The best few of one instance below a ceiling. */
class BestOfInstance extends Candidates {
  readonly best4: Candidate[] = [];

  start(ceiling: number): void {
    this.best4.length = 0;
    this.best = ceiling;
    this.limit = ceiling;
  }

  override add(instance: number, kind: number, target: number, score: number): void {
    const { best4 } = this;
    let at = best4.length;
    while (at > 0 && best4[at - 1]!.score > score) at--;
    best4.splice(at, 0, { instance, kind: kind as MoveKind, target, score });
    if (best4.length > KEPT) best4.pop();
    if (best4.length === KEPT) this.limit = Math.min(this.limit, best4[KEPT - 1]!.score);
  }
}

const byScore = (a: Candidate, b: Candidate): number =>
  a.score - b.score || a.instance - b.instance || a.target - b.target;

function insert(sorted: Candidate[], move: Candidate): void {
  let at = sorted.length;
  while (at > 0 && byScore(sorted[at - 1]!, move) > 0) at--;
  sorted.splice(at, 0, move);
}

export class LiftedScan {
  private readonly tables: NodeTables;
  private readonly bounds: ScoreBounds;
  private readonly scan: Scan;
  private readonly found = new BestOfInstance();
  private readonly movable: number[] = [];
  private readonly oneByOne: number[] = [];
  private readonly carried: CarriedBounds;
  /** Instances of the last look that were too many to be tried. */
  notLookedAt = 0;

  /** @param scorer of the nodes that are balanced */
  constructor(
    private readonly state: ClusterState,
    private readonly scorer: Scorer,
    private readonly options: BalanceOptions,
  ) {
    const { nodes } = scorer;
    this.tables = new NodeTables(state, scorer, findColumns(state, nodes));
    const hoists = new Hoists(this.tables, options, true);
    const data = makeScanData(state, this.tables, hoists);
    const tables = { ...data.tables, rooms: noRooms(state.nodeCount).fill(Number.POSITIVE_INFINITY) };
    this.scan = new Scan({ ...data, tables, access: undefined, migrationClassCount: 1 }, this.found);
    const isScope = new Set(nodes);
    const isCovered = coverage(state, nodes, !options.ignoreSoftErrors);
    for (let i = 0; i < state.instanceCount; i++) {
      if (!isScope.has(state.primary[i]!) || state.mirroring[i] === MIRROR_NONE) continue;
      (isCovered(i) ? this.movable : this.oneByOne).push(i);
    }
    this.bounds = new ScoreBounds(this.scan, this.movable);
    this.carried = new CarriedBounds(hoists, this.bounds, this.movable);
  }

  /** Takes over a step that was taken; the scorer must have been refreshed before. */
  refresh(step: PlanStep): void {
    const touched = nodesOfStep(step);
    this.tables.refresh(touched);
    this.carried.note(step.instance, touched, step.fromPrimary);
  }

  /** The best few moves of each instance below the ceiling, the lowest score first; no rule is asked. */
  *below(ceiling: number): Generator<Candidate> {
    if (Number.isNaN(ceiling)) return;
    const { bounds, found } = this;
    this.carried.renew();
    bounds.look(0, this.movable.length);
    const tolerance = this.tables.tolerance();
    const lowestOf = (i: number): number => bounds.arrays.lowest[i]! - tolerance;
    const open = this.movable.filter((i) => !(lowestOf(i) > ceiling));
    open.sort((a, b) => lowestOf(a) - lowestOf(b));
    const waiting = this.triedBelow(ceiling).sort(byScore);
    for (const i of open) {
      // Nothing that is still to be scanned can lead lower than these.
      while (waiting.length > 0 && waiting[0]!.score < lowestOf(i)) yield waiting.shift()!;
      found.start(ceiling);
      bounds.scanBest(i, tolerance);
      for (const move of found.best4) insert(waiting, move);
    }
    yield* waiting;
  }

  /** The same for the instances that are tried move by move. */
  private triedBelow(ceiling: number): Candidate[] {
    const { state, options, found } = this;
    const all: Candidate[] = [];
    this.notLookedAt = 0;
    let trials = 0;
    for (const i of this.oneByOne) {
      if (!isCandidate(state, i, options)) continue;
      if (trials > MOST_TRIALS) {
        this.notLookedAt++;
        continue;
      }
      found.start(ceiling);
      for (const move of this.movesOf(i)) {
        trials++;
        const score = this.exactScore(move);
        if (score < found.limit) found.add(move.instance, move.kind, move.target, score);
      }
      all.push(...found.best4);
    }
    return all;
  }

  /** All moves of an instance that the options allow, failover first. */
  movesOf(i: number): Move[] {
    return movesOf(this.state, i, this.tables.targets, this.options);
  }

  /** Score after a move, whatever the rules say. */
  exactScore(move: Move): number {
    const { state, scorer } = this;
    return withPlacement(state, scorer, stepOf(state, move), () => scorer.score);
  }
}
