/**
 * The best node for one instance after the other, without looking at all nodes: the same node as trying all
 * of them finds. It may have to pass a further test, as that of the cluster's redundancy; what fails it is
 * not asked again while its group stays as it is.
 *
 * The nodes of a group stand in blocks, each with the least that one of its nodes scores; how far the scores
 * of blocks that did not change can have moved is added up (score-drift.ts). Nodes that these figures cannot
 * tell apart are scored exactly.
 */
import { kept } from '../../../../kit/kept.ts';
import { ALLOWED } from '../../../cluster/refusal.ts';
import type { RefusalTerm } from '../../../model/redundancy/drbd/global-n-plus-one.ts';
import { lastLowest } from '../../../model/score/ascending.ts';
import { METRIC_COUNT, METRICS, N1_CNT } from '../../../model/score/metrics.ts';
import type { Scorer } from '../../../model/score/scorer.ts';
import { scoresWith } from '../../../model/score/variants.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import type { RefusalTable } from '../choose/refusal-table.ts';
import { followsLocations, type RoleChanges } from './role-changes.ts';
import { Range, ScoreDrift } from './score-drift.ts';

/** Nodes of a block: few are looked at in vain, and there are few blocks. */
const BLOCK_SIZE = 40;
/** Our rounding and that of stock, which adds up all nodes for each score. */
const PARTS_OF_ERROR = 2;

/** What a node has to pass beside the rules. */
interface Test {
  /** Whether it is known without asking that the node fails for good. */
  readonly isHopeless: (node: number) => boolean;
  /** Says yes, or how long a no holds. */
  readonly ask: (node: number) => 'yes' | RefusalTerm;
  /** Terms that are numbers have ended up to this. */
  readonly moved: number;
}

interface Block {
  readonly nodes: readonly number[];
  /** Nodes that may be chosen; undefined: to be found. */
  open: number[] | undefined;
  /** Whether those that the test says no to without asking have been left out of them. */
  isSifted: boolean;
  /** Least score, less how far scores had moved; -Infinity: not known. */
  least: number;
  /** How far a score that is computed here may be from stock's. */
  error: number;
  /** The same but for what all scores of a moment are off by. */
  ownError: number;
  /** When it was computed. */
  moment: number;
}

export class NodeSearch {
  private readonly state: ClusterState;
  private readonly changes: RoleChanges;
  private readonly drift: ScoreDrift;
  private readonly blocks: readonly Block[];
  private readonly blockAt = new Map<number, Block>();
  private readonly scores: Float64Array;
  /** Nodes that failed the test; up to what others may move; those to be asked again with their group. */
  private readonly failed = new Set<number>();
  private readonly failedUntil = new Map<number, number>();
  private readonly failedInGroup = new Map<number, Set<number>>();
  private readonly hasExclusive: boolean;

  constructor(
    private readonly scorer: Scorer,
    candidates: readonly number[],
  ) {
    const { state } = scorer;
    this.state = state;
    this.hasExclusive = state.isExclusive.includes(1);
    this.drift = new ScoreDrift(scorer, false, candidates.length);
    this.changes = this.drift.changes;
    this.scores = new Float64Array(state.nodeCount);
    this.blocks = blocksOf(candidates);
    for (const block of this.blocks) for (const n of block.nodes) this.blockAt.set(n, block);
  }

  /**
   * Takes over what changed on these nodes. Returns whether the search applies: no metric is undefined, and
   * none of locations follows the instance.
   * @param isAll whether nothing of the others was about an instance of this size
   */
  update(i: number, changed: readonly number[], isAll: boolean): boolean {
    const { blocks, changes, drift, state } = this;
    if (drift.update(changed, isAll)) for (const block of blocks) block.least = Number.NEGATIVE_INFINITY;
    if (isAll) {
      this.forget();
      for (const block of blocks) block.open = undefined;
    } else {
      for (const n of changed) {
        this.askAgain(this.failedIn(state.groupOf[n]!));
        this.reopen(n);
      }
    }
    return changes.areDefined && !followsLocations(state, i);
  }

  /** Forgets what the test said. */
  forget(): void {
    this.askAgain(this.failed);
  }

  private askAgain(nodes: Iterable<number>): void {
    for (const n of nodes) {
      this.failed.delete(n);
      this.failedUntil.delete(n);
      this.failedIn(this.state.groupOf[n]!).delete(n);
      this.reopen(n);
    }
  }

  /** Looks again at a node, with its block. */
  private reopen(node: number): void {
    const block = this.blockAt.get(node);
    if (block) block.open = undefined;
  }

  /** The best allowed node that passes the test, of equal ones the last; undefined when there is none. */
  find(i: number, table: RefusalTable, test?: Test): number | undefined {
    const exact = new Map<number, number>();
    for (const [n, until] of this.failedUntil) if (!test || until <= test.moved) this.askAgain([n]);
    for (const block of this.blocks) {
      if (block.open === undefined || block.least === Number.NEGATIVE_INFINITY) this.renew(block, i, table);
      if (test) this.sift(block, test);
    }
    for (;;) {
      const node = this.best(i, table, exact);
      const verdict = node === undefined || !test ? 'yes' : test.ask(node);
      if (verdict === 'yes') return node;
      this.fail(node!, verdict);
      const block = this.blockAt.get(node!)!;
      block.open = block.open!.filter((n) => n !== node);
      this.bound(block);
    }
  }

  /** Leaves out what fails without being asked: there are many of these, and each would take a search. */
  private sift(block: Block, test: Test): void {
    if (block.isSifted) return;
    block.isSifted = true;
    const hopeless = block.open!.filter(test.isHopeless);
    if (hopeless.length === 0) return;
    for (const n of hopeless) this.failed.add(n);
    block.open = block.open!.filter((n) => !this.failed.has(n));
    // Its bound is still one; where it matters, it is computed anew.
    block.moment = 0;
  }

  private fail(node: number, term: RefusalTerm): void {
    this.failed.add(node);
    if (term === 'for-good') return;
    this.failedIn(this.state.groupOf[node]!).add(node);
    if (term === 'for-now') this.failedUntil.set(node, Number.NEGATIVE_INFINITY);
    else if (term !== 'while-group-stays') this.failedUntil.set(node, term);
  }

  private failedIn(group: number): Set<number> {
    return kept(this.failedInGroup, group, () => new Set());
  }

  private best(i: number, table: RefusalTable, exact: Map<number, number>): number | undefined {
    const near: { readonly node: number; readonly least: number }[] = [];
    let limit = Number.POSITIVE_INFINITY;
    let nodeLimit = Number.POSITIVE_INFINITY;
    const open = ({ open: nodes, error, ownError }: Block): void => {
      for (const node of nodes!) {
        const score = this.scores[node]!;
        if (score - ownError > nodeLimit) continue;
        limit = Math.min(limit, score + error);
        nodeLimit = Math.min(nodeLimit, score + ownError);
        near.push({ node, least: score - ownError });
      }
    };
    const nearest = this.nearest();
    if (nearest && this.mayHold(nearest, limit, i, table)) open(nearest);
    for (const block of this.blocks)
      if (block !== nearest && this.mayHold(block, limit, i, table)) open(block);
    const nodes = near.filter(({ least }) => least <= nodeLimit).map(({ node }) => node);
    return nodes.length > 1 ? this.exactlyBest(nodes, exact) : nodes[0];
  }

  /** The block with the least bound. */
  private nearest(): Block | undefined {
    let nearest: Block | undefined;
    for (const block of this.blocks)
      if (nearest === undefined || block.least < nearest.least) nearest = block;
    return nearest;
  }

  /** Computes a block anew unless what is known of it rules it out. */
  private mayHold(block: Block, score: number, i: number, table: RefusalTable): boolean {
    if (block.least === Number.POSITIVE_INFINITY || block.least + this.drift.moved > score) return false;
    if (block.moment !== this.drift.moment) this.renew(block, i, table);
    return block.least + this.drift.moved <= score;
  }

  private renew(block: Block, i: number, table: RefusalTable): void {
    const { changes, drift, failed, scores } = this;
    const { weights } = drift;
    block.moment = drift.moment;
    if (block.open === undefined) {
      block.open = block.nodes.filter((n) => table.primaryCode(n) === ALLOWED && !failed.has(n));
      block.isSifted = false;
    }
    const { open } = block;
    changes.know(i, open);
    for (const n of open) scores[n] = weights[N1_CNT]! * changes.primary.change[N1_CNT]![n]!;
    let error = changes.scoreError();
    let ownError = error;
    for (let m = 0; m < METRIC_COUNT; m++) {
      if (weights[m] === 0 || !this.isMoved(m, i)) continue;
      const { first, second, firstShift, secondShift } = drift.reach[m]!;
      const variance = changes.variances[m]!;
      const shifts = new Range();
      for (const n of open) {
        const shift = changes.shift(m, n, changes.primary);
        scores[n]! += weights[m]! * Math.sqrt(Math.max(0, variance + shift));
        shifts.add(shift);
        first.add(changes.primary.change[m]![n]!);
      }
      if (shifts.isEmpty) continue;
      firstShift.cover(shifts);
      second.add(0);
      secondShift.add(0);
      error += weights[m]! * changes.deviationError(m, variance + shifts.low);
      ownError +=
        weights[m]! *
        (changes.distanceError(m, variance + shifts.low, shifts.largest, first.largest) +
          changes.sumError(m, variance + shifts.high));
    }
    // What is added here is rounded, and so is what stock adds of it to the rest.
    let most = 0;
    for (const n of open) most = Math.max(most, scores[n]!);
    const further = most * METRIC_COUNT * Number.EPSILON;
    block.error = PARTS_OF_ERROR * (error + further);
    block.ownError = ownError + further;
    this.bound(block);
  }

  /** Whether the instance may change this deviation. Exclusive storage counts disk in spindles. */
  private isMoved(m: number, i: number): boolean {
    const { isOfDisks, moved } = METRICS[m]!;
    return moved !== undefined && (moved.asPrimary(this.state, i) !== 0 || (isOfDisks && this.hasExclusive));
  }

  private bound(block: Block): void {
    let least = Number.POSITIVE_INFINITY;
    for (const n of block.open!) if (this.scores[n]! < least) least = this.scores[n]!;
    block.least = least - block.error - this.drift.moved;
  }

  /** Scores what rounding cannot tell from the best; those that are known are not scored again. */
  private exactlyBest(nodes: readonly number[], exact: Map<number, number>): number {
    const sorted = nodes.toSorted((a, b) => a - b);
    const unknown = sorted.filter((n) => !exact.has(n));
    const figures = this.changes.primary.rows;
    const others = unknown.map((node, k) => ({ node, figures, at: node * METRIC_COUNT, variants: [k] }));
    const crowdings = new Float64Array(unknown.length).fill(this.scorer.crowding());
    scoresWith(this.scorer, others, crowdings).forEach((score, k) => {
      exact.set(unknown[k]!, score);
    });
    return sorted[lastLowest(sorted.map((n) => exact.get(n)!))]!;
  }
}

const blocksOf = (nodes: readonly number[]): Block[] =>
  Array.from({ length: Math.ceil(nodes.length / BLOCK_SIZE) }, (_, k) => ({
    nodes: nodes.slice(k * BLOCK_SIZE, (k + 1) * BLOCK_SIZE),
    open: undefined,
    isSifted: false,
    least: Number.NEGATIVE_INFINITY,
    error: 0,
    ownError: 0,
    moment: 0,
  }));
