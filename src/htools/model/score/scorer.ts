/** Scores of some nodes (a group, or the whole cluster), and what they come to at least. */
import type { ClusterState } from '../state/state.ts';
import { IS_DEVIATION, ScopeStatistics } from './incremental.ts';
import { METRIC_COUNT, METRICS, RESERVED_MEM_RTOTAL } from './metrics.ts';
import { deviationsWith, sumsWith } from './one-other.ts';

export class Scorer extends ScopeStatistics {
  /** Value of each metric now. */
  get values(): Float64Array {
    const crowding = this.crowding();
    return Float64Array.from(METRICS, (_, m) => this.now.value(m, crowding));
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

/**
 * The scores with other contributions of one node, for each of some nodes by itself.
 * @param nodes online ones that are scored, ascending
 * @param rows their other contributions: `rows[node * METRIC_COUNT + metric]`
 */
export function scoresWith(
  statistics: ScopeStatistics,
  nodes: readonly number[],
  rows: Float64Array,
): Float64Array {
  const { weights } = statistics.state;
  const crowding = statistics.crowding();
  const scores = new Float64Array(nodes.length);
  const found: Float64Array[] = [];
  for (let m = 0; m < METRIC_COUNT; m++) {
    let twin = 0;
    while (twin < m && !areLike(statistics, twin, m, nodes, rows)) twin++;
    const values = twin < m ? found[twin]! : valuesWith(statistics, m, crowding, nodes, rows);
    found.push(values);
    for (let k = 0; k < nodes.length; k++) scores[k]! += weights[m]! * values[k]!;
  }
  return scores;
}

/** Whether two metrics have the same values, also with those contributions. */
function areLike(
  { counted, rows: now }: ScopeStatistics,
  a: number,
  b: number,
  nodes: readonly number[],
  rows: Float64Array,
): boolean {
  if (METRICS[a]!.combination !== METRICS[b]!.combination || counted[a] !== counted[b]) return false;
  const isSame = (values: Float64Array, n: number): boolean =>
    values[n * METRIC_COUNT + a] === values[n * METRIC_COUNT + b];
  return nodes.every((n) => isSame(rows, n)) && counted[a]!.every((n) => isSame(now, n));
}

/** A metric with each of those contributions. */
function valuesWith(
  statistics: ScopeStatistics,
  m: number,
  crowding: number,
  nodes: readonly number[],
  rows: Float64Array,
): Float64Array {
  const counted = statistics.counted[m]!;
  const values = new Float64Array(nodes.length).fill(statistics.now.value(m, crowding));
  const changed: number[] = [];
  const places: number[] = [];
  for (let k = 0, place = 0; k < nodes.length && place < counted.length; place++) {
    while (nodes[k]! < counted[place]!) k++;
    const at = counted[place]! * METRIC_COUNT + m;
    if (nodes[k] !== counted[place] || statistics.rows[at] === rows[at]) continue;
    changed.push(k);
    places.push(place);
  }
  if (changed.length === 0) return values;
  const column = Float64Array.from(counted, (n) => statistics.rows[n * METRIC_COUNT + m]!);
  const others = changed.map((k) => rows[nodes[k]! * METRIC_COUNT + m]!);
  const found = (IS_DEVIATION[m] ? deviationsWith : sumsWith)(column, places, others);
  for (let at = 0; at < changed.length; at++) values[changed[at]!] = found[at]!;
  return values;
}
