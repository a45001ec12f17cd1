/** Amounts as reports for people have them. */
import { MIB_PER_GIB, S_PER_HOUR, S_PER_MINUTE } from '../units.ts';

const S_PER_DAY = 24 * S_PER_HOUR;

/** GiB with one digit after the point; the unit is for the heading or the sentence to say. */
export const gib = (mib: number): string => (mib / MIB_PER_GIB).toFixed(1);

/** A duration to two units, such as `2 h 40 min`. */
export function duration(seconds: number): string {
  if (seconds < S_PER_MINUTE) return `${Math.ceil(seconds)} s`;
  const whole = Math.round(seconds / S_PER_MINUTE) * S_PER_MINUTE;
  const hours = Math.floor((whole % S_PER_DAY) / S_PER_HOUR);
  const minutes = (whole % S_PER_HOUR) / S_PER_MINUTE;
  if (whole < S_PER_HOUR) return `${minutes} min`;
  if (whole < S_PER_DAY) return `${hours} h ${minutes} min`;
  return `${Math.floor(whole / S_PER_DAY)} d ${hours} h`;
}
