/**
 * What one expression may cost. Steps and bytes are counted, not measured, so that an expression that fails
 * fails everywhere: the counts stand for well under a second and well under 64 MiB on any machine of the last
 * ten years.
 */
import { ExpressionError } from './expression-error.ts';
import type { Value } from './value.ts';

const MAX_STEPS = 400_000;
/** Everything that was ever made counts, whether it is still needed or not. */
const MAX_BYTES = 16 * 2 ** 20;
const BYTES_PER_STEP = 64;
const BYTES_PER_ITEM = 32;
const BYTES_PER_INTEGER = 64;
/** Far beyond any size, and still quickly multiplied. */
const LARGEST = 2n ** 512n;

export class Budget {
  #steps = 0;
  #bytes = 0;

  /** @throws ExpressionError when the expression has used up its steps. */
  step(offset: number, count = 1): void {
    this.#steps += count;
    if (this.#steps > MAX_STEPS)
      throw new ExpressionError(`takes more than ${MAX_STEPS} steps`, offset, 'it works on fewer items');
  }

  /** Counts `bytes` that are about to be made. @throws ExpressionError when they are too many. */
  bytes(offset: number, bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > MAX_BYTES)
      throw new ExpressionError(`needs more than ${MAX_BYTES / 2 ** 20} MiB`, offset, 'it works on less');
    this.step(offset, Math.ceil(bytes / BYTES_PER_STEP));
  }

  /** Counts places in a list or mapping that are about to be made. */
  items(offset: number, count: number): void {
    this.bytes(offset, count * BYTES_PER_ITEM);
  }

  /** Counts the text or integer that an operation has given; both are bounded by what went in. */
  made<T extends Value>(offset: number, value: T): T {
    if (typeof value === 'string') this.bytes(offset, 2 * value.length);
    else if (typeof value === 'bigint') this.#integer(offset, value);
    return value;
  }

  #integer(offset: number, value: bigint): void {
    if (value > LARGEST || value < -LARGEST)
      throw new ExpressionError('gives an integer that is too large', offset);
    this.bytes(offset, BYTES_PER_INTEGER);
  }
}
