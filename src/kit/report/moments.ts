/** Moments in UTC. */

/** As documents have it, `2026-01-31T12:00:00.000Z`; null for none. @param ms since 1970 */
export const momentOf = <Ms extends number | null>(ms: Ms): Ms extends number ? string : null =>
  (ms === null ? null : new Date(ms).toISOString()) as Ms extends number ? string : null;

/** For people, to the second. @param at milliseconds since 1970, or as documents have it */
export const timeText = (at: number | string): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
