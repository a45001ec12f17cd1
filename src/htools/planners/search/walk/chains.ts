/**
 * Changes of several instances at once: swaps, where two instances exchange a node each in any of their
 * roles, so that counts stay even while sizes change; and chains of failovers behind a single move or a swap,
 * which copy nothing and bring the numbers of primaries back to what they were.
 *
 * Where each instance loads its node alike, a single move out of even numbers costs the score far more than
 * it can ever gain, and what evens them out again is a chain of two or three failovers that no single one
 * leads to (an "ejection chain").
 */
import type { RandomStream } from '../../anneal/random.ts';
import type { SearchLayout } from '../kernel/layout.ts';
import type { Residents } from './residents.ts';
import type { Trial } from './trial.ts';

/** What the chains need of the walk that they are part of. */
export interface Chaining {
  readonly layout: SearchLayout;
  readonly random: RandomStream;
  readonly residents: Residents;
  readonly trial: Trial;
  readonly primary: Int32Array;
  readonly secondary: Int32Array;
}

export class Chains {
  /** For the node where a chain ends: the instance that ends it, by the node that it has as primary. */
  private readonly lastLink: Int32Array;

  constructor(private readonly walk: Chaining) {
    this.lastLink = new Int32Array(walk.layout.nodeCount).fill(-1);
  }

  /** Makes a trial of `i` exchanging a node with a random other instance; false where that is no change. */
  swap(i: number): boolean {
    const { layout, random, trial, primary, secondary } = this.walk;
    const j = layout.movable[random.below(layout.movable.length)]!;
    if (i === j) return false;
    const bits = random.next();
    const iFirst = layout.isMirrored[i] === 0 || (bits & 1) === 0;
    const jFirst = layout.isMirrored[j] === 0 || (bits & 2) === 0;
    const A = iFirst ? primary[i]! : secondary[i]!;
    const B = jFirst ? primary[j]! : secondary[j]!;
    if (A === B || (iFirst && jFirst && this.shareTag(i, j))) return false;
    trial.begin();
    return (
      trial.add(i, iFirst ? B : primary[i]!, iFirst ? secondary[i]! : B) &&
      trial.add(j, jFirst ? A : primary[j]!, jFirst ? secondary[j]! : A)
    );
  }

  /** Adds failovers to a trial, so that nodes keep their numbers of primaries; false where none are found. */
  close(): boolean {
    const { trial } = this.walk;
    let over = -1;
    let under = -1;
    const { count } = trial;
    for (let t = 0; t < count; t++) {
      const p = trial.fromPrimary[t]!;
      const P = trial.toPrimary[t]!;
      if (P === p) continue;
      if (over === p) over = P;
      else if (under === P) under = p;
      else if (over < 0) {
        over = P;
        under = p;
      } else return false;
      if (over === under) {
        over = -1;
        under = -1;
      }
    }
    return over < 0 ? true : this.chain(over, under);
  }

  /** Adds failovers that take a primary from one node to another, by way of up to two others. */
  chain(from: number, to: number): boolean {
    const { layout, residents, random, trial, primary, secondary } = this.walk;
    const { lastLink } = this;
    if (!layout.instanceMoves) return false;
    const ends = residents.secondariesOf(to);
    for (const i of ends) if (!trial.has(i)) lastLink[primary[i]!] = i;
    let begin = from;
    let found = this.link(begin);
    if (!found) {
      const starts = residents.primariesOf(from);
      const i = starts.length > 0 ? starts[random.below(starts.length)]! : -1;
      if (i >= 0 && layout.isMirrored[i] === 1 && !trial.has(i) && trial.add(i, secondary[i]!, primary[i]!)) {
        begin = secondary[i]!;
        found = this.link(begin);
      }
    }
    for (const i of ends) lastLink[primary[i]!] = -1;
    return found;
  }

  /** One or two failovers from a node to where the links lead. */
  private link(from: number): boolean {
    const { layout, residents, random, trial, primary, secondary } = this.walk;
    const { lastLink } = this;
    const starts = residents.primariesOf(from);
    const first = starts.length > 0 ? random.below(starts.length) : 0;
    for (let k = 0; k < starts.length; k++) {
      const i = starts[(first + k) % starts.length]!;
      if (layout.isMirrored[i] === 0 || trial.has(i)) continue;
      if (lastLink[from] === i) return trial.add(i, secondary[i]!, primary[i]!);
      const next = lastLink[secondary[i]!]!;
      if (next < 0 || next === i || trial.has(next)) continue;
      return trial.add(i, secondary[i]!, primary[i]!) && trial.add(next, secondary[next]!, primary[next]!);
    }
    return false;
  }

  /** Whether two instances exclude each other: neither could come to the other's node first. */
  shareTag(i: number, j: number): boolean {
    const { exclusionStart, exclusions } = this.walk.layout;
    for (let a = exclusionStart[i]!; a < exclusionStart[i + 1]!; a++) {
      for (let b = exclusionStart[j]!; b < exclusionStart[j + 1]!; b++) {
        if (exclusions[a] === exclusions[b]) return true;
      }
    }
    return false;
  }
}
