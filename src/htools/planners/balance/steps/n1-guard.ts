/**
 * Keeps balancing from breaking shared-storage N+1: no step may make a node unable to be restarted elsewhere
 * that could be before. Source: docs/why/balancing.md, docs/why/storage.md; option `--n1-guard`.
 */
import { ALLOWED } from '../../../cluster/refusal.ts';
import { applyMove } from '../../../model/moves/apply.ts';
import type { Move } from '../../../model/moves/kinds.ts';
import { SharedStorageN1 } from '../../../model/redundancy/shared/shared-storage.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import type { BalanceOptions } from '../options.ts';
import { touchedNodes } from './trial.ts';

export class N1Guard {
  private readonly n1: SharedStorageN1;

  /** @param nodes positions of the nodes that are balanced */
  constructor(
    private readonly state: ClusterState,
    nodes: readonly number[],
  ) {
    this.n1 = new SharedStorageN1(state, state.anyStorage(), { nodes });
  }

  /** Whether a possible move leaves every healthy node healthy. The state is as before afterwards. */
  allows({ instance, kind, target }: Move, ignoreSoftErrors: boolean): boolean {
    const { state, n1 } = this;
    const touched = touchedNodes(state, instance, target);
    return state.journal.tentatively(
      () =>
        applyMove(state, instance, kind, target, ignoreSoftErrors) === ALLOWED &&
        n1.newlyFailing(touched) === undefined,
    );
  }

  refresh(touched: readonly number[]): void {
    this.n1.refresh(touched);
  }
}

/** Watches over N+1 with shared storage: asked for, or by default when pools are stated. */
export function guardFor(
  state: ClusterState,
  nodes: readonly number[],
  { n1Guard }: Pick<BalanceOptions, 'n1Guard'>,
): N1Guard | undefined {
  const isWanted = n1Guard ?? state.storage !== undefined;
  return isWanted ? new N1Guard(state, nodes) : undefined;
}
