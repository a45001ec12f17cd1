/** Best fit on decreasing needs, the quick yes: each item goes where least memory stays. Items times bins. */
import { fits, NOWHERE, occupy, type Packing } from './packing.ts';

/** Largest memory first, then largest disk, then as they come. */
function byNeed(p: Packing): number[] {
  const order = Array.from({ length: p.itemCount }, (_, i) => i);
  return order.sort((a, b) => p.mem[b]! - p.mem[a]! || p.disk[b]! - p.disk[a]! || a - b);
}

/** Items with the fewest bins first, then by need. */
function byScarcity(p: Packing): number[] {
  const choices = new Int32Array(p.itemCount);
  for (let i = 0; i < p.itemCount; i++) {
    for (let b = 0; b < p.binCount; b++) if (fits(p, i, b)) choices[i]!++;
  }
  return byNeed(p).sort((a, b) => choices[a]! - choices[b]!);
}

/** What a report would rather not see, though it is possible. */
interface Preference {
  avoids(item: number, bin: number): boolean;
  placed(item: number, bin: number): void;
}

function tightestBin(p: Packing, item: number, preference: Preference | undefined): number {
  let best = NOWHERE;
  let least = Number.POSITIVE_INFINITY;
  for (let b = 0; b < p.binCount; b++) {
    const over = p.memRoom[b]! - p.mem[item]!;
    if (over < least && over >= 0 && fits(p, item, b) && !preference?.avoids(item, b)) {
      least = over;
      best = b;
    }
  }
  return best;
}

function packInOrder(
  p: Packing,
  order: readonly number[],
  binOf: number[],
  preference?: Preference,
): boolean {
  let placed = 0;
  for (; placed < order.length; placed++) {
    const item = order[placed]!;
    let bin = tightestBin(p, item, preference);
    if (bin === NOWHERE && preference) bin = tightestBin(p, item, undefined);
    if (bin === NOWHERE) break;
    occupy(p, item, bin, 1);
    binOf[item] = bin;
    preference?.placed(item, bin);
  }
  for (let k = 0; k < placed; k++) occupy(p, order[k]!, binOf[order[k]!]!, -1);
  return placed === order.length;
}

/**
 * Writes a bin for each item into `binOf`; false when it finds no way, which does not mean that there is
 * none. The packing is as before in both cases. By need first, then with the most restricted items first.
 */
export const packBestFit = (p: Packing, binOf: number[]): boolean =>
  packInOrder(p, byNeed(p), binOf) || (p.itemCount > 1 && packInOrder(p, byScarcity(p), binOf));

/** The same by need only, each item kept from what the preference avoids while another bin has room. */
export const packGently = (p: Packing, binOf: number[], preference: Preference): boolean =>
  packInOrder(p, byNeed(p), binOf, preference);
