/**
 * Tiny evacuations by trying everything: every order, every place that the moves of the mode lead to, and who
 * stays.
 */
import type { EvacuationMode } from '../../../../../src/htools/cluster/iallocator-request.ts';
import { ALLOWED } from '../../../../../src/htools/cluster/refusal.ts';
import { mirroringOf } from '../../../../../src/htools/cluster/templates.ts';
import { applyMove } from '../../../../../src/htools/model/moves/apply.ts';
import { FAILOVER, FAILOVER_TO_ANY, REPLACE_SECONDARY } from '../../../../../src/htools/model/moves/kinds.ts';
import { scoreOf } from '../../../../../src/htools/model/score/scorer.ts';
import type { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import type { EvacuationMove } from '../../../../../src/htools/planners/evacuate/outcome.ts';
import { movesTo } from '../../../../../src/htools/planners/evacuate/pair-relocation.ts';

export interface Everything {
  readonly state: ClusterState;
  readonly instances: readonly number[];
  readonly mode: EvacuationMode;
  /** By instance: where it may go. */
  readonly targets: ReadonlyMap<number, readonly number[]>;
  /** Nodes whose score counts. */
  readonly nodes: readonly number[];
  /** Those that may stay. */
  readonly mayStay: ReadonlySet<number>;
}

export interface Best {
  readonly left: number;
  readonly score: number;
}

function waysOf({ state, mode, targets }: Everything, i: number): (readonly EvacuationMove[])[] {
  const open = targets.get(i)!;
  switch (mirroringOf(state.instanceRecord(i).diskTemplate)) {
    case 'none':
      return [];
    case 'external':
      return mode === 'secondary-only' ? [] : open.map((target) => [{ kind: FAILOVER_TO_ANY, target }]);
    case 'internal':
      if (mode === 'primary-only') return [[{ kind: FAILOVER, target: -1 }]];
      if (mode === 'secondary-only') return open.map((target) => [{ kind: REPLACE_SECONDARY, target }]);
      return open.flatMap((primary) =>
        open
          .filter((secondary) => secondary !== primary)
          .map((secondary) => movesTo(state, i, { primary, secondary })),
      );
  }
}

/** The fewest that stay, and the lowest score of as many. The state is as before. */
export function bestOfAll(task: Everything): Best {
  const { state, nodes, mayStay } = task;
  let best: Best = { left: Number.POSITIVE_INFINITY, score: Number.POSITIVE_INFINITY };
  const visit = (waiting: readonly number[]): void => {
    if (waiting.every((i) => mayStay.has(i)) && waiting.length <= best.left) {
      const found = { left: waiting.length, score: scoreOf(state, nodes) };
      if (found.left < best.left || found.score < best.score) best = found;
    }
    for (const i of waiting) {
      const others = waiting.filter((one) => one !== i);
      for (const moves of waysOf(task, i)) {
        const mark = state.journal.mark();
        if (moves.every(({ kind, target }) => applyMove(state, i, kind, target, false) === ALLOWED))
          visit(others);
        state.journal.rollback(mark);
      }
    }
  };
  visit(task.instances);
  return best;
}
