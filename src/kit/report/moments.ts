/** Moments in UTC. */

/** As documents have it, `2026-01-31T12:00:00.000Z`; null for none. @param ms since 1970 */
export const momentOf = <Ms extends number | null>(ms: Ms): Ms extends number ? string : null =>
  (ms === null ? null : new Date(ms).toISOString()) as Ms extends number ? string : null;

/** For people, to the second. @param at milliseconds since 1970, or as documents have it */
export const timeText = (at: number | string): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');

const ISO_8601 = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d))?$/i;

/** A day (its beginning in UTC) or a moment with its zone, in milliseconds since 1970; NaN for neither. */
export function readMoment(text: string): number {
  const day = ISO_8601.exec(text)?.[1];
  // Date.parse alone takes 30 February for 1 March, `12.01.2027` for 1 December, and a time without a zone
  // for one of the machine's.
  const isDay = day !== undefined && new Date(day).toJSON()?.startsWith(day) === true;
  return isDay ? Date.parse(text) : Number.NaN;
}
