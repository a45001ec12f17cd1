/**
 * What was changed since a mark, so that trials can be taken back.
 *
 * A transition calls `saveNode` before it changes a node's figures and records each other change it makes;
 * `rollback(mark)` restores all of it in reverse order. The journal is what makes trying a sequence of moves
 * (evacuation, N+1 simulation, exact scoring of one candidate) cheap: no copy of the cluster.
 */
import { NODE_STRIDE } from './node-fields.ts';
import type { ClusterState } from './state.ts';

/** How to take one change back. */
type Undo = () => void;

export class Journal {
  private readonly state: ClusterState;
  private readonly undos: Undo[] = [];

  constructor(state: ClusterState) {
    this.state = state;
  }

  /** A point to roll back to. */
  mark(): number {
    return this.undos.length;
  }

  record(undo: Undo): void {
    this.undos.push(undo);
  }

  /** Remembers all figures of a node. */
  saveNode(node: number): void {
    const { nodeFields } = this.state;
    const from = node * NODE_STRIDE;
    const saved = nodeFields.slice(from, from + NODE_STRIDE);
    this.undos.push(() => nodeFields.set(saved, from));
  }

  /** Takes back everything since the mark. */
  rollback(mark: number): void {
    for (let k = this.undos.length - 1; k >= mark; k--) this.undos[k]!();
    this.undos.length = mark;
  }

  /** Makes everything so far final. */
  commit(): void {
    this.undos.length = 0;
  }
}
