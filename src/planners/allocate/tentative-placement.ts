/** An added instance that takes up room on its nodes only for as long as it is wanted; it stays listed either way. */
import type { Instance } from '../../cluster/snapshot.ts';
import { putInstance } from '../../model/moves/apply.ts';
import type { ClusterState } from '../../model/state/state.ts';
import type { Placement } from './solution.ts';

export class TentativePlacement {
  private readonly state: ClusterState;
  private readonly position: number;
  private readonly placement: Placement;
  private mark = 0;

  /** Adds the instance and places it. No rule is asked. */
  constructor(state: ClusterState, instance: Instance, placement: Placement) {
    this.state = state;
    this.placement = placement;
    this.position = state.addListed(instance, placement.primary, placement.secondary);
    this.place();
  }

  place(): void {
    const { state, position, placement } = this;
    this.mark = state.journal.mark();
    putInstance(state, position, placement.primary, placement.secondary);
  }

  /** Gives the room back. Nothing else may have changed since it was placed. */
  takeBack(): void {
    this.state.journal.rollback(this.mark);
  }
}
