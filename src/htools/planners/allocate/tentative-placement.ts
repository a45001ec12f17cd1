/**
 * An added instance that takes up room on its nodes only for as long as it is wanted. Each time it is put
 * there behind a mark of the journal and taken back by it, like every other trial; only that it is listed
 * stays until it is removed, since what stock shows of a cluster lists it in either case.
 */

import { InternalError } from '../../../kit/faults.ts';
import type { Instance } from '../../cluster/snapshot.ts';
import { putInstance } from '../../model/moves/apply.ts';
import type { ClusterState } from '../../model/state/state.ts';
import type { Placement } from './solution.ts';

export class TentativePlacement {
  private readonly state: ClusterState;
  private readonly position: number;
  private readonly placement: Placement;
  /** The journal before and behind the placement; undefined while it takes up no room. */
  private span: { readonly from: number; readonly to: number } | undefined;

  /** Adds the instance and places it. No rule is asked. */
  constructor(state: ClusterState, instance: Instance, placement: Placement) {
    this.state = state;
    this.placement = placement;
    this.position = state.addListed(instance, placement.primary, placement.secondary);
    this.place();
  }

  place(): void {
    const { state, position, placement } = this;
    const from = state.journal.mark();
    putInstance(state, position, placement.primary, placement.secondary);
    this.span = { from, to: state.journal.mark() };
  }

  /**
   * Gives the room back; the instance stays listed.
   * @throws InternalError when the state has changed since it was placed: the journal goes back in order only
   */
  takeBack(): void {
    const { state, span } = this;
    if (span === undefined || state.journal.mark() !== span.to)
      throw new InternalError('a tentative placement is taken back out of turn');
    state.journal.rollback(span.from);
    this.span = undefined;
  }

  /** Gives the room back, and the instance up. @throws InternalError as `takeBack`, or if not the last */
  remove(): void {
    if (this.state.instanceCount !== this.position + 1)
      throw new InternalError('a tentative placement is removed out of turn');
    this.takeBack();
    this.state.dropLastInstance();
  }
}

/** Adds an instance to the state and to its nodes, for good. No rule is asked. */
export function placeForGood(
  state: ClusterState,
  instance: Instance,
  { primary, secondary }: Placement,
): void {
  putInstance(state, state.addInstance(instance), primary, secondary);
  state.journal.commit();
}
