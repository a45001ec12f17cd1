/**
 * What an expression may cost. Steps and bytes are counted, so that what fails fails on every machine; they
 * stand for well under a second and 64 MiB.
 */
import { ExpressionError, type Value } from './value.ts';

const MAX_STEPS = 400_000;
/** Everything that was ever made counts, whether it is still needed or not. */
const MAX_BYTES = 16 * 2 ** 20;
const BYTES_PER_STEP = 64;
const BYTES_PER_ITEM = 32;
const BYTES_PER_INTEGER = 64;
/** Far beyond any size, and still quickly multiplied. */
const LARGEST = 2n ** 512n;

/** What an expression has cost so far. */
export class Budget {
  steps = 0;
  bytes = 0;
}

/** A place in an expression: what is done there is counted, and what is wrong there is said of it. */
export class Place {
  constructor(
    readonly offset: number,
    readonly budget: Budget,
  ) {}

  fail(message: string, remedy?: string): never {
    throw new ExpressionError(message, this.offset, remedy);
  }

  step(count = 1): void {
    this.budget.steps += count;
    if (this.budget.steps > MAX_STEPS)
      this.fail(`takes more than ${MAX_STEPS} steps`, 'it works on fewer items');
  }

  /** Counts `bytes` that are about to be made. @throws ExpressionError when they are too many. */
  bytes(bytes: number): void {
    this.budget.bytes += bytes;
    if (this.budget.bytes > MAX_BYTES)
      this.fail(`needs more than ${MAX_BYTES / 2 ** 20} MiB`, 'it works on less');
    this.step(Math.ceil(bytes / BYTES_PER_STEP));
  }

  /** Counts items of a list or mapping that is about to be made. */
  room(count: number): void {
    this.bytes(count * BYTES_PER_ITEM);
  }

  /** Counts the text or integer that an operation has given; both are bounded by what went in. */
  made<T extends Value>(value: T): T {
    if (typeof value === 'string') this.bytes(2 * value.length);
    else if (typeof value === 'bigint') this.countInteger(value);
    return value;
  }

  private countInteger(value: bigint): void {
    if (value > LARGEST || value < -LARGEST) this.fail('gives an integer that is too large');
    this.bytes(BYTES_PER_INTEGER);
  }
}
