/** A line of the log, as JSON. */
export type WriteLine = (line: string) => void;

export const logLine = (level: 'info' | 'warning' | 'error', more: object): string =>
  JSON.stringify({ level, time: new Date().toISOString(), ...more });
