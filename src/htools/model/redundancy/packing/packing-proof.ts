/**
 * Proofs that a packing is impossible. Each is a relaxation: were there a packing, it would satisfy the
 * relaxed question too, so a relaxed "no" is a proof. Items may be split, and resources are looked at one by
 * one.
 */
import { FlowNetwork } from './max-flow.ts';
import { fits, type ItemType, type Packing, slotsFor, typesOf } from './packing.ts';

/** Sums are listed up to so many multiples of the common divisor; beyond, only the divisor counts. */
const MAX_LISTED_SUMS = 16384;

function greatestDivisor(needs: readonly number[]): number {
  let divisor = 0;
  for (const need of needs) {
    let rest = need;
    while (rest > 0) [divisor, rest] = [rest, divisor % rest];
  }
  return divisor;
}

/** For each number of units the largest sum of some of the needs that is not above it. */
function largestSums(units: readonly number[], most: number): Int32Array {
  // A bit for each number that is a sum.
  const bits = units.reduce((sums, unit) => sums | (sums << BigInt(unit)), 1n).toString(2);
  const largest = new Int32Array(most + 1);
  for (let sum = 1; sum <= most; sum++) largest[sum] = bits[most - sum] === '1' ? sum : largest[sum - 1]!;
  return largest;
}

function usableOf(rooms: Float64Array, needs: readonly number[]): Float64Array {
  const asked = needs.filter((need) => need > 0 && Number.isFinite(need));
  const divisor = greatestDivisor(asked);
  if (divisor === 0) return rooms;
  const units = asked.map((need) => need / divisor);
  const most = units.reduce((sum, unit) => sum + unit, 0);
  const largest = most <= MAX_LISTED_SUMS ? largestSums(units, most) : undefined;
  return rooms.map((room) => {
    if (room === Number.POSITIVE_INFINITY) return room;
    const whole = Math.min(most, Math.floor(room / divisor));
    return (largest ? largest[whole]! : whole) * divisor;
  });
}

/**
 * The same question with no room that whole items cannot use: no bin is filled beyond the largest sum of
 * items that it holds. That changes no answer and makes proofs stronger, as sizes are mostly multiples of a
 * few hundred MiB. Needs must be whole numbers.
 */
export function withUsableRoom(p: Packing): Packing {
  const needs = (values: readonly number[]): number[] => values.slice(0, p.itemCount);
  return {
    ...p,
    memRoom: usableOf(p.memRoom, needs(p.mem)),
    diskRoom: usableOf(p.diskRoom, needs(p.disk)),
    spindleRoom: usableOf(p.spindleRoom, needs(p.spindles)),
  };
}

/**
 * What is short: `access` = no node reaches the pool; memory, disk (MiB) and spindles = what finds no place
 * even when it may be split; `room` = each alone would do, but instances do not fit whole.
 */
export type Shortage = 'access' | 'memory' | 'disk' | 'spindles' | 'room';

export interface Shortfall {
  readonly resource: Shortage;
  /** MiB of memory and disk, a count of spindles, else of instances: at least so much finds no place. */
  readonly missing: number;
}

/** So many least sizes are tried: hundreds of different instances cost no more than a few. */
const MAX_SIZES = 12;

const ROOM_OF = { mem: 'memRoom', disk: 'diskRoom', spindles: 'spindleRoom' } as const;
const NAME_OF = { mem: 'memory', disk: 'disk', spindles: 'spindles' } as const;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const reaches = (p: Packing, item: number, bin: number): boolean =>
  bin !== p.closed && p.reach[p.row[item]! * p.binCount + bin] === 1;

/** Items whose pool no bin reaches. */
function withoutAccess(p: Packing, types: readonly ItemType[]): number {
  let stranded = 0;
  for (const items of types) {
    let isReached = false;
    for (let b = 0; b < p.binCount && !isReached; b++) isReached = reaches(p, items[0]!, b);
    if (!isReached) stranded += items.length;
  }
  return stranded;
}

/** How much of one resource finds no place when only that resource and access count. 0: no proof. */
function shortOf(p: Packing, types: readonly ItemType[], need: 'mem' | 'disk' | 'spindles'): number {
  const asking = types.filter((items) => p[need][items[0]!]! > 0);
  if (asking.length === 0) return 0;
  const rooms = p[ROOM_OF[need]];
  // An unknown need counts as one, and fits only where there is no limit.
  const size = (item: number): number => (Number.isFinite(p[need][item]!) ? p[need][item]! : 1);
  const supplies = asking.map((items) => items.length * size(items[0]!));
  const network = new FlowNetwork(supplies, rooms);
  asking.forEach((items, t) => {
    const item = items[0]!;
    for (let b = 0; b < p.binCount; b++) {
      if (!reaches(p, item, b) || rooms[b]! < p[need][item]!) continue;
      network.connect(t, b, Math.min(items.length, Math.floor(rooms[b]! / size(item))) * size(item));
    }
  });
  return sum(supplies) - network.maximum();
}

/**
 * What finds no place when items must fit their bins in every resource, yet may be split.
 * @param rooms what each bin takes @param sizeOf what an item takes of it
 */
function shortOfWhole(
  p: Packing,
  types: readonly ItemType[],
  rooms: ArrayLike<number>,
  sizeOf: (item: number) => number,
): number {
  const supplies = types.map((items) => items.length * sizeOf(items[0]!));
  const network = new FlowNetwork(supplies, rooms);
  types.forEach((items, t) => {
    for (let b = 0; b < p.binCount; b++) {
      const slots = slotsFor(p, items[0]!, b, items.length);
      if (slots > 0) network.connect(t, b, slots * sizeOf(items[0]!));
    }
  });
  return sum(supplies) - network.maximum();
}

/** How many of the given items a bin holds at most: the smallest that fit go in first, by memory alone. */
function mostInBin(p: Packing, bySize: readonly ItemType[], bin: number): number {
  let room = p.memRoom[bin]!;
  let count = 0;
  for (const items of bySize) {
    if (!fits(p, items[0]!, bin)) continue;
    const mem = p.mem[items[0]!]!;
    const taken = mem > 0 ? Math.min(items.length, Math.floor(room / mem)) : items.length;
    count += taken;
    room -= taken * mem;
    if (taken < items.length) break;
  }
  return count;
}

/** Items of at least some size that find no place by their number alone; 0: no proof. */
function shortOfSlots(p: Packing, types: readonly ItemType[]): number {
  const bySize = [...types].sort((a, b) => p.mem[a[0]!]! - p.mem[b[0]!]!);
  const stride = Math.ceil(bySize.length / MAX_SIZES);
  for (let from = 0; from < bySize.length; from += stride) {
    const large = bySize.slice(from);
    const rooms = Float64Array.from({ length: p.binCount }, (_, b) => mostInBin(p, large, b));
    const missing = shortOfWhole(p, large, rooms, () => 1);
    if (missing > 0) return missing;
  }
  return 0;
}

/** A proof by one resource or by access alone; undefined when none of these shows it. */
function shortOfOne(p: Packing, types: readonly ItemType[]): Shortfall | undefined {
  const stranded = withoutAccess(p, types);
  if (stranded > 0) return { resource: 'access', missing: stranded };
  for (const need of ['mem', 'disk', 'spindles'] as const) {
    const missing = shortOf(p, types, need);
    if (missing > 0) return { resource: NAME_OF[need], missing };
  }
  return undefined;
}

/** A proof that the items do not fit, as what is missing; undefined when none of the relaxations shows it. */
export function proveImpossible(p: Packing): Shortfall | undefined {
  const types = typesOf(p);
  const short = shortOfOne(p, types);
  if (short) return short;
  const usable = withUsableRoom(p);
  const isShort = (): boolean => shortOfWhole(usable, types, usable.memRoom, (item) => usable.mem[item]!) > 0;
  if (shortOfOne(usable, types) || isShort()) return { resource: 'room', missing: 1 };
  const missing = shortOfSlots(usable, types);
  return missing > 0 ? { resource: 'room', missing } : undefined;
}
