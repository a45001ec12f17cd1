/**
 * What a placement costs, seen from where the search started: data copied, and steps.
 *
 * Net: an instance that ends where it began costs nothing, one that ends on one new node copies its disks
 * once, whatever the search tried in between. Instances that have to leave their nodes copy the same wherever
 * they go; there, the price is how many of them stay.
 */

import { MIB_PER_GIB } from '../../../../kit/units.ts';
import type { SearchLayout } from '../kernel/layout.ts';
import { meetsTag } from './open-placements.ts';

export class Prices {
  /** GiB that one copy of an instance's disks counts, its own factor included. */
  private readonly copyGib: Float64Array;

  constructor(private readonly layout: SearchLayout) {
    this.copyGib = Float64Array.from(layout.disk, (mib, i) =>
      layout.isMirrored[i] ? (mib / MIB_PER_GIB) * layout.priceFactor[i]! : 0,
    );
  }

  /** Copies of the disks that the placement needs: 0, 1 or 2. */
  copies(i: number, P: number, S: number): number {
    const { primary, secondary } = this.layout;
    if (this.layout.isMirrored[i] === 0) return 0;
    const p = primary[i]!;
    const s = secondary[i]!;
    const copies = (P === p || P === s ? 0 : 1) + (S === p || S === s ? 0 : 1);
    // A secondary that has its like cannot carry it until the new primary has the disks: they go the long
    // way.
    return copies === 1 && S === s && P !== p && meetsTag(this.layout, i, s) ? 2 : copies;
  }

  /** GiB copied; of an instance that has to leave its nodes 1 where it stays. */
  gib(i: number, P: number, S: number): number {
    if (this.layout.evacuees !== undefined) return this.isLeft(i, P, S) ? 1 : 0;
    return this.copies(i, P, S) * this.copyGib[i]!;
  }

  private isLeft(i: number, P: number, S: number): boolean {
    const { homePrimary, homeSecondary } = this.layout.evacuees!;
    return P === homePrimary[i] && S === homeSecondary[i];
  }

  /** Steps that the placement takes at least. */
  steps(i: number, P: number, S: number): number {
    if (P === this.layout.primary[i] && S === this.layout.secondary[i]) return 0;
    return Math.max(1, this.copies(i, P, S));
  }
}
