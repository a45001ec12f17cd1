/**
 * Global N+1 without any of the short cuts: every instance of a node is moved for real, every candidate
 * applied and scored from nothing. What the quick check is held against.
 */
import { ALLOWED } from '../../../../src/htools/cluster/refusal.ts';
import { NO_NODE } from '../../../../src/htools/cluster/snapshot.ts';
import { applyMove, placeInstance } from '../../../../src/htools/model/moves/apply.ts';
import { FAILOVER, FAILOVER_TO_ANY } from '../../../../src/htools/model/moves/kinds.ts';
import { policyRefusal } from '../../../../src/htools/model/rules/policy.ts';
import { scoreOf } from '../../../../src/htools/model/score/scorer.ts';
import type { ClusterState } from '../../../../src/htools/model/state/state.ts';

/**
 * The last of the lowest-scored targets that `attempt` can carry out; undefined when it can none.
 * @param ofNoNumbers which it is where no score is a number
 */
function bestTarget(
  state: ClusterState,
  scored: readonly number[],
  targets: readonly number[],
  attempt: (target: number) => boolean,
  ofNoNumbers: 'first' | 'last',
): number | undefined {
  let best: number | undefined;
  let lowest = Number.NaN;
  for (const target of targets) {
    const mark = state.journal.mark();
    if (attempt(target)) {
      const score = scoreOf(state, scored);
      const isOne = Number.isNaN(score) ? ofNoNumbers === 'last' : !(lowest < score);
      if (best === undefined || isOne) {
        lowest = score;
        best = target;
      }
    }
    state.journal.rollback(mark);
  }
  return best;
}

const isMoved = (template: string): boolean =>
  ['diskless', 'sharedfile', 'rbd', 'ext', 'gluster'].includes(template);

/** Whether a node can be evacuated, by trying it. */
export function canEvacuateByTrying(state: ClusterState, node: number): boolean {
  const mark = state.journal.mark();
  const isPossible = evacuate(state, node);
  state.journal.rollback(mark);
  return isPossible;
}

function evacuate(state: ClusterState, node: number): boolean {
  const all = [...state.snapshot.nodes.keys()];
  const group = all.filter((n) => state.groupOf[n] === state.groupOf[node]);
  const targets = group.filter((n) => n !== node);
  const instances = [...state.primaries[node]!].reverse();
  const templateOf = (i: number): string => state.instanceRecord(i).diskTemplate;
  for (const i of instances.filter((k) => templateOf(k) === 'drbd')) {
    const hasNobody = state.secondary[i] === NO_NODE;
    if (hasNobody || applyMove(state, i, FAILOVER, -1, true) !== ALLOWED) return false;
  }
  for (const i of instances.filter((k) => isMoved(templateOf(k)))) {
    const move = (t: number): boolean => applyMove(state, i, FAILOVER_TO_ANY, t, true) === ALLOWED;
    const best = bestTarget(state, group, targets, move, 'last');
    if (best === undefined) return false;
    move(best);
  }
  const others = instances.filter((k) => templateOf(k) !== 'drbd' && !isMoved(templateOf(k)));
  for (const i of others.sort((a, b) => state.mem[b]! - state.mem[a]!)) {
    const place = (t: number): boolean => {
      const { policy } = state.snapshot.groups[state.groupOf[t]!]!;
      const { hasExclusiveStorage } = state.snapshot.nodes[t]!;
      return (
        policyRefusal(state.instanceRecord(i), policy, hasExclusiveStorage) === ALLOWED &&
        placeInstance(state, i, t, -1, true) === ALLOWED
      );
    };
    const best = bestTarget(state, all, targets, place, 'first');
    if (best === undefined) return false;
    place(best);
  }
  return true;
}
