/**
 * The exact score of some nodes (a group, or the whole cluster), to the last bit as the stock programs
 * compute it.
 *
 * Contributions are kept per metric, node by node, so that after a trial only touched nodes are asked again
 * and only the metrics in which something changed are combined again: two passes in node order, since the
 * order of the additions decides the last bits, and these decide between candidates that tie.
 */
import type { ClusterState } from '../state/state.ts';
import { diskMembers } from './disk-membership.ts';
import {
  contributionsOf,
  LOCATION_EXCLUSION_SCORE,
  METRIC_COUNT,
  METRICS,
  RESERVED_MEM_RTOTAL,
} from './metrics.ts';
import { deviationsWith, sumsWith } from './one-other.ts';

/** Standard deviation, mean first, then the squares, both in order. NaN for no values. */
function deviationOf(values: Float64Array): number {
  const n = values.length;
  let total = 0;
  for (let j = 0; j < n; j++) total += values[j]!;
  const mean = total / n;
  let squares = 0;
  for (let j = 0; j < n; j++) {
    const d = values[j]! - mean;
    squares += d * d;
  }
  return Math.sqrt(squares / n);
}

function sumOf(values: Float64Array): number {
  let total = 0;
  for (let j = 0; j < values.length; j++) total += values[j]!;
  return total;
}

export class Scorer {
  private readonly combined = new Float64Array(METRIC_COUNT);
  private readonly online: readonly number[];
  private readonly groups: readonly number[];
  /** Place of a node among the online (or the offline) ones; -1 where it is not scored. */
  private readonly placeOf: Int32Array;
  /** The same among those that take part in the disk metrics. */
  private readonly diskPlaceOf: Int32Array;
  /** Contributions per metric, of the nodes that count for it, in node order. */
  private readonly columns: Float64Array[];
  private readonly row = new Float64Array(METRIC_COUNT);
  /** 1 for the metrics that are to be combined again. */
  private readonly isChanged = new Uint8Array(METRIC_COUNT);

  constructor(
    readonly state: ClusterState,
    /** Positions of the nodes scored, in order. */
    readonly nodes: readonly number[],
  ) {
    this.online = nodes.filter((n) => !state.isOffline[n]);
    const offline = nodes.filter((n) => state.isOffline[n]);
    this.groups = [...new Set(nodes.map((n) => state.groupOf[n]!))];
    this.placeOf = new Int32Array(state.nodeCount).fill(-1);
    this.online.forEach((n, place) => {
      this.placeOf[n] = place;
    });
    offline.forEach((n, place) => {
      this.placeOf[n] = place;
    });
    const members = diskMembers(state, this.online);
    this.diskPlaceOf = members ? new Int32Array(state.nodeCount).fill(-1) : this.placeOf;
    members?.forEach((n, place) => {
      this.diskPlaceOf[n] = place;
    });
    this.columns = METRICS.map(({ online, isOfDisks }) => {
      const nodesOf = isOfDisks ? (members ?? this.online) : this.online;
      return new Float64Array(online ? nodesOf.length : offline.length);
    });
    for (const node of nodes) this.refreshNode(node);
    this.isChanged.fill(1);
    this.combined[LOCATION_EXCLUSION_SCORE] = state.tags.crowdingOf(this.groups);
  }

  /** Value of each metric now: combined when somebody asks, since a trial is taken back unasked. */
  get values(): Float64Array {
    const { columns, combined, isChanged } = this;
    for (let m = 0; m < METRIC_COUNT; m++) {
      if (isChanged[m] === 0) continue;
      isChanged[m] = 0;
      const { combination } = METRICS[m]!;
      if (combination === 'deviation') combined[m] = deviationOf(columns[m]!);
      else if (combination === 'sum') combined[m] = sumOf(columns[m]!);
    }
    return combined;
  }

  /** Score now: the weighted sum of the metrics; 0 where no node is online (as in stock). */
  get score(): number {
    if (this.online.length === 0) return 0;
    const { values } = this;
    const { weights } = this.state;
    let score = 0;
    for (let m = 0; m < METRIC_COUNT; m++) score += weights[m]! * values[m]!;
    return score;
  }

  get isEmpty(): boolean {
    return this.online.length === 0;
  }

  refresh(nodes: readonly number[]): void {
    for (const node of nodes) this.refreshNode(node);
    this.combined[LOCATION_EXCLUSION_SCORE] = this.state.tags.crowdingOf(this.groups);
  }

  /**
   * The scores with other contributions of one node, for each of some nodes by itself.
   * @param nodes online ones that are scored, ascending
   * @param rows their other contributions: `rows[node * METRIC_COUNT + metric]`
   */
  scoresWith(nodes: readonly number[], rows: Float64Array): Float64Array {
    const { weights } = this.state;
    const scores = new Float64Array(nodes.length);
    const found: Float64Array[] = [];
    for (let m = 0; m < METRIC_COUNT; m++) {
      let twin = 0;
      while (twin < m && !this.areLike(twin, m, nodes, rows)) twin++;
      const values = twin < m ? found[twin]! : this.valuesWith(m, nodes, rows);
      found.push(values);
      for (let k = 0; k < nodes.length; k++) scores[k]! += weights[m]! * values[k]!;
    }
    return scores;
  }

  /** Whether two metrics have the same values, also with those contributions. */
  private areLike(a: number, b: number, nodes: readonly number[], rows: Float64Array): boolean {
    const { columns } = this;
    const ofA = METRICS[a]!;
    const ofB = METRICS[b]!;
    if (ofA.combination !== ofB.combination || ofA.online !== ofB.online || ofA.isOfDisks !== ofB.isOfDisks)
      return false;
    for (const n of nodes) if (rows[n * METRIC_COUNT + a] !== rows[n * METRIC_COUNT + b]) return false;
    const values = columns[a]!;
    const others = columns[b]!;
    for (let j = 0; j < values.length; j++) if (values[j] !== others[j]) return false;
    return true;
  }

  /** A metric with each of those contributions. */
  private valuesWith(m: number, nodes: readonly number[], rows: Float64Array): Float64Array {
    const { combination, online, isOfDisks } = METRICS[m]!;
    const column = this.columns[m]!;
    const placeOf = isOfDisks ? this.diskPlaceOf : this.placeOf;
    const values = new Float64Array(nodes.length).fill(this.values[m]!);
    const changed: number[] = [];
    const places: number[] = [];
    const others: number[] = [];
    for (let k = 0; k < nodes.length && online; k++) {
      const place = placeOf[nodes[k]!]!;
      const other = rows[nodes[k]! * METRIC_COUNT + m]!;
      if (place < 0 || column[place] === other) continue;
      changed.push(k);
      places.push(place);
      others.push(other);
    }
    if (changed.length === 0) return values;
    const found = (combination === 'deviation' ? deviationsWith : sumsWith)(column, places, others);
    for (let at = 0; at < changed.length; at++) values[changed[at]!] = found[at]!;
    return values;
  }

  /** Notes the metrics in which a node's contribution changed. */
  private refreshNode(node: number): void {
    if (this.placeOf[node]! < 0) return;
    const { row, isChanged } = this;
    const isOnline = this.state.isOffline[node] === 0;
    contributionsOf(this.state, node, row, 0);
    for (let m = 0; m < METRIC_COUNT; m++) {
      const { online, isOfDisks } = METRICS[m]!;
      if (online !== isOnline) continue;
      const column = this.columns[m]!;
      const place = (isOfDisks ? this.diskPlaceOf : this.placeOf)[node]!;
      if (place >= 0 && column[place] !== row[m]) {
        column[place] = row[m]!;
        isChanged[m] = 1;
      }
    }
  }
}

/** Score of the given nodes, computed from nothing. */
export const scoreOf = (state: ClusterState, nodes: readonly number[]): number =>
  new Scorer(state, nodes).score;

/** Lower bound of the score by N+1 reservations; 0 for fewer than two nodes. Source: stock optimalCVScore. */
export function optimalScore(state: ClusterState, nodes: readonly number[]): number {
  if (nodes.length < 2) return 0;
  let totalMem = 0;
  let largest = Number.NEGATIVE_INFINITY;
  let reserved = 0;
  for (const n of nodes) {
    totalMem += state.totalMem[n]!;
    largest = Math.max(largest, state.totalMem[n]!);
    reserved += reservedOn(state, n);
  }
  const withoutLargest = totalMem - largest;
  if (!(withoutLargest > 0)) return 0;
  return state.weights[RESERVED_MEM_RTOTAL]! * (reserved / withoutLargest - reserved / totalMem);
}

/** Memory (MiB) that a node reserves for all its peers together. */
function reservedOn(state: ClusterState, node: number): number {
  const primaries = new Set(state.secondaries[node]!.map((i) => state.reservedFor(i)));
  let reserved = 0;
  for (const primary of primaries) reserved += state.peers.get(node, primary);
  return reserved;
}
