/**
 * What the scan reads about nodes, laid out for it: their rooms, and the centred value of each column, target
 * after target. All over shared memory, so that worker threads see the same figures.
 */
import { float64, float64Of, int32Of, uint8 } from '../../../../kit/shared-arrays.ts';
import { NO_NODE } from '../../../cluster/snapshot.ts';
import { amountsOf, noRooms, Rooms } from '../../../model/rules/rooms.ts';
import {
  contributionsOf,
  METRIC_COUNT,
  N1_CNT,
  OFFLINE_ALL_CNT,
  RESERVED_MEM_CV,
} from '../../../model/score/metrics.ts';
import type { Scorer } from '../../../model/score/scorer.ts';
import { FURTHER_ADDITIONS } from '../../../model/score/statistics.ts';
import * as F from '../../../model/state/node-fields.ts';
import { type PeerSquares, peerSquares, refreshSquares } from '../../../model/state/peer-rows.ts';
import { type ClusterState, IS_FORTHCOMING, RESERVES_MEMORY } from '../../../model/state/state.ts';
import type { Columns } from './columns.ts';

/** Nodes that one move changes, at most. */
const MOST_TOUCHED = 3;

/** What is not finite, such as a share of a load that nobody has, is left to exact trials. */
function largestAmount(amounts: Float64Array): number {
  let largest = 0;
  for (const amount of amounts) if (Number.isFinite(amount)) largest = Math.max(largest, Math.abs(amount));
  return largest;
}

/** Columns side by side, one row an instance. */
function interleaved(columns: readonly Float64Array[]): Float64Array {
  const out = float64(columns.length * (columns[0]?.length ?? 0));
  columns.forEach((column, c) => {
    for (let i = 0; i < column.length; i++) out[i * columns.length + c] = column[i]!;
  });
  return out;
}

/** The plain arrays of the tables, as they are handed to worker threads. */
export interface TableArrays {
  /** As rules/rooms.ts has them, of the nodes that are balanced. */
  readonly rooms: Float64Array;
  readonly amounts: Float64Array;
  /** Free memory for the rule "n-plus-one"; Infinity where it is broken already. */
  readonly n1Room: Float64Array;
  readonly freeMem: Float64Array;
  readonly reserved: Float64Array;
  /** Primaries and secondaries. */
  readonly counts: Float64Array;
  /** What the node adds to the N+1 count now. */
  readonly n1: Float64Array;
  /** Centred values and scales, `[node * columns + column]`. */
  readonly x: Float64Array;
  readonly scale: Float64Array;
  readonly reservedX: Float64Array;
  readonly perMem: Float64Array;
  /** 1 for the nodes whose figures enter the deviations. */
  readonly isScored: Uint8Array;
  /** Sums of the centred values and of their squares, per column; the reserved memory's last. */
  readonly sums: Float64Array;
  readonly squares: Float64Array;
  /** One divided by the number of nodes that take part in a column. */
  readonly perNode: Float64Array;
  /** [0] share of the score that no column carries, [1] score. */
  readonly base: Float64Array;
}

export class NodeTables {
  /** Online nodes in order: the targets. */
  readonly targets: Int32Array;
  readonly arrays: TableArrays;
  readonly columnCount: number;
  /** Per column; the reserved memory's last. */
  readonly weights: Float64Array;
  /** Amounts per instance: `[instance * columns + column]`. */
  readonly asPrimary: Float64Array;
  readonly asSecondary: Float64Array;
  readonly rooms: Rooms;
  /** As the state's, but forthcoming instances reserve nothing. */
  readonly flags: Int32Array;
  /** The targets come first there, in their order. */
  readonly peers: PeerSquares;
  /** Least and largest scale, and largest absolute centred value now, per column (reserved memory last). */
  readonly leastScale: Float64Array;
  readonly largestScale: Float64Array;
  readonly largestX: Float64Array;
  /** Most that a move changes one node's value, per column (reserved memory last). */
  private readonly largestChange: Float64Array;
  private readonly centres: Float64Array;
  /**
   * 1 where a node takes part in a column, `[node * columns + column]`; all online ones do in the reserved
   * memory's.
   */
  private readonly isMember: Uint8Array;
  private readonly row = new Float64Array(METRIC_COUNT);

  constructor(
    readonly state: ClusterState,
    readonly scorer: Scorer,
    readonly columns: Columns,
  ) {
    const n = state.nodeCount;
    const k = columns.list.length;
    const online = scorer.nodes.filter((node) => !state.isOffline[node]);
    this.targets = int32Of(online);
    this.columnCount = k;
    this.weights = float64Of([...columns.list.map(({ weight }) => weight), columns.reservedWeight]);
    this.asPrimary = interleaved(columns.list.map(({ asPrimary }) => asPrimary));
    this.asSecondary = interleaved(columns.list.map(({ asSecondary }) => asSecondary));
    this.flags = int32Of(state.flags.map((f) => (f & IS_FORTHCOMING ? f & ~RESERVES_MEMORY : f)));
    this.peers = peerSquares(state, withPartners(state, [...online, ...scorer.nodes]));
    this.arrays = {
      rooms: noRooms(n),
      amounts: amountsOf(state),
      n1Room: float64(n),
      freeMem: float64(n),
      reserved: float64(n),
      counts: float64(n),
      n1: float64(n),
      x: float64(n * k),
      scale: float64(n * k),
      reservedX: float64(n),
      perMem: float64(n),
      isScored: uint8(n),
      sums: float64(k + 1),
      squares: float64(k + 1),
      perNode: float64(k + 1),
      base: float64(2),
    };
    this.rooms = new Rooms(this.arrays.rooms, this.arrays.amounts);
    this.leastScale = float64(k + 1).fill(Number.POSITIVE_INFINITY);
    this.largestScale = float64(k + 1);
    this.largestX = new Float64Array(k + 1);
    this.largestChange = new Float64Array(k + 1);
    this.centres = new Float64Array(k + 1);
    this.isMember = new Uint8Array(n * k);
    columns.list.forEach(({ members }, c) => {
      this.arrays.perNode[c] = 1 / members.length;
      for (const node of members) this.isMember[node * k + c] = 1;
    });
    this.arrays.perNode[k] = 1 / online.length;
    for (const node of online) this.prepareNode(node);
    this.findLargestChanges();
    this.findCentres();
    for (const node of scorer.nodes) this.refreshNode(node);
    this.refreshSums();
  }

  /** Takes over what an applied move changed on these nodes. The scorer must have been refreshed before. */
  refresh(nodes: readonly number[]): void {
    for (const node of nodes) this.refreshNode(node);
    refreshSquares(this.state, this.peers, nodes);
    this.refreshSums();
  }

  /** Centred value of a column in a row of contributions. */
  private centred(row: Float64Array, column: number): number {
    const metric = column === this.columnCount ? RESERVED_MEM_CV : this.columns.list[column]!.metric;
    return row[metric]! - this.centres[column]!;
  }

  private prepareNode(node: number): void {
    const { state, arrays, columnCount: k } = this;
    arrays.isScored[node] = 1;
    arrays.perMem[node] = 1 / state.totalMem[node]!;
    this.columns.list.forEach((column, c) => {
      const scale = column.scale[node]!;
      arrays.scale[node * k + c] = scale;
      this.leastScale[c] = Math.min(this.leastScale[c]!, scale);
      this.largestScale[c] = Math.max(this.largestScale[c]!, Math.abs(scale));
    });
    this.leastScale[k] = 0;
    this.largestScale[k] = Math.max(this.largestScale[k]!, arrays.perMem[node]!);
  }

  private findLargestChanges(): void {
    const { state, columns, columnCount: k, largestChange, largestScale } = this;
    columns.list.forEach(({ asPrimary, asSecondary }, c) => {
      largestChange[c] = Math.max(largestAmount(asPrimary), largestAmount(asSecondary)) * largestScale[c]!;
    });
    let reservation = 0;
    for (let i = 0; i < state.instanceCount; i++) {
      if (this.flags[i]! & RESERVES_MEMORY) reservation = Math.max(reservation, state.mem[i]!);
    }
    largestChange[k] = reservation * largestScale[k]!;
  }

  /** Centres near the means keep the cancellation in "squares minus square of the sum" small. */
  private findCentres(): void {
    const { row, columnCount: k, targets } = this;
    const totals = new Float64Array(k + 1);
    for (const node of targets) {
      contributionsOf(this.state, node, row, 0);
      for (let c = 0; c < k; c++) if (this.isMember[node * k + c]) totals[c]! += this.centred(row, c);
      totals[k]! += this.centred(row, k);
    }
    for (let c = 0; c <= k; c++) this.centres[c] = totals[c]! * this.arrays.perNode[c]!;
  }

  private refreshNode(node: number): void {
    const { state, arrays, columnCount: k, row } = this;
    const at = node * F.NODE_STRIDE;
    const freeMem = state.nodeFields[at + F.FREE_MEM]!;
    arrays.freeMem[node] = freeMem;
    arrays.reserved[node] = state.nodeFields[at + F.RESERVED_MEM]!;
    arrays.n1Room[node] = state.nodeFields[at + F.FAILS_N1] === 1 ? Number.POSITIVE_INFINITY : freeMem;
    this.rooms.refresh(state, node);
    if (!arrays.isScored[node]) return;
    contributionsOf(state, node, row, 0);
    for (let c = 0; c < k; c++) {
      arrays.x[node * k + c] = this.isMember[node * k + c] ? this.centred(row, c) : 0;
    }
    arrays.reservedX[node] = this.centred(row, k);
    arrays.n1[node] = row[N1_CNT]!;
    arrays.counts[node] = row[OFFLINE_ALL_CNT]!;
  }

  /** Sums anew, so that they do not drift from step to step. */
  private refreshSums(): void {
    const { arrays, columnCount: k, targets } = this;
    const { sums, squares, x, reservedX } = arrays;
    const { largestX } = this;
    sums.fill(0);
    squares.fill(0);
    largestX.fill(0);
    for (const node of targets) {
      for (let c = 0; c <= k; c++) {
        const value = c === k ? reservedX[node]! : x[node * k + c]!;
        sums[c]! += value;
        squares[c]! += value * value;
        largestX[c] = Math.max(largestX[c]!, Math.abs(value));
      }
    }
    const score = this.scorer.score;
    let inColumns = 0;
    for (let c = 0; c <= k; c++) inColumns += this.weights[c]! * Math.sqrt(varianceOf(arrays, c));
    arrays.base[0] = score - inColumns;
    arrays.base[1] = score;
  }

  /**
   * How far apart two scanned scores may be whose exact scores are equal: twice the error of one.
   *
   * With e = (n + 64) units in the last place, S the sum of squares with a move's changes in, and A the mean:
   * S errs by at most e S, A by e sqrt(S / n), so the variance S / n - A^2 by 3 e S / n. Values are
   * differences from a centre and err by units of that; the plain shares by units of the score. One unit is
   * half an EPSILON.
   */
  tolerance(): number {
    const { arrays, columnCount: k, state } = this;
    const n = this.targets.length;
    const relative = ((n + FURTHER_ADDITIONS) * Number.EPSILON) / 2;
    let error = relative * (Math.abs(arrays.base[1]!) + state.instanceCount);
    for (let c = 0; c <= k; c++) {
      const farthest = this.largestX[c]! + this.largestChange[c]!;
      const squares = arrays.squares[c]! + 2 * MOST_TOUCHED * farthest ** 2;
      const root = rootError(3 * relative * squares * arrays.perNode[c]!, this.leastVariance(c));
      error += this.weights[c]! * (root + relative * Math.abs(this.centres[c]!));
    }
    return 2 * error;
  }

  /** Least variance of a column that a move can leave. */
  private leastVariance(c: number): number {
    const perNode = this.arrays.perNode[c]!;
    const change = this.largestChange[c]!;
    const mean = Math.abs(this.arrays.sums[c]! * perNode);
    const shift = MOST_TOUCHED * change * perNode;
    const fall = shift * (2 * this.largestX[c]! + change) + shift * (2 * mean + shift);
    return Math.max(0, varianceOf(this.arrays, c) - fall);
  }
}

export function varianceOf({ sums, squares, perNode }: TableArrays, column: number): number {
  const mean = sums[column]! * perNode[column]!;
  return Math.max(0, squares[column]! * perNode[column]! - mean * mean);
}

/** The nodes, and those beyond them where instances of theirs have a secondary. */
function withPartners(state: ClusterState, nodes: readonly number[]): number[] {
  const all = new Set(nodes);
  for (const node of nodes)
    for (const i of state.primaries[node]!) if (state.secondary[i] !== NO_NODE) all.add(state.secondary[i]!);
  return [...all];
}

/**
 * How far the root of a variance may be off: |sqrt(a) - sqrt(b)| is at most sqrt|a - b|, and |a - b| /
 * sqrt(b).
 */
const rootError = (error: number, leastVariance: number): number =>
  leastVariance > 0 ? Math.min(Math.sqrt(error), error / Math.sqrt(leastVariance)) : Math.sqrt(error);
