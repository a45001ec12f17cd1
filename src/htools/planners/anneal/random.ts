/**
 * Random numbers: equal seeds give equal streams on any machine. Source: xoshiro128++ by Blackman and Vigna.
 */
const TO_UNIT = 2 ** -32;

export class RandomStream {
  private a: number;
  private b: number;
  private c: number;
  private d: number;

  /** @param seed any whole number; @param stream tells apart the streams of one seed */
  constructor(seed: number, stream: number) {
    this.a = hash(seed);
    this.b = hash(this.a ^ stream);
    this.c = hash(this.b + 1);
    this.d = hash(this.c + 2) | 1;
  }

  /** A whole number from 0 up to 2^32 - 1. */
  next(): number {
    const { a, b, c, d } = this;
    const sum = (a + d) | 0;
    const result = (((sum << 7) | (sum >>> 25)) + a) >>> 0;
    const t = b << 9;
    const c2 = c ^ a;
    const d2 = d ^ b;
    this.b = b ^ c2;
    this.a = a ^ d2;
    this.c = c2 ^ t;
    this.d = (d2 << 11) | (d2 >>> 21);
    return result;
  }

  /** A whole number from 0 up to `n` - 1. */
  below(n: number): number {
    return Math.floor(this.next() * TO_UNIT * n);
  }

  /** A number from 0 up to 1, 1 left out. */
  unit(): number {
    return this.next() * TO_UNIT;
  }
}

/** Spreads the bits of a whole number over all 32. */
function hash(value: number): number {
  let h = (value + 0x9e3779b9) | 0;
  h = Math.imul(h ^ (h >>> 16), 0x21f0aaad);
  h = Math.imul(h ^ (h >>> 15), 0x735a2d97);
  return h ^ (h >>> 15);
}
