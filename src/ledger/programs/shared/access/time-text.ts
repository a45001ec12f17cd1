/** A moment in UTC, to the second. */
export const timeText = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
