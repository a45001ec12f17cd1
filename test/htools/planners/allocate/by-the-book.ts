/**
 * Allocation without short cuts: every candidate is placed for real, pairs are scored with the update formula
 * written out and single nodes from nothing. What the quick search is held against.
 */
import { ALLOWED, FAIL_MODES } from '../../../../src/htools/cluster/refusal.ts';
import { placeInstance } from '../../../../src/htools/model/moves/apply.ts';
import { policyRefusal } from '../../../../src/htools/model/rules/policy.ts';
import { contributionsOf, METRIC_COUNT, METRICS } from '../../../../src/htools/model/score/metrics.ts';
import { scoreOf } from '../../../../src/htools/model/score/scorer.ts';
import type { ClusterState } from '../../../../src/htools/model/state/state.ts';
import type { AllocNodes, Placement } from '../../../../src/htools/planners/allocate/solution.ts';

export interface BookSolution {
  readonly refusals: readonly number[];
  readonly successes: number;
  readonly best:
    | { readonly primary: number; readonly secondary: number; readonly metric: number }
    | undefined;
}

const rowOf = (state: ClusterState, node: number): Float64Array => {
  const row = new Float64Array(METRIC_COUNT);
  contributionsOf(state, node, row, 0);
  return row;
};

/**
 * Stock's score of a pair: the statistics before, with the rows of the two nodes replaced one after the
 * other.
 */
function updatedScore(
  state: ClusterState,
  nodes: readonly number[],
  before: ReadonlyMap<number, Float64Array>,
  touched: readonly number[],
): number {
  const online = nodes.filter((n) => !state.isOffline[n]);
  const withDisks = online.filter((n) => state.storage?.lacksInternal[n] !== 1);
  const part = state.tags.partOf(new Set(nodes.map((n) => state.groupOf[n]!)));
  let score = 0;
  METRICS.forEach(({ combination, online: countsOnline, isOfDisks }, m) => {
    const weight = state.weights[m]!;
    if (combination === 'crowding') {
      score += weight * state.tags.crowding[part]!;
      return;
    }
    const counted = isOfDisks && withDisks.length > 0 ? withDisks : online;
    const members = countsOnline ? counted : nodes.filter((n) => state.isOffline[n]);
    const values = members.map((n) => before.get(n)![m]!);
    const n = values.length;
    let sum = values.reduce((total, x) => total + x, 0);
    const mean = sum / n;
    let variance = values.reduce((total, x) => total + (x - mean) * (x - mean), 0) / n;
    for (const node of touched) {
      if (!members.includes(node)) continue;
      const x = before.get(node)![m]!;
      const y = rowOf(state, node)[m]!;
      const ds = y - x;
      const update = n * (y * y - x * x) - 2 * sum * ds - ds * ds;
      const next = variance + update / (n * n);
      variance = next >= 0 ? next : 0;
      sum += ds;
    }
    score += weight * (combination === 'deviation' ? Math.sqrt(variance) : sum);
  });
  return score;
}

/**
 * @param nodes the nodes whose score decides
 * @param isAdmitted asked about what the rules of nodes allow; by default all of it is fine
 */
export function allocateByTheBook(
  state: ClusterState,
  i: number,
  nodes: readonly number[],
  candidates: AllocNodes,
  force: boolean,
  isAdmitted: (placement: Placement) => boolean = () => true,
): BookSolution {
  const refusals = FAIL_MODES.map(() => 0);
  let successes = 0;
  let best: BookSolution['best'];
  const before = new Map(nodes.map((n) => [n, rowOf(state, n)]));
  const pairs =
    candidates.kind === 'pairs'
      ? candidates.pairs
      : candidates.nodes.map((primary) => ({ primary, secondaries: [-1] }));
  for (const { primary, secondaries } of pairs) {
    for (const secondary of secondaries) {
      const { group, hasExclusiveStorage } = state.snapshot.nodes[primary]!;
      const { policy } = state.snapshot.groups[group]!;
      const mark = state.journal.mark();
      const code =
        policyRefusal(state.instanceRecord(i), policy, hasExclusiveStorage) ||
        placeInstance(state, i, primary, secondary, force);
      if (code === ALLOWED) {
        successes++;
        const metric =
          secondary < 0 ? scoreOf(state, nodes) : updatedScore(state, nodes, before, [primary, secondary]);
        state.journal.rollback(mark);
        // Where no score is a number, stock's sort leaves the first single node, and the last pair, in front.
        const isBetter = !best || (secondary < 0 ? metric <= best.metric : !(best.metric < metric));
        if (isBetter && isAdmitted({ primary, secondary })) best = { primary, secondary, metric };
      } else refusals[code]!++;
      state.journal.rollback(mark);
    }
  }
  return { refusals, successes, best };
}
