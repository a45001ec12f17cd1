/** Brings hoists and bounds from one search to the next: what steps have touched is found anew, no more. */
import { everyoneOn } from '../../../model/state/scope.ts';
import type { ScoreBounds } from '../bounds/score-bounds.ts';
import { isCandidate } from '../possible-moves.ts';
import type { Hoists } from '../scan/hoists.ts';

export class CarriedBounds {
  /** Instances on nodes that changed, and those with an exclusion tag of one that changed its location. */
  private readonly isStale: Uint8Array;
  private readonly isKin: Uint8Array;
  /** Instances that were moved, and nodes that changed, since the last search. */
  private readonly moved = new Set<number>();
  private readonly changed = new Set<number>();

  /** @param movable the instances that are bounded; nothing is known of them yet */
  constructor(
    private readonly hoists: Hoists,
    private readonly bounds: ScoreBounds,
    private readonly movable: readonly number[],
  ) {
    const { instanceCount } = hoists.tables.state;
    this.isStale = new Uint8Array(instanceCount).fill(1);
    this.isKin = new Uint8Array(instanceCount);
  }

  /**
   * Notes a step that was taken, or taken back.
   * @param changed nodes of which a figure or a reservation is another one now
   * @param oldPrimary of the instance, before
   */
  note(instance: number, changed: readonly number[], oldPrimary: number): void {
    const { isStale } = this;
    const { state } = this.hoists.tables;
    this.moved.add(instance);
    for (const node of changed) this.changed.add(node);
    for (const i of everyoneOn(state, changed)) isStale[i] = 1;
    if (state.tags.hasLocations && oldPrimary !== state.primary[instance]) this.noteKin(instance);
  }

  /** A primary in another location changes the crowding that others with its exclusion tags would meet. */
  private noteKin(instance: number): void {
    const { exclusionsOf } = this.hoists.tables.state.tags;
    const own = new Set(exclusionsOf[instance]!);
    if (own.size === 0) return;
    for (const i of this.movable) if (exclusionsOf[i]!.some((tag) => own.has(tag))) this.isKin[i] = 1;
  }

  /** Ahead of a look at the bounds: takes over what was noted. */
  renew(): void {
    const { hoists, bounds, isStale, isKin, moved, changed } = this;
    const { tables, options } = hoists;
    const { state } = tables;
    for (const i of this.movable) {
      if (isKin[i]) bounds.refreshLocations(i);
      if (isStale[i] && !isCandidate(state, i, options)) bounds.leaveOut(i);
      else if (isStale[i]) {
        hoists.refresh(i);
        bounds.refresh(i, moved.has(i));
      }
      isStale[i] = 0;
      isKin[i] = 0;
    }
    bounds.nextSearch([...changed].filter((n) => !state.isOffline[n] && tables.arrays.isScored[n]));
    moved.clear();
    changed.clear();
  }
}
