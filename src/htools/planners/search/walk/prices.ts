/**
 * What a placement costs, seen from where the search started, in seconds (`plan/price.ts`), and what it needs
 * of all that may be limited.
 *
 * Net: an instance that ends where it began costs nothing, one that ends on one new node copies its disks
 * once, whatever the search tried in between. Instances that have to leave their nodes cost the same wherever
 * they go; there, the price is how many of them stay.
 */
import { MIB_PER_GIB } from '../../../../kit/units.ts';
import type { MoveKind } from '../../../model/moves/kinds.ts';
import { WORK } from '../../../plan/cost.ts';
import type { PlanAmounts } from '../../../plan/plan.ts';
import { priceOfKind } from '../../../plan/price.ts';
import { LIVE, type SearchLayout, STOP } from '../kernel/layout.ts';
import { meetsTag } from './open-placements.ts';

/** Where the instances are; -1 for no secondary. */
export interface Placement {
  readonly primary: Int32Array;
  readonly secondary: Int32Array;
}

/** What a change of primary counts among needs, so that up to two copies have room below it. */
const CHANGE = 4;

export class Prices {
  constructor(private readonly layout: SearchLayout) {}

  /** Copies of the disks that the placement needs: 0, 1 or 2. */
  private copies(i: number, P: number, S: number): number {
    const { primary, secondary } = this.layout;
    if (this.layout.isMirrored[i] === 0) return 0;
    const p = primary[i]!;
    const s = secondary[i]!;
    const copies = (P === p || P === s ? 0 : 1) + (S === p || S === s ? 0 : 1);
    // Beside an instance with its exclusion tag the secondary cannot carry it meanwhile: the long way.
    return copies === 1 && S === s && P !== p && meetsTag(this.layout, i, s) ? 2 : copies;
  }

  /**
   * What the placement needs, as one number: 0 for nothing, else copies and changes of the primary; of an
   * instance that has to leave its nodes 1 where it stays.
   */
  needs(i: number, P: number, S: number): number {
    const { primary, secondary, evacuees } = this.layout;
    if (evacuees !== undefined)
      return P === evacuees.homePrimary[i] && S === evacuees.homeSecondary[i] ? 1 : 0;
    const copies = this.copies(i, P, S);
    if (P === primary[i]) return copies;
    // The old secondary stays and carries it meanwhile: there and on.
    const isTwice = copies === 1 && P !== secondary[i] && S === secondary[i];
    return copies + CHANGE * (isTwice ? 2 : 1);
  }

  /** Seconds of what an instance needs; 1 of one that was to leave its nodes. */
  price(i: number, needs: number): number {
    const { evacuees, copySeconds, changeSeconds, jobSeconds } = this.layout;
    if (needs === 0 || evacuees !== undefined) return needs;
    const copies = needs % CHANGE;
    const changes = (needs - copies) / CHANGE;
    return (
      copies * copySeconds[i]! + changes * changeSeconds[i]! + (copies > 1 ? copies : 1) * jobSeconds[i]!
    );
  }

  /** How much of what may be limited an instance needs. */
  amount(what: keyof PlanAmounts, i: number, needs: number): number {
    if (needs === 0) return 0;
    const { copyMib, mem, changeKind } = this.layout;
    const copies = needs % CHANGE;
    if (what === 'steps') return Math.max(1, copies);
    if (what === 'copiedGib') return (copies * copyMib[i]!) / MIB_PER_GIB;
    if (changeKind[i] !== (what === 'stops' ? STOP : LIVE)) return 0;
    return ((needs - copies) / CHANGE) * (what === 'memoryGib' ? mem[i]! / MIB_PER_GIB : 1);
  }

  /** How much of it the whole placement needs. */
  used(what: keyof PlanAmounts, placement: Placement): number {
    return this.sum(placement, (i, needs) => this.amount(what, i, needs));
  }

  /** Price of the whole placement. */
  of(placement: Placement): number {
    return this.sum(placement, (i, needs) => this.price(i, needs));
  }

  private sum({ primary, secondary }: Placement, of: (i: number, needs: number) => number): number {
    return this.layout.movable.reduce((sum, i) => sum + of(i, this.needs(i, primary[i]!, secondary[i]!)), 0);
  }

  /** How much of it a step needs. */
  amountOfStep(what: keyof PlanAmounts, i: number, kind: MoveKind): number {
    const { diskCopies, primaryChanges } = WORK[kind];
    return this.amount(what, i, diskCopies + CHANGE * primaryChanges);
  }

  /** Seconds that a step counts. */
  ofStep(i: number, kind: MoveKind): number {
    const { copySeconds, changeSeconds, jobSeconds } = this.layout;
    return priceOfKind(kind, { copy: copySeconds[i]!, change: changeSeconds[i]!, job: jobSeconds[i]! });
  }

  /** Seconds of moving every instance once: its disks copied, its primary changed. */
  get whole(): number {
    const { movable, diskMoves, instanceMoves, isMirrored } = this.layout;
    return movable.reduce((sum, i) => {
      const copy = diskMoves && isMirrored[i] === 1 ? this.layout.copySeconds[i]! : 0;
      return sum + copy + (instanceMoves ? this.layout.changeSeconds[i]! : 0) + this.layout.jobSeconds[i]!;
    }, 0);
  }
}
