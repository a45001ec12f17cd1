/** Candidates and explanations for people. */
import { byKind } from '../../../kit/kinds.ts';
import { reportTable } from '../../../kit/report/report-table.ts';
import { wrapped } from '../../../kit/report/sentences.ts';
import { numbers, type TableColumn, texts } from '../../../kit/report/text-table.ts';
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { Explanation, NearestMiss } from '../../candidates/misses/explain.ts';
import { STEPS } from '../../candidates/search/slots.ts';
import type { candidate } from '../../results/hcand.ts';

export type CandidateFacts = DocumentOf<typeof candidate>;

const groupName = (suffix: string): string => (suffix === '' ? '(unsuffixed)' : suffix);
const SCORE_DIGITS = 8;

const COLUMNS: readonly TableColumn[] = [...numbers('#'), ...texts('Provider', 'Takes', 'For')];

/** One line a provider; the number, and the score where there is one, on the first line of each candidate. */
export function candidatesText(candidates: readonly CandidateFacts[]): string {
  const isScored = candidates.some(({ score }) => score !== undefined);
  const rows = candidates.flatMap(({ allocations, mappings, score }, k) => {
    const providers = [...new Set([...Object.keys(allocations), ...Object.values(mappings).flat()])];
    return providers.map((provider, line) => {
      const taken = Object.entries(allocations[provider] ?? {});
      const groups = Object.entries(mappings).filter(([, list]) => list.includes(provider));
      return [
        line === 0 ? String(k + 1) : '',
        provider,
        taken.length === 0 ? '-' : taken.map(([name, amount]) => `${name}:${amount}`).join(','),
        groups.map(([suffix]) => groupName(suffix)).join(','),
        ...(isScored ? [line === 0 && score !== undefined ? score.toFixed(SCORE_DIGITS) : ''] : []),
      ];
    });
  });
  const columns = isScored ? [...COLUMNS, ...numbers('Score')] : COLUMNS;
  return reportTable('', columns, rows);
}

/** What the provider lacks, behind its name. */
const lackText = byKind<NearestMiss['lacks'], string>({
  amount: ({ class: name, rule, limit, used, capacity, asked }) =>
    rule === 'capacity'
      ? `has ${limit} ${name} left (${used} of ${capacity} used), ${asked} asked for`
      : `has ${rule} ${limit} for ${name}, ${asked} asked for`,
  traits: ({ missing, forbidden }) =>
    [...missing.map((trait) => `lacks ${trait}`), ...forbidden.map((trait) => `has ${trait}`)].join(', '),
  aggregates: () => 'is not in the right aggregates',
  tree: () => 'is in another tree',
});

export function explanationText(explanation: Explanation): string {
  const { roots, slots, treesWithAll, blocking, changes, isCutOff } = explanation;
  const columns: readonly TableColumn[] = [
    ...texts('Group', 'Asks'),
    ...numbers('Providers', ...STEPS.map((step) => `-${step}`), 'Left'),
  ];
  const rows = slots.map(({ suffix, classes, providers, dropped, left }) => [
    groupName(suffix),
    classes.join(',') || '-',
    String(providers),
    ...STEPS.map((step) => String(dropped[step])),
    String(left),
  ]);
  const lines = [
    ...slots.flatMap(({ suffix, nearest }) =>
      nearest ? [`Nearest for ${groupName(suffix)}: ${nearest.provider} ${lackText(nearest.lacks)}.`] : [],
    ),
    `Roots allowed: ${roots.allowed} of ${roots.all}; trees where every group by itself finds a provider: ${treesWithAll}.`,
    ...(blocking.length > 0
      ? [`Rules between the groups that stand in the way: ${blocking.join(', ')}.`]
      : []),
    ...(isCutOff ? ['The search was cut off: there may be more rules and changes that help.'] : []),
    ...(changes.length > 0 ? ['There would be a candidate'] : ['No single change would bring a candidate.']),
    ...changes.map(({ kind, parameter, value, example }) => {
      const shown = Object.entries(example).map(
        ([suffix, names]) => `${groupName(suffix)} ${names.join('+')}`,
      );
      const what =
        kind === 'without' ? `without ${parameter}=${value}` : `with at most ${parameter}=${value}`;
      return `  ${what}: ${shown.join(', ')}`;
    }),
  ];
  return `What each step dropped:\n${reportTable('', columns, rows)}${lines.map((line) => wrapped('', line)).join('')}`;
}
