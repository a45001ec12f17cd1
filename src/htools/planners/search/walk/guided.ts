/**
 * Candidates that are drawn where the score is lost, beside those drawn blindly.
 *
 * On a large cluster the last few nodes that differ from the others are seldom hit by chance, yet each costs
 * as much as on a small one. So a deviation is drawn by its share of the score, then a node above the mean
 * and one below it by their squares, and a change that takes something from the one to the other; or a node,
 * by what it reserves, and an instance that it reserves most for.
 */
import type { Kernel } from '../kernel/kernel.ts';
import type { Chaining, Chains } from './chains.ts';
import { FarNodes } from './far-nodes.ts';

/** Draws of the node whose reservation is to be smaller: the largest of so many. */
const RESERVED_DRAWS = 3;
/** The rarer of the two kinds gets at least this share. */
const LEAST_SHARE = 0.25;
/** Instances looked at for one to change places with. */
const PARTNER_DRAWS = 12;
/** With fewer nodes, those that are full of large primaries are hit by chance. */
const SOME_NODES = 20;
/** With fewer nodes, those that stay short are hit by chance, and draws are worth more elsewhere. */
export const MANY_NODES = 100;
/** Of so many secondaries that are to go to another node one is passed on by way of a third. */
const PASSED_IN = 3;
/** Draws for a small instance, and for a large one. */
const SMALL_DRAWS = 4;
const LARGE_DRAWS = 3;

export class Guided {
  /** By column: 1 where instances raise a node's value, -1 where they lower it, 0 where none changes it. */
  private readonly direction: Int8Array;
  /** By column, its nodes far from the mean. */
  private readonly pairs: readonly FarNodes[];
  /** What the sum of the reserved shares of memory is above that of their centred values. */
  private reservedBase = 0;
  /** The pair of nodes that was drawn last. */
  private from = -1;
  private to = -1;

  constructor(
    private readonly walk: Chaining,
    private readonly kernel: Kernel,
    private readonly chains: Chains,
  ) {
    const { columnCount: k, asPrimary, scale, movable, targets } = walk.layout;
    this.pairs = Array.from({ length: k }, (_, c) => new FarNodes(walk.layout, kernel, c));
    for (const n of targets) {
      this.reservedBase += kernel.books.reserved[n]! * walk.layout.perMem[n]! - kernel.books.reservedX[n]!;
    }
    this.direction = new Int8Array(k);
    for (let c = 0; c < k; c++) {
      let amount = 0;
      for (const i of movable) amount += asPrimary[i * k + c]!;
      const node = targets.find((n) => scale[n * k + c] !== 0);
      this.direction[c] = node === undefined ? 0 : Math.sign(amount * scale[node * k + c]!);
    }
  }

  /** Makes a trial of either kind, by deviations' and reservations' shares; false where none is found. */
  draw(): boolean {
    const { layout, random } = this.walk;
    const { books, deviations } = this.kernel;
    const k = layout.columnCount;
    let columns = 0;
    for (let c = 0; c < k; c++) columns += deviations[c]!;
    const reserved = deviations[k]! + books.reservedTotalWeight * (books.sums[k]! + this.reservedBase);
    const share = reserved > 0 ? reserved / (reserved + columns) : 0;
    return random.unit() < Math.max(LEAST_SHARE, Math.min(1 - LEAST_SHARE, share))
      ? this.relieve()
      : this.level();
  }

  /** Makes a trial of a change between nodes far from the mean; false where none is found. */
  level(): boolean {
    const { layout } = this.walk;
    const column = this.drawColumn();
    if (column < 0 || !this.drawNodes(column)) return false;
    return column < layout.secondaryColumns ? this.shiftAny() : this.shiftPrimary();
  }

  /** Makes a trial that lowers what a node reserves for another; false where none is found. */
  relieve(): boolean {
    const { layout, random, residents, trial, primary, secondary } = this.walk;
    const { books } = this.kernel;
    const node = this.drawReserving();
    const peer = books.topPeer[node]!;
    const members = residents.secondariesOf(node);
    const first = members.length > 0 ? random.below(members.length) : 0;
    let i = -1;
    for (let k = 0; k < members.length && i < 0; k++) {
      const one = members[(first + k) % members.length]!;
      if (primary[one] === peer) i = one;
    }
    if (i < 0) return false;
    trial.begin();
    const way = layout.diskMoves ? random.below(8) : 0;
    if (way <= 2) return trial.add(i, node, peer) && this.chains.close();
    if (way === 3) {
      const t = layout.targets[random.below(layout.targets.length)]!;
      return t !== peer && t !== node && trial.add(i, peer, t);
    }
    const j = this.drawPartner(i, node, peer);
    return j >= 0 && trial.add(i, peer, secondary[j]!) && trial.add(j, primary[j]!, node);
  }

  /** Draws a node that is to reserve less: one that reserves much, or much more for one than for others. */
  private drawReserving(): number {
    const { layout, random } = this.walk;
    const { reserved, reservedX, nextReserved } = this.kernel.books;
    const byGap = random.next() & 1;
    let node = -1;
    let most = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < RESERVED_DRAWS; k++) {
      const n = layout.targets[random.below(layout.targets.length)]!;
      const gain = byGap ? (reserved[n]! - nextReserved[n]!) * layout.perMem[n]! : reservedX[n]!;
      if (gain <= most) continue;
      most = gain;
      node = n;
    }
    return node;
  }

  /** Draws a change of secondaries by which the node reserves less, the other no more; -1 if none is met. */
  private drawPartner(i: number, node: number, peer: number): number {
    const { layout, random, primary, secondary } = this.walk;
    const { books } = this.kernel;
    const { movable, reservation, isMirrored, nodeCount } = layout;
    const { peers, reserved } = books;
    for (let k = 0; k < PARTNER_DRAWS; k++) {
      const j = movable[random.below(movable.length)]!;
      const p = primary[j]!;
      const s = secondary[j]!;
      if (isMirrored[j] === 0 || j === i || s === node || s === peer || p === node) continue;
      if (peers[s * nodeCount + peer]! + reservation[i]! > reserved[s]!) continue;
      if (peers[node * nodeCount + p]! + reservation[j]! < reserved[node]!) return j;
    }
    return -1;
  }

  private drawColumn(): number {
    const { layout, random } = this.walk;
    const { deviations } = this.kernel;
    const { columnCount: k } = layout;
    let sum = 0;
    for (let c = 0; c < k; c++) sum += deviations[c]!;
    let left = random.unit() * sum;
    for (let c = 0; c < k; c++) {
      left -= deviations[c]!;
      if (left < 0) return this.direction[c] === 0 ? -1 : c;
    }
    return -1;
  }

  /** Draws a node above the mean and one below it, by the squares of how far they are. */
  private drawNodes(column: number): boolean {
    const far = this.pairs[column]!;
    if (!far.draw(this.walk.random)) return false;
    const isGiving = this.direction[column]! > 0;
    this.from = isGiving ? far.above : far.below;
    this.to = isGiving ? far.below : far.above;
    return true;
  }

  /** A primary of one node less and one of the other more. */
  private shiftPrimary(): boolean {
    const { layout, random, residents, trial, secondary } = this.walk;
    const { from, to } = this;
    trial.begin();
    const way = layout.diskMoves ? random.below(6) : random.below(2);
    if (way <= 1 && this.chains.chain(from, to)) return true;
    if (way >= 4) return this.tradeTwo();
    const i = pickOf(residents.primariesOf(from), random.next());
    if (i < 0) return false;
    trial.begin();
    if (way <= 2) {
      if (layout.isMirrored[i] === 0) return trial.add(i, to, secondary[i]!);
      return trial.add(i, to, way & 1 || secondary[i] === to ? from : secondary[i]!);
    }
    const j = pickOf(residents.primariesOf(to), random.next());
    return j >= 0 && trial.add(i, to, secondary[i]!) && trial.add(j, from, secondary[j]!);
  }

  /**
   * Two primaries for a larger one. A node that is full with a few large instances gets more of them by this
   * alone: what leads there one by one costs before it gains.
   */
  private tradeTwo(): boolean {
    const { random, residents, trial, primary, secondary } = this.walk;
    const { from, to } = this;
    const given = residents.primariesOf(from);
    const [i, j] = [pickOf(given, random.next()), pickOf(given, random.next())];
    const large = pickOf(residents.primariesOf(to), random.next());
    if (large < 0 || i < 0 || i === j) return false;
    const bits = random.next();
    return [i, j, large].every((one, k) => {
      const P = one === large ? from : to;
      const staying = secondary[one]!;
      return trial.add(one, P, staying === P || (bits >>> k) & 1 ? primary[one]! : staying);
    });
  }

  /** An instance of one node, in either role, goes to the other, or changes with one; primaries stay even. */
  private shiftAny(): boolean {
    const { layout, primary, random, trial } = this.walk;
    const { from, to } = this;
    const bits = random.next();
    const i = this.residentOf(from);
    if (i < 0) return false;
    trial.begin();
    if (layout.nodeCount >= SOME_NODES && !this.hasRoom(i, primary[i] === from)) return this.makeRoom();
    if (layout.nodeCount >= MANY_NODES && primary[i] !== from && (bits >>> 8) % PASSED_IN === 0)
      return this.passOn(i);
    if (!this.replace(i, from, to, (bits & 6) === 0)) return false;
    if (bits & 1) {
      const j = this.residentOf(to);
      if (j < 0 || j === i || !this.replace(j, to, from, false)) return false;
    }
    return this.chains.close();
  }

  /**
   * A secondary goes to a third node that reserves as much anyway, and one of that node's to the node that is
   * to get something. Where large secondaries are together on nodes that have too many, no other change leads
   * from there: each node that could take one would have to reserve more.
   */
  private passOn(i: number): boolean {
    const { layout, random, trial, primary, secondary } = this.walk;
    const { movable, reservation, isMirrored, nodeCount } = layout;
    const { peers, reserved } = this.kernel.books;
    const { from, to } = this;
    const p = primary[i]!;
    for (let k = 0; k < PARTNER_DRAWS; k++) {
      const j = movable[random.below(movable.length)]!;
      const third = secondary[j]!;
      if (isMirrored[j] === 0 || third === from || third === to || third === p || primary[j] === to) continue;
      if (peers[third * nodeCount + p]! + reservation[i]! > reserved[third]!) continue;
      if (peers[to * nodeCount + primary[j]!]! + reservation[j]! > reserved[to]!) continue;
      return trial.add(i, p, third) && trial.add(j, primary[j]!, to);
    }
    return false;
  }

  /** Whether the node that is to get something has the memory for an instance. */
  private hasRoom(i: number, asPrimary: boolean): boolean {
    const { layout, primary } = this.walk;
    const { freeMem, reserved, peers, rooms } = this.kernel.books;
    const { to } = this;
    if (asPrimary) return freeMem[to]! - layout.usedMem[i]! > reserved[to]!;
    const others = peers[to * layout.nodeCount + primary[i]!]!;
    return rooms.canReserve(i, to, false) && freeMem[to]! > others + layout.reservation[i]!;
  }

  /**
   * A small secondary for a node without room for a larger one, and where even that does not fit, a small
   * primary for a large one of its own: that trade alone gains nothing, so small nodes full of large
   * primaries would be left with too few secondaries.
   */
  private makeRoom(): boolean {
    const { trial, primary, secondary } = this.walk;
    const { to } = this;
    const i = this.drawSmallSecondary();
    if (i < 0 || !trial.add(i, primary[i]!, to)) return false;
    if (this.hasRoom(i, false)) return true;
    const large = this.drawLargePrimary();
    const small = large < 0 ? -1 : this.drawSmaller(large, i);
    return (
      small >= 0 &&
      trial.add(large, primary[small]!, secondary[large]!) &&
      trial.add(small, to, secondary[small]!)
    );
  }

  /** Draws an instance whose secondary may come to the node that is to get something; -1 if none is met. */
  private drawSmallSecondary(): number {
    const { layout, random, primary, secondary } = this.walk;
    const { movable, isMirrored, reservation } = layout;
    const { to } = this;
    let i = -1;
    for (let k = 0; k < SMALL_DRAWS; k++) {
      const one = movable[random.below(movable.length)]!;
      if (isMirrored[one] === 0 || secondary[one] === to || primary[one] === to) continue;
      if (i < 0 || reservation[one]! < reservation[i]!) i = one;
    }
    return i;
  }

  /** Draws a large one of the primaries of the same node; -1 if it has none. */
  private drawLargePrimary(): number {
    const { layout, random, residents } = this.walk;
    const { mem } = layout;
    const own = residents.primariesOf(this.to);
    let large = -1;
    for (let k = 0; k < LARGE_DRAWS; k++) {
      const one = pickOf(own, random.next());
      if (one >= 0 && (large < 0 || mem[one]! > mem[large]!)) large = one;
    }
    return large;
  }

  /** Draws a smaller primary of another node that the large one may go to; -1 if none is met. */
  private drawSmaller(large: number, other: number): number {
    const { layout, random, primary } = this.walk;
    const { movable, mem } = layout;
    for (let k = 0; k < SMALL_DRAWS; k++) {
      const one = movable[random.below(movable.length)]!;
      if (one === other || mem[one]! >= mem[large]! || primary[one] === this.to) continue;
      if (!this.chains.shareTag(one, large)) return one;
    }
    return -1;
  }

  /** Adds an instance with one of its nodes replaced. @param turns whether it changes roles as well */
  private replace(i: number, old: number, next: number, turns: boolean): boolean {
    const { layout, trial, primary, secondary } = this.walk;
    const P = primary[i] === old ? next : primary[i]!;
    const S = secondary[i] === old ? next : secondary[i]!;
    return turns && layout.isMirrored[i] === 1 ? trial.add(i, S, P) : trial.add(i, P, S);
  }

  /** An instance with the node as primary or secondary. */
  private residentOf(node: number): number {
    const { random, residents } = this.walk;
    const first = residents.primariesOf(node);
    const second = residents.secondariesOf(node);
    const at = random.below(Math.max(1, first.length + second.length));
    return (at < first.length ? first[at] : second[at - first.length]) ?? -1;
  }
}

const pickOf = (members: readonly number[], bits: number): number =>
  members.length > 0 ? members[bits % members.length]! : -1;
