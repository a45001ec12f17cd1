/** Refusals, conflicts, differences, findings and use in words. */
import { byKind } from '../../../../kit/kinds.ts';
import { timeText } from '../../../../kit/report/moments.ts';
import { reportTable } from '../../../../kit/report/report-table.ts';
import { numbers, texts } from '../../../../kit/report/text-table.ts';
import type { DocumentOf } from '../../../../kit/results/members.ts';
import { count } from '../../../../kit/text/words.ts';
import type { Finding } from '../../../claims/audit/audit.ts';
import { type Difference, isFault } from '../../../claims/cluster/difference.ts';
import type { UnitRule } from '../../../claims/model/inventory.ts';
import type { ClaimConflict, Holder } from '../../../claims/model/refusal.ts';
import type { UseOverTime } from '../../../claims/usage/over-time.ts';
import type { UsageRow } from '../../../claims/usage/usage.ts';
import type { refusal } from '../../../results/hclaim.ts';

export type AnyRefusal = DocumentOf<typeof refusal>;

const holderText = ({ consumer, project, used }: Holder): string =>
  `${consumer}${project === null ? '' : ` of ${project}`} (${used})`;

export const refusalText = (refusal: AnyRefusal): string => `Refused: ${reason(refusal)}`;

const reason = byKind<AnyRefusal, string>({
  'unknown-provider': ({ provider }) => `there is no provider ${provider}`,
  'unknown-class': ({ class: name }) => `there is no class ${name}`,
  'no-inventory': ({ providerName, class: name }) => `${providerName} has no ${name}`,
  unit: ({ consumer, providerName, amount, class: name, rule, limit }) =>
    `${consumer} asks ${providerName} for ${amount} ${name}, ${unitText(rule, limit)}`,
  capacity: ({ providerName, class: name, lacking, asked, used, capacity, reserved, holders }) => {
    const more = reserved > 0 ? ` (${reserved} reserved)` : '';
    const held = holders.length === 0 ? '' : `; most is held by ${holders.map(holderText).join(', ')}`;
    return `${providerName} lacks ${lacking} ${name}: ${asked} more asked, ${used} of ${capacity}${more} used${held}`;
  },
  'name-taken': ({ name }) => `there is a provider ${name} already`,
  'uuid-taken': ({ uuid }) => `there is a provider with the UUID ${uuid} already`,
  'unknown-parent': ({ parent }) => `there is no provider ${parent} to stand below`,
  circle: ({ provider, providerName, parent, parentName }) =>
    provider === parent
      ? `${providerName} cannot stand below itself`
      : `${providerName} cannot stand below ${parentName}, which stands below it`,
  'has-children': ({ providerName, children }) =>
    `${providerName} has providers below it: ${children.join(', ')}`,
  'in-use': ({ classes, providerName }) => `${classes.join(', ')} of ${providerName} is in use`,
  'unknown-trait': ({ trait }) => `there is no trait ${trait}; names of your own begin with CUSTOM_`,
  'not-empty': ({ providers, consumers }) =>
    `the ledger has ${count(providers, 'provider')} and ${count(consumers, 'consumer')} already; say --replace, or --sync to bring it in line with a cluster of Ganeti`,
  'unknown-instance': ({ instance }) => `the ledger has no instance ${instance}`,
  'unknown-node': ({ node }) => `the ledger has no node ${node}`,
  elsewhere: ({ instance, expected, nodes }) =>
    `${instance} does not run on ${expected}, from where the plan takes it, but on ${nodes.join(', ') || 'no node'}`,
  'other-copies': ({ instance, nodes }) =>
    `${instance} has disks on ${nodes.join(', ')}, too, of which the plan knows nothing`,
  'unknown-consumer': ({ consumer }) => `there is no consumer ${consumer}`,
  expired: ({ consumer }) => `the claim of ${consumer} has expired`,
});

function unitText(rule: UnitRule['rule'], limit: number): string {
  if (rule === 'min_unit') return `and ${limit} is the least that one consumer may have`;
  if (rule === 'max_unit') return `and ${limit} is the most that one consumer may have`;
  return `which is not a multiple of ${limit}`;
}

const shown = (generation: number | null): string => (generation === null ? 'none' : `${generation}`);

export const conflictText = byKind<ClaimConflict, string>({
  'consumer-generation': ({ consumer, found, expected }) =>
    `Conflict: consumer ${consumer} has generation ${shown(found)}, not ${shown(expected)}\nMaybe see who changed it (hclaim history --consumer=${consumer}), and say --generation=${shown(found)}`,
  'provider-generation': ({ provider, found, expected }) =>
    `Conflict: provider ${provider} has generation ${shown(found)}, not ${shown(expected)}\nMaybe try again: somebody changed it meanwhile`,
  busy: ({ detail }) =>
    `Conflict: others changed the same rows in every try (${detail})\nMaybe try again when they are done`,
});

const differenceText = byKind<Difference, string>({
  'name-missing': ({ of, name }) => `+ ${of} ${name}`,
  'name-extra': ({ of, name }) => `- ${of} ${name}`,
  'provider-missing': ({ name }) => `+ provider ${name}`,
  'provider-extra': ({ name }) => `- provider ${name}`,
  'provider-held': ({ name, consumers }) =>
    `- provider ${name}, not before this is released or claimed anew: ${consumers.join(' ')}`,
  'provider-differs': ({ name, what, ledger, cluster }) =>
    `~ provider ${name}, ${what}: ${ledger} => ${cluster}`,
  'consumer-missing': ({ consumer, amounts }) => `+ consumer ${consumer}: ${amounts}`,
  'consumer-extra': ({ consumer, amounts }) => `- consumer ${consumer}: ${amounts}`,
  'consumer-differs': ({ consumer, what, ledger, cluster }) =>
    `~ consumer ${consumer}, ${what}: ${ledger} => ${cluster}`,
  moving: ({ consumer, cluster, ledger }) => `  claimed, not moved yet: ${consumer}: ${cluster} => ${ledger}`,
  promised: ({ consumer, amounts }) => `  promised, not built: ${consumer}: ${amounts}`,
});

/** One line each: `+` the other has it, `-` the ledger has it, `~` both have it and differ. */
export const differencesText = (
  differences: readonly Difference[],
  other: 'cluster' | 'Placement' = 'cluster',
): string =>
  differences.length === 0
    ? `Ledger and ${other} agree.\n`
    : differences.map((difference) => `${differenceText(difference)}\n`).join('');

/** What is worth telling: with `--quiet` no promises, which may stand for days. */
export const toldOf = (
  differences: readonly Difference[],
  { verbosity }: { readonly verbosity: number },
): readonly Difference[] => (verbosity < 1 ? differences.filter(isFault) : differences);

export const findingText = byKind<Finding, string>({
  sum: ({ provider, kept, class: name, sum }) =>
    `${provider} keeps ${kept} ${name} as used, its allocations are ${sum}`,
  'owner-sum': ({ project, kept, class: name, sum }) =>
    `${project === null ? 'what has no project' : `project ${project}`} keeps ${kept} ${name} as used, its allocations are ${sum}`,
  orphan: ({ what }) => `orphan: ${what}`,
  generation: ({ provider, generation, changes }) =>
    `${provider} has generation ${generation}, its history ${count(changes, 'change')}`,
  history: ({ recorded, consumer, provider, found }) =>
    `the history ends with ${recorded} for ${consumer} on ${provider}, the ledger has ${found}`,
  tree: ({ provider }) => `${provider} names another root than its parent`,
  damage: ({ detail }) => `the database is damaged: ${detail}`,
  'over-capacity': ({ provider, used, capacity, class: name }) =>
    `${provider} is over capacity: ${used} of ${capacity} ${name} used`,
  unit: ({ consumer, amount, class: name, provider, rule }) =>
    `${consumer} has ${amount} ${name} of ${provider}, which ${rule} would not allow`,
});

const PERCENT = 100;

/** @param of what the rows are added up by; undefined for classes alone. */
export function usageTable(of: string | undefined, rows: readonly UsageRow[]): string {
  if (rows.length === 0) return 'Nothing is used, and there is nothing to use.\n';
  const hasCapacity = rows.some(({ capacity }) => capacity !== null);
  const columns = [
    ...(of === undefined ? [] : texts(of)),
    ...texts('Class'),
    ...numbers('Used', ...(hasCapacity ? ['Capacity', 'Free', 'Share'] : [])),
  ];
  return reportTable(
    '',
    columns,
    rows.map((row) => [
      ...(of === undefined ? [] : [row.of ?? '-']),
      row.class,
      String(row.used),
      ...(hasCapacity ? capacityCells(row.used, row.capacity ?? 0) : []),
    ]),
  );
}

const capacityCells = (used: number, capacity: number): string[] => [
  String(capacity),
  String(capacity - used),
  capacity === 0 ? '-' : `${((used / capacity) * PERCENT).toFixed(1)}%`,
];

const HEIGHT = 8;
const EIGHTHS = ' ▁▂▃▄▅▆▇█';

/** A chart of columns, the highest value at the top. Values are whole and not below 0. */
export function chart({ class: name, used }: UseOverTime, from: number, to: number): string {
  const highest = Math.max(1, ...used);
  const label = String(highest).length;
  const lines: string[] = [];
  for (let row = HEIGHT; row >= 1; row--) {
    const cells = used.map((value) => {
      const eighths = Math.round((value / highest) * HEIGHT * 8) - (row - 1) * 8;
      return EIGHTHS[Math.max(0, Math.min(8, eighths))]!;
    });
    const mark = row === HEIGHT ? String(highest) : row === 1 ? '0' : '';
    lines.push(`${mark.padStart(label)} |${cells.join('').trimEnd()}`);
  }
  const start = timeText(from);
  const end = timeText(to);
  const axis = `${' '.repeat(label + 2)}${start}${end.padStart(Math.max(end.length + 1, used.length - start.length))}`;
  const now = used.at(-1)!;
  return `${name} (now ${now}, at most ${Math.max(...used)})\n${lines.join('\n')}\n${' '.repeat(label)} +${'-'.repeat(used.length)}\n${axis}\n`;
}
