/** Lines that several programs say alike, each with its end (byte contract); scripts read them. */
import { gib } from '../../../../kit/report/sentences.ts';
import { numbers, texts, textTable } from '../../../../kit/report/text-table.ts';
import { printfFixed } from '../../../../kit/text/numbers.ts';
import { count } from '../../../../kit/text/words.ts';
import { commonDomain } from '../../../cluster/names.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import type { Cost } from '../../../plan/cost.ts';
import type { Coefficient } from '../../../results/parts/tables.ts';

/** A score, or a part of one, as all programs show it. */
export const showScore = (score: number): string => printfFixed(score, 8);

/** What moves cost; what they have none of is left out. @param stops the failovers in words */
export function costText(
  { copiedMib, migratedMemMib, migrations, failovers }: Cost,
  stops = count(failovers, 'failover'),
): string {
  const parts = [
    ...(copiedMib > 0 ? [`${gib(copiedMib)} GiB copied`] : []),
    ...(migrations > 0 ? [`${count(migrations, 'migration')} (${gib(migratedMemMib)} GiB of memory)`] : []),
    ...(failovers > 0 ? [stops] : []),
  ];
  return parts.length > 0 ? parts.join(', ') : 'nothing';
}

export const loadedTags = (tags: readonly string[]): string => `Loaded cluster tags: ${tags.join(',')}\n`;

export const indentedNames = (names: readonly string[]): string =>
  names.map((name) => `  ${name}\n`).join('');

export function strippedSuffix({ nodes, instances }: Snapshot): string {
  const suffix = commonDomain([...nodes, ...instances].map(({ name }) => name));
  return suffix === '' ? '' : `Note: Stripping common suffix of '${suffix}' from names\n`;
}

export const coefficientTable = (coefficients: readonly Coefficient[]): string =>
  textTable(
    '  ',
    [...texts('Field'), ...numbers('Value', 'Weight')],
    coefficients.map(({ name, value, weight }) => [name, showScore(value), `x${printfFixed(weight, 2)}`]),
  );

export const initialCoefficients = (score: number, coefficients: readonly Coefficient[]): string =>
  `Initial coefficients: overall ${showScore(score)}\n${coefficientTable(coefficients)}`;
