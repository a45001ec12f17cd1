/**
 * The best next step: the one that the full scan of all candidates would choose, without scanning all of them
 * again.
 *
 * Bounds (score-bounds.ts) say which instances and targets could still matter after a step. The few
 * candidates within rounding of the best are scored exactly, in the stock programs' visiting order, so that
 * ties fall as theirs. What the N+1 guard refuses is passed over, and the best of the rest is the step.
 */
import { InternalError } from '../../../../kit/faults.ts';
import { ALLOWED } from '../../../cluster/refusal.ts';
import { applyMove } from '../../../model/moves/apply.ts';
import type { Move } from '../../../model/moves/kinds.ts';
import { Scorer } from '../../../model/score/scorer.ts';
import { NODE_STRIDE } from '../../../model/state/node-fields.ts';
import { type ClusterState, MIRROR_NONE } from '../../../model/state/state.ts';
import { ScoreBounds } from '../bounds/score-bounds.ts';
import type { BalanceOptions } from '../options.ts';
import { isCandidate, movesOf } from '../possible-moves.ts';
import { type Candidate, Candidates } from '../scan/candidates.ts';
import { coverage, findColumns } from '../scan/columns.ts';
import { Hoists } from '../scan/hoists.ts';
import { Scan } from '../scan/scan.ts';
import { makeScanData } from '../scan/scan-data.ts';
import { NodeTables } from '../scan/tables.ts';
import type { ParallelScan } from '../threads/parallel-scan.ts';
import { CarriedBounds } from './carried-bounds.ts';
import { guardFor, type N1Guard } from './n1-guard.ts';
import { touchedNodes, trialScore, trialScores } from './trial.ts';

/** Candidates that are kept when the guard has refused the best: a full group refuses hundreds a step. */
const MOST_SPARE = 512;

export class StepSearch {
  readonly scorer: Scorer;
  readonly scan: Scan;
  readonly bounds: ScoreBounds;
  /** Has the last word on each step, where one is wanted. */
  private readonly guard: N1Guard | undefined;
  /** Threads that share the search, where somebody has started any. */
  parallel: ParallelScan | undefined;
  private readonly tables: NodeTables;
  private readonly found = new Candidates();
  /** Instances that may move, in order; those that only exact trials can score are apart. */
  private readonly movable: number[] = [];
  private readonly oneByOne: number[] = [];
  private readonly carried: CarriedBounds;

  /** @param nodes positions of the nodes to balance: a group */
  constructor(
    readonly state: ClusterState,
    nodes: readonly number[],
    readonly options: BalanceOptions,
  ) {
    this.scorer = new Scorer(state, nodes);
    this.guard = guardFor(state, nodes, options);
    const isScope = new Set(nodes);
    this.tables = new NodeTables(state, this.scorer, findColumns(state, nodes));
    const hoists = new Hoists(this.tables, options);
    this.scan = new Scan(makeScanData(state, this.tables, hoists), this.found);
    const isCovered = coverage(state, nodes, !options.ignoreSoftErrors);
    for (let i = 0; i < state.instanceCount; i++) {
      if (!isScope.has(state.primary[i]!) || state.mirroring[i] === MIRROR_NONE) continue;
      if (!isCandidate(state, i, { ...options, evacuationOnly: false })) continue;
      (isCovered(i) ? this.movable : this.oneByOne).push(i);
    }
    this.bounds = new ScoreBounds(this.scan, this.movable);
    this.carried = new CarriedBounds(hoists, this.bounds, this.movable);
  }

  /**
   * Instances times targets of the first step: what one full scan has to look at, but for the kinds of move.
   */
  get fullScanSize(): number {
    return this.movable.length * this.tables.targets.length;
  }

  /** The best move that lowers the score, or undefined. */
  best(): Candidate | undefined {
    const { score } = this.scorer;
    // A score that is not a number (a node of size zero) compares with nothing: no move is better.
    if (Number.isNaN(score)) return undefined;
    this.found.reset(score, this.tables.tolerance());
    this.carried.renew();
    this.searchAll();
    this.tryOneByOne();
    for (;;) {
      const step = this.resolve(score);
      if (step !== 'refused') return step;
      if (!this.found.isComplete) this.searchAgain(score);
    }
  }

  /**
   * Looks for the best of what is not refused, and for more beside it, as one refusal seldom comes alone; the
   * bounds still hold and say who is worth a look.
   */
  private searchAgain(score: number): void {
    const margin = this.tables.tolerance();
    this.found.reset(score, margin, MOST_SPARE);
    this.bounds.scanReaching(0, this.movable.length, margin);
    this.tryOneByOne();
  }

  /** Carries out a step that `best` has found, or another that the rules allow; all that is kept follows. */
  apply(step: Move): void {
    const { state } = this;
    const { instance, kind, target } = step;
    const touched = touchedNodes(state, instance, target);
    const oldPrimary = state.primary[instance]!;
    const figures = figuresOf(state, oldPrimary);
    const before = figures.slice();
    if (applyMove(state, instance, kind, target, this.options.ignoreSoftErrors) !== ALLOWED) {
      throw new InternalError(`step ${JSON.stringify(step)} was found possible and then refused`);
    }
    this.guard?.refresh(touched);
    this.found.forgetRefusals();
    this.scorer.refresh(touched);
    this.tables.refresh(touched);
    // A primary that only gets another secondary is as it was: six of ten steps are of that kind.
    const isAsBefore = state.primary[instance] === oldPrimary && figures.every((x, k) => x === before[k]);
    this.carried.note(instance, isAsBefore ? touched.filter((n) => n !== oldPrimary) : touched, oldPrimary);
  }

  /** Looks at all instances, and scans those whose bounds reach the best score. */
  private searchAll(): void {
    const { bounds, tables, found, parallel, movable } = this;
    const { lowest } = bounds.arrays;
    const { length } = movable;
    if (parallel) parallel.look(bounds, length);
    else bounds.look(0, length);
    if (length === 0) return;
    const margin = tables.tolerance();
    // A good candidate early rules out most of the others.
    let first = 0;
    for (let k = 1; k < length; k++) if (lowest[movable[k]!]! < lowest[movable[first]!]!) first = k;
    bounds.scanReaching(first, first + 1, margin);
    found.clear();
    if (parallel) parallel.scan(bounds, found, length, margin);
    else bounds.scanReaching(0, length, margin);
  }

  private tryOneByOne(): void {
    for (const i of this.oneByOne) {
      if (!isCandidate(this.state, i, this.options)) continue;
      for (const move of movesOf(this.state, i, this.tables.targets, this.options)) {
        const score = trialScore(this.scorer, move, this.options.ignoreSoftErrors);
        if (score <= this.found.limit) this.found.add(i, move.kind, move.target, score);
      }
    }
  }

  /**
   * The exactly best of the candidates that rounding cannot tell apart and that the guard allows; the first
   * in visiting order wins a tie. Equal instances are hundreds of such candidates, so what the guard refuses
   * costs no search anew while no candidate outside of them can be as good.
   * @returns 'refused' where one of the others may be the best, now that these are refused
   */
  private resolve(current: number): Candidate | undefined | 'refused' {
    const { found, guard, scorer } = this;
    const { ignoreSoftErrors } = this.options;
    const candidates = found.closest();
    const scores = trialScores(scorer, candidates, ignoreSoftErrors);
    const { sure } = found;
    const closest = candidates
      .map((candidate, k): Candidate => ({ ...candidate, score: scores[k]! }))
      .filter(({ score }) => score < current)
      .sort((a, b) => a.score - b.score);
    for (const [k, candidate] of closest.entries()) {
      if (k > 0 && candidate.score > sure) break;
      if (!guard || guard.allows(candidate, ignoreSoftErrors)) return candidate;
      found.refuse(candidate);
    }
    return closest.length > 0 ? 'refused' : undefined;
  }
}

const figuresOf = ({ nodeFields }: ClusterState, n: number): Float64Array =>
  nodeFields.subarray(n * NODE_STRIDE, (n + 1) * NODE_STRIDE);
