/** What numbers of a cluster may be, in whatever form; the limits stand far beyond any cluster. */
import type { ValueFault } from './faults.ts';

/** One exbibyte: sums over ten thousand of them are still exact. */
export const MAX_MIB = 2 ** 40;
/** What 32 bits hold. */
export const MAX_COUNT = 2 ** 31 - 1;
/** Some write very large ratios for "no limit". Times any count, it is still a number that can be written. */
export const MAX_RATIO = 1e100;
/** Of an instance; loads have no unit. */
const MAX_LOAD = 1e12;
const MAX_CPU_SPEED = 1e6;

/** Both ends belong to it. */
export interface Range {
  readonly min: number;
  readonly max: number;
  /** What the number counts, for the remedy: `give MiB from 0 to ...`. */
  readonly unit: string;
}

export const MIB: Range = { min: 0, max: MAX_MIB, unit: 'MiB' };
/** Ganeti takes what stopped instances will want off the free memory, which can leave less than nothing. */
export const FREE_MIB: Range = { min: -MAX_MIB, max: MAX_MIB, unit: 'MiB' };
/** What a policy allows of anything, in MiB or pieces: some write very large ones for "no limit". */
export const LIMIT: Range = { min: 0, max: MAX_MIB, unit: 'a number' };
export const COUNT: Range = { min: 0, max: MAX_COUNT, unit: 'a count' };
/** Instances of other templates take spindles from a node without a check, so a saved file can say -1. */
export const FREE_COUNT: Range = { min: -MAX_COUNT, max: MAX_COUNT, unit: 'a count' };
export const RATIO: Range = { min: 0, max: MAX_RATIO, unit: 'a ratio' };
export const LOAD: Range = { min: 0, max: MAX_LOAD, unit: 'a number' };
export const CPU_SPEED: Range = { min: Number.MIN_VALUE, max: MAX_CPU_SPEED, unit: 'a factor, 1 = standard' };

/** `MiB from 0 to 1099511627776`. */
export const rangeWords = ({ min, max, unit }: Range): string =>
  `${unit} from ${min === Number.MIN_VALUE ? 'above 0' : min} to ${max}`;

export const isIn = (value: number, { min, max }: Range): boolean => value >= min && value <= max;

/** Why a number is outside of a range; undefined when it is inside. */
export function rangeFault(value: number, range: Range): ValueFault | undefined {
  if (isIn(value, range)) return undefined;
  const { min, max } = range;
  const remedy = `give ${rangeWords(range)}`;
  if (Number.isNaN(value)) return { problem: 'is not a number', remedy };
  if (value > max) return { problem: 'is too large', remedy };
  if (min < 0) return { problem: 'is too small', remedy };
  return { problem: min === 0 ? 'is negative' : 'must be more than 0', remedy };
}
