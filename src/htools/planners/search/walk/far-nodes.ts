/**
 * Draws nodes of one column far from its mean, one above it and one below, by the squares of how far they
 * are.
 *
 * The squares are added up once for many draws, since on large clusters that would be most of the work of a
 * candidate; a node that has since come to the other side is not drawn.
 */
import type { RandomStream } from '../../anneal/random.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { SearchLayout } from '../kernel/layout.ts';

/** Draws for which the squares are added up once. */
const DRAWS = 32;

/** Place of the first sum above a value. */
function placeOf(sums: Float64Array, value: number): number {
  let low = 0;
  let high = sums.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sums[middle]! > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

export class FarNodes {
  /** The nodes drawn last. */
  above = -1;
  below = -1;
  /** Sums of the squares up to each target, of those above the mean and of those below it. */
  private readonly aboveSums: Float64Array;
  private readonly belowSums: Float64Array;
  private left = 0;

  constructor(
    private readonly layout: SearchLayout,
    private readonly kernel: Kernel,
    private readonly column: number,
  ) {
    this.aboveSums = new Float64Array(layout.targets.length);
    this.belowSums = new Float64Array(layout.targets.length);
  }

  /** Draws both; false where one side has none. */
  draw(random: RandomStream): boolean {
    const { targets } = this.layout;
    const { aboveSums, belowSums } = this;
    if (this.left-- === 0) this.addUp();
    const last = targets.length - 1;
    if (!(aboveSums[last]! > 0 && belowSums[last]! > 0)) return false;
    this.above = targets[placeOf(aboveSums, random.unit() * aboveSums[last]!)]!;
    this.below = targets[placeOf(belowSums, random.unit() * belowSums[last]!)]!;
    return this.distance(this.above) > 0 && this.distance(this.below) < 0;
  }

  private distance(node: number): number {
    const { layout, column } = this;
    const { x, sums } = this.kernel.books;
    return x[node * layout.columnCount + column]! - sums[column]! * layout.perNode[column]!;
  }

  private addUp(): void {
    const { targets } = this.layout;
    let above = 0;
    let below = 0;
    for (let t = 0; t < targets.length; t++) {
      const d = this.distance(targets[t]!);
      if (d > 0) above += d * d;
      else below += d * d;
      this.aboveSums[t] = above;
      this.belowSums[t] = below;
    }
    this.left = DRAWS - 1;
  }
}
