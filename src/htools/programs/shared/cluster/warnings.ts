/** Warnings about the input, as the stock programs word and lay them out on standard error. */
import { warning } from '../../../../kit/report/tone.ts';

/** What is said about figures that do not add up; empty when they do. */
export const loadWarnings = (warnings: readonly string[]): string =>
  warnings.length === 0
    ? ''
    : `${warning('cluster has inconsistent data:')}${warnings.map((one) => `  - ${one}\n`).join('')}\n`;

/** Told after a snapshot was saved. */
export const snapshotSaved = (what: string, file: string): string =>
  `The cluster state ${what} has been written to file '${file}'\n`;
