/** Warnings about the input, as the stock programs word and lay them out on standard error. */
import { warning } from '../../../../kit/report/tone.ts';

/** So many of more warnings than are listed stand for the others. */
const NAMED = 3;

/** What is said about figures that do not add up. @param most as many are listed; more are summed up */
export function loadWarnings(warnings: readonly string[], most = Infinity): string {
  const { length: count } = warnings;
  if (count === 0) return '';
  const what = 'cluster has inconsistent data';
  if (count > most)
    return warning(
      `${what} in ${count} places: ${warnings.slice(0, NAMED).join('; ')}; and ${count - NAMED} more`,
    );
  return `${warning(`${what}:`)}${warnings.map((one) => `  - ${one}\n`).join('')}\n`;
}
