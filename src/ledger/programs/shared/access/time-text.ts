/** A moment in UTC, to the second. */
export const timeText = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

/** A moment as documents have it; null for none. */
export const momentOf = (ms: number | null): string | null =>
  ms === null ? null : new Date(ms).toISOString();
