/** A small seeded generator of numbers: the same seed gives the same bytes on every machine. */

const UINT32 = 4294967296;

/** Spreads one integer over the whole 32-bit range (splitmix finaliser); used to fill the state. */
function scramble(value: number): number {
  let mixed = (value + 0x9e3779b9) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

const rotateLeft = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));

/**
 * xoshiro128** over a seed; no transcendental function is used anywhere, so results do not depend on the
 * machine.
 */
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private d: number;

  /** @param seed any integer; @param stream keeps independent uses of one seed apart. */
  constructor(seed: number, stream = '') {
    let start = scramble(seed | 0) ^ scramble(Math.floor(seed / UINT32));
    for (const letter of stream) start = scramble(start ^ (letter.codePointAt(0) ?? 0));
    this.a = scramble(start + 1);
    this.b = scramble(start + 2);
    this.c = scramble(start + 3);
    this.d = scramble(start + 4) | 1;
  }

  /** A whole number from 0 to 2^32 - 1. */
  uint32(): number {
    const result = Math.imul(rotateLeft(Math.imul(this.b, 5), 7), 9) >>> 0;
    const shifted = this.b << 9;
    this.c ^= this.a;
    this.d ^= this.b;
    this.b ^= this.c;
    this.a ^= this.d;
    this.c ^= shifted;
    this.d = rotateLeft(this.d, 11);
    return result;
  }

  /** A number from 0 (included) to 1 (excluded). */
  fraction(): number {
    return this.uint32() / UINT32;
  }

  /** A whole number from 0 to `count - 1`. */
  below(count: number): number {
    return Math.floor(this.fraction() * count);
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  /** A number from `low` to `high`. */
  real(low: number, high: number): number {
    return low + (high - low) * this.fraction();
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** One element; the list must not be empty. */
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** One key of a table of weights; at least one weight must be positive. */
  weighted<K extends string>(weights: Readonly<Partial<Record<K, number>>>): K {
    const entries = Object.entries(weights) as [K, number][];
    let left = this.fraction() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [key, weight] of entries) {
      left -= weight;
      if (left < 0) return key;
    }
    return (entries.at(-1) as [K, number])[0];
  }

  /** A new list with the same elements in a random order. */
  shuffled<T>(list: readonly T[]): T[] {
    const result = [...list];
    for (let last = result.length - 1; last > 0; last--) {
      const other = this.below(last + 1);
      [result[last], result[other]] = [result[other] as T, result[last] as T];
    }
    return result;
  }

  /** Up to `count` different elements in a random order. */
  sample<T>(list: readonly T[], count: number): T[] {
    return this.shuffled(list).slice(0, count);
  }
}
