/** hcompress's report as text, and the paragraph for cron; compression-data.ts has the same for programs. */
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { Storage } from '../../cluster/storage/storage.ts';
import { type GroupVerdict, isReclaimable, type Reclaimed } from '../../planners/groups/empty/compress.ts';
import { RESOURCES, type Shortage, UNITS } from '../../planners/groups/homes/group-room.ts';
import type { RelocationCost } from '../../planners/groups/relocate/job-schedule.ts';
import type { Relocation } from '../../planners/groups/relocate/relocation.ts';
import { textTable } from '../../report/text-table.ts';
import { costText, count, mib } from '../shared/groups/group-figures.ts';
import { refusalCounts, strandedLines } from '../shared/groups/group-refusals.ts';
import { relocationLines, targetsText } from '../shared/groups/group-relocations.ts';

/** A plan that empties groups. */
export interface CompressionPlan {
  readonly relocations: readonly Relocation[];
  readonly cost: RelocationCost;
}

/** Everything that is reported. */
export interface CompressionReport {
  readonly start: Snapshot;
  readonly storage: Storage;
  /** Emptiest first. */
  readonly verdicts: readonly GroupVerdict[];
  /** What emptying each group that can be emptied would cost, by group. */
  readonly costs: ReadonlyMap<number, RelocationCost>;
  /** Groups that can be given back together, in their order (`--all`, `--evacuate`). */
  readonly together: readonly Reclaimed[] | undefined;
  /** With `--evacuate`. */
  readonly plan: CompressionPlan | undefined;
  readonly isAll: boolean;
  readonly bandwidth: number;
}

const PERCENT = 100;

const nameOf = (start: Snapshot, group: number): string => start.groups[group]!.name;

const COLUMNS = [
  { heading: 'Group', isNumeric: false },
  { heading: 'Policy', isNumeric: false },
  { heading: 'State', isNumeric: false },
  { heading: 'Inst', isNumeric: true },
  { heading: 'Mem_MiB', isNumeric: true },
  { heading: 'Free_Mem', isNumeric: true },
  { heading: 'Disk_MiB', isNumeric: true },
  { heading: 'Free_Disk', isNumeric: true },
  { heading: 'vCPUs', isNumeric: true },
  { heading: 'Free_vCPU', isNumeric: true },
  { heading: 'Free', isNumeric: true },
];

/** Totals and free resources of the groups and of all together; external pools on lines of their own. */
function totalsText({
  start,
  storage,
  verdicts,
}: Pick<CompressionReport, 'start' | 'storage' | 'verdicts'>): string {
  const figures = (total: GroupVerdict['capacity']): string[] =>
    RESOURCES.flatMap((resource) =>
      [total.total[resource], total.free[resource]].map((x) => `${Math.floor(x)}`),
    );
  const byPosition = [...verdicts].sort((a, b) => a.group - b.group);
  const rows = byPosition.map((one) => [
    nameOf(start, one.group),
    start.groups[one.group]!.allocPolicy,
    one.health.state,
    `${one.instances}`,
    ...figures(one.capacity),
    `${Math.round(PERCENT * one.freeShare)}%`,
  ]);
  const sum = (pick: (one: GroupVerdict) => number): number =>
    byPosition.reduce((all, one) => all + pick(one), 0);
  const all = RESOURCES.flatMap((resource) => [
    `${Math.floor(sum((one) => one.capacity.total[resource]))}`,
    `${Math.floor(sum((one) => one.capacity.free[resource]))}`,
  ]);
  rows.push(['(all)', '', '', `${start.instances.length}`, ...all, '']);
  const pools = storage.pools
    .filter(({ type }) => type === 'external')
    .map(
      ({ id, usedMib, sizeMib, freeMib, groups }) =>
        `   ${id}: ${mib(usedMib)} used${sizeMib === undefined ? '' : ` of ${mib(sizeMib)}, ${mib(freeMib!)} free`}; reached from ${
          groups.map((group) => nameOf(start, group)).join(', ') || 'no group'
        }\n`,
    );
  const table = textTable('  ', COLUMNS, rows).replaceAll(/ +$/gm, '');
  return table + (pools.length > 0 ? `Shared storage pools:\n${pools.join('')}` : '');
}

/** What a group gives back. */
function returnsText({ health, capacity }: GroupVerdict, start: Snapshot): string {
  const nodes = start.nodes.filter((node) => node.group === health.group);
  const size = [
    `${mib(capacity.total.memory)} of memory`,
    `${mib(capacity.total.disk)} of disk`,
    `${Math.floor(capacity.total.cpu)} vcpus`,
  ];
  const master = nodes.find((node) => node.isMaster);
  const note = master
    ? `; first make another node master in place of ${master.name} (gnt-cluster master-failover)`
    : '';
  return `${count(nodes.length, 'node')} with ${size.join(', ')}${note}`;
}

const shortageText = ({ resource, needed, available }: Shortage): string =>
  `${resource}: ${needed} ${UNITS[resource]} needed, ${Math.floor(available)} ${UNITS[resource]} free elsewhere, ${Math.ceil(
    needed - available,
  )} ${UNITS[resource]} short`;

/** Why a group cannot be emptied, in one line. */
export function reasonText({ outcome }: GroupVerdict): string {
  if (outcome === 'alone') return 'no other group shares a storage pool with it';
  if (outcome === 'forbidden') return 'the cluster tag htools:nointergroup forbids moves between groups';
  if (outcome.isPossible) return '';
  if (outcome.shortages.length > 0) return outcome.shortages.map(shortageText).join('; ');
  const stranded = `${count(outcome.stranded.length, 'instance finds', 'instances find')} no home (${refusalCounts(outcome.stranded)})`;
  return outcome.isProven ? stranded : `${stranded}, as far as the search went`;
}

function refusalText(verdict: GroupVerdict, start: Snapshot): string {
  const { outcome } = verdict;
  const stranded = typeof outcome === 'object' && !outcome.isPossible ? outcome.stranded : [];
  return `   ${nameOf(start, verdict.group)}: ${reasonText(verdict)}\n${strandedLines(start, stranded, '      ')}`;
}

/** Groups that can be emptied, in the order of the report. */
export const reclaimableOf = ({ verdicts }: CompressionReport): GroupVerdict[] =>
  verdicts.filter(isReclaimable);

function groupsText(report: CompressionReport): string {
  const { start, verdicts, costs, bandwidth } = report;
  const yes = reclaimableOf(report);
  const no = verdicts.filter((one) => !isReclaimable(one));
  const lines: string[] = [];
  if (yes.length > 0)
    lines.push(
      'Groups that can be emptied, each on its own, the one with the largest free resources first:\n',
    );
  yes.forEach((one, k) => {
    const { group, outcome } = one;
    const { relocations } = outcome as Extract<typeof outcome, { isPossible: true }>;
    const how =
      relocations.length === 0
        ? 'it is empty'
        : `${costText(costs.get(group)!, bandwidth)}; to ${targetsText(start, relocations)}`;
    lines.push(`   ${k + 1}. ${nameOf(start, group)}: ${how}\n      gives back ${returnsText(one, start)}\n`);
  });
  if (no.length > 0) lines.push('Groups that cannot:\n', ...no.map((one) => refusalText(one, start)));
  return lines.join('');
}

/** The report of the groups, and of the plan when there is one. */
export function compressionText(report: CompressionReport): string {
  const { start, together, plan, bandwidth, isAll } = report;
  const lines = [totalsText(report), groupsText(report)];
  const names = (together ?? []).map(({ group }) => nameOf(start, group));
  if (isAll) {
    lines.push(
      names.length === 0
        ? 'No group can be given back.\n'
        : `Together ${count(names.length, 'group')} can be given back: ${names.join(', ')}\n`,
    );
  }
  if (plan && names.length > 0 && plan.relocations.length === 0) {
    lines.push(`Nothing has to move: no instance is in ${names.join(', ')}.\n`);
  } else if (plan && names.length > 0) {
    lines.push(
      `Moves that empty ${names.join(', ')}, in the order in which they can be made:\n`,
      relocationLines(start, plan.relocations),
      `Cost: ${costText(plan.cost, bandwidth)}\n`,
    );
  }
  return lines.join('');
}

/** What to do next where no plan was asked for. */
export function hintText(report: CompressionReport): string {
  const [first] = reclaimableOf(report);
  if (first === undefined) return 'No group can be emptied as things are.\n';
  const name = nameOf(report.start, first.group);
  const all = report.isAll ? 'for all of these' : `for ${name}`;
  const more = report.isAll ? '' : ' --all tells how many groups can be given back together.';
  return `Nothing has been changed. --evacuate shows the moves ${all}, with -C the commands.${more}\n`;
}

/** One paragraph for cron; the same from run to run. */
export function checkText(report: CompressionReport): string {
  const { start, verdicts, costs, bandwidth } = report;
  const yes = reclaimableOf(report);
  const head = `${count(verdicts.length, 'group')} with ${count(start.instances.length, 'instance')}: `;
  if (yes.length === 0) {
    const reasons = verdicts.map((one) => `${nameOf(start, one.group)} (${reasonText(one)})`);
    return `${head}no group could be emptied.${reasons.length > 0 ? ` ${reasons.join('; ')}.` : ''}\n`;
  }
  const [first] = yes;
  const names = yes.map(({ group }) => nameOf(start, group)).join(', ');
  const price =
    first!.instances === 0
      ? '. It is empty, so nothing has to move. '
      : `, for this: ${costText(costs.get(first!.group)!, bandwidth)}. `;
  return (
    `${head}${yes.length} could be emptied and given back (${names}). The first, ${nameOf(start, first!.group)}, would give back ` +
    `${returnsText(first!, start)}${price}` +
    `Run hcompress --evacuate -C on the same data for the commands, or with --all to see how many groups can go together.\n`
  );
}
