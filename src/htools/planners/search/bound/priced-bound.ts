/**
 * Proven lower bounds where plans have a price: of the score of any placement within a price, and of the
 * price of any placement with a score.
 *
 * With a rate, the least of score plus rate times the price is bounded as the score alone is (fractional.ts):
 * instances may be split, each goes where it costs least, and staying costs nothing. Each rate proves a line
 * below the curve of what prices buy, so any rates give bounds that hold.
 */
import type { SearchLayout } from '../kernel/layout.ts';
import { fractionalBound } from './fractional.ts';
import { meanOverPeers, type Relaxation, ROUNDING, relaxationOf } from './relaxation.ts';

/** What is reached for what price. */
export interface Bought {
  readonly price: number;
  readonly score: number;
}

/** Rates that are tried, as shares of what a second gained on the whole. */
const RATES: readonly number[] = [0.45, 0.28, 0.15, 0.05];

/** Lines below the curve: the least of score plus rate times the price. */
class Lines {
  private readonly relaxation: Relaxation;
  private readonly directions: readonly Float64Array[];
  private readonly places: Int32Array;

  constructor(
    private readonly layout: SearchLayout,
    private readonly reached: number,
  ) {
    this.relaxation = relaxationOf(layout, reached);
    this.places = new Int32Array(layout.nodeCount).fill(-1);
    layout.targets.forEach((node, place) => {
      this.places[node] = place;
    });
    this.directions = this.flowsOf(this.relaxation).map(() => new Float64Array(layout.targets.length));
  }

  private flowsOf = (of: Relaxation) =>
    [...of.flows, meanOverPeers(this.layout, of)].map((flow) => ({ ...flow, share: 1 }));

  /** Each begins with the directions of the one before. */
  at(rate: number): number {
    const { layout, relaxation, reached, places, directions } = this;
    const { movable, primary, secondary, copySeconds, changeSeconds, jobSeconds } = layout;
    const placed = (nodes: Int32Array) => Int32Array.from(movable, (i) => places[nodes[i]!] ?? -1);
    const rated = (seconds: Float64Array) => Float64Array.from(movable, (i) => rate * seconds[i]!);
    const homes = {
      primary: placed(primary),
      secondary: placed(secondary),
      copy: rated(copySeconds),
      change: rated(changeSeconds),
      job: rated(jobSeconds),
    };
    return fractionalBound(relaxation, this.flowsOf, reached, homes, directions);
  }
}

/**
 * The least score within the price of a point, and the least price of its score; 0 where nothing is proven.
 * @param gained score that the whole price gained
 */
export function pricedBound(layout: SearchLayout, { price, score }: Bought, gained: number): Bought {
  let best: Bought = { price: 0, score: 0 };
  if (!(price > 0 && gained > 0)) return best;
  const lines = new Lines(layout, score);
  for (const share of RATES) {
    const rate = (share * gained) / price;
    const least = lines.at(rate) - ROUNDING;
    best = {
      score: Math.max(best.score, Math.min(score, least - rate * price)),
      price: Math.max(best.price, Math.min(price, (least - score) / rate)),
    };
  }
  return best;
}
