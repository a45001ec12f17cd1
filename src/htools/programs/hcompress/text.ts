/** hcompress's report as text, and the paragraph for cron. */
import { gib } from '../../../kit/report/amounts.ts';
import { trimmedTable } from '../../../kit/report/report-table.ts';
import { numbers, texts } from '../../../kit/report/text-table.ts';
import { wrapped } from '../../../kit/report/wrap.ts';
import { count } from '../../../kit/text/words.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { GroupVerdict } from '../../planners/groups/empty/compress.ts';
import type { CompressedGroup, CompressionFacts } from '../../planners/groups/empty/compression-facts.ts';
import { type Capacity, RESOURCES, type Shortage, UNITS } from '../../planners/groups/homes/group-room.ts';
import { costText, leftOutText, mib } from '../shared/groups/group-figures.ts';
import { destinationsText, moveLines } from '../shared/groups/move-lines.ts';
import { refusalCounts, strandedLines } from '../shared/groups/refusal-text.ts';

export const namesOf = (groups: readonly CompressedGroup[]): string[] => groups.map(({ name }) => name);

function returnsText({ givesBack }: CompressedGroup): string {
  const { nodes, memMib, diskMib, vcpus, master } = givesBack;
  const size = [`${mib(memMib)} of memory`, `${mib(diskMib)} of disk`, `${Math.floor(vcpus)} vcpus`];
  const note =
    master === null
      ? ''
      : `; first make another node the master instead of ${master} (gnt-cluster master-failover)`;
  return `${count(nodes, 'node')} with ${size.join(', ')}${note}`;
}

function priceText({ fills = [], cost, destinations = [], isWorthwhile }: CompressedGroup): string {
  const filled =
    fills.length === 0
      ? ''
      : `; this fills ${fills.join(', ')}, now empty${isWorthwhile ? '' : ', so nothing is gained'}`;
  return `${costText(cost!)}; to ${destinationsText(destinations)}${filled}`;
}

const shortageText = ({ resource, needed, available }: Shortage): string =>
  `${resource}: ${needed} ${UNITS[resource]} needed, ${Math.floor(available)} ${UNITS[resource]} free elsewhere, ${Math.ceil(
    needed - available,
  )} ${UNITS[resource]} short`;

/** Why a group cannot be emptied, in one line; empty when it can. */
export function reasonText({ outcome }: GroupVerdict): string {
  if (outcome === 'empty') return '';
  if (outcome === 'alone') return 'no other group shares a storage pool with it';
  if (outcome === 'forbidden') return 'the cluster tag htools:nointergroup forbids moves between groups';
  if (outcome.isPossible) return '';
  const { shortages, stranded, isProven } = outcome;
  if (shortages.length > 0 && stranded.length === 0) return shortages.map(shortageText).join('; ');
  if (stranded.length === 0)
    return isProven ? 'no choice of homes has room for all' : 'no choice of homes was found';
  const homeless = `${count(stranded.length, 'instance finds', 'instances find')} no home (${refusalCounts(stranded)})`;
  return isProven ? homeless : `not found, as far as the search went: ${homeless}`;
}

const COLUMNS = [
  ...texts('Group', 'Policy', 'State'),
  ...numbers('Inst', 'Mem_GiB', 'Free', 'Disk_GiB', 'Free', 'vCPUs', 'Free'),
];

/** Total and free of each resource; memory and disk in GiB, so that a row fits 80 columns. */
const figures = ({ total, free }: Capacity): string[] =>
  RESOURCES.flatMap((resource) =>
    [total[resource], free[resource]].map((x) => (resource === 'cpu' ? `${Math.floor(x)}` : gib(x))),
  );

/** Totals and free resources of the groups and of all together; external pools on lines of their own. */
function totalsText({ groups, all, instances, pools, leftOut }: CompressionFacts): string {
  const byPosition = [...groups].sort((a, b) => a.verdict.group - b.verdict.group);
  const rows = byPosition.map(({ verdict, ...one }) => [
    one.name,
    one.allocPolicy,
    one.state,
    `${one.instances}`,
    ...figures(verdict.capacity),
  ]);
  if (groups.length > 1) rows.push(['(all)', '', '', `${instances}`, ...figures(all)]);
  const lines = pools.map(({ pool, usedMib, sizeMib, freeMib, groups: reach }) => {
    const size = sizeMib === null ? '' : ` of ${mib(sizeMib)}, ${mib(freeMib!)} free`;
    const from = reach.join(', ') || 'no group';
    return wrapped('   ', `${pool}: ${mib(usedMib)} used${size}; reached from ${from}`);
  });
  return [
    trimmedTable('  ', COLUMNS, rows),
    leftOutText(leftOut),
    lines.length > 0 ? `Shared storage pools:\n${lines.join('')}` : '',
  ].join('');
}

function groupsText(start: Snapshot, facts: CompressionFacts, isVerbose: boolean): string {
  const { reclaimable, empty, blocked } = facts;
  const lines: string[] = [];
  if (reclaimable.length > 0)
    lines.push('Groups that can be emptied, each on its own, the one that gives back most first:\n');
  reclaimable.forEach((one, k) => {
    lines.push(
      wrapped(`   ${k + 1}. `, `${one.name}: ${priceText(one)}`),
      wrapped('      ', `gives back ${returnsText(one)}`),
    );
  });
  if (empty.length > 0) lines.push('Groups that are already empty:\n');
  for (const one of empty) lines.push(wrapped('   ', `${one.name}: gives back ${returnsText(one)}`));
  if (blocked.length > 0) lines.push('Groups that cannot be emptied:\n');
  for (const one of blocked) {
    const { outcome } = one.verdict;
    const stranded = typeof outcome === 'object' && !outcome.isPossible ? outcome.stranded : [];
    lines.push(
      wrapped('   ', `${one.name}: ${reasonText(one.verdict)}`),
      strandedLines(start, stranded, '      ', isVerbose),
    );
  }
  return lines.join('');
}

function togetherText({ together, empty }: CompressionFacts): string {
  if (together === undefined) return '';
  const { together: groups, filled, isLargest } = together;
  if (groups.length === 0)
    return empty.length > 0
      ? 'No group can be given back besides those that are already empty.\n'
      : 'No group can be given back.\n';
  const notes = [
    ...(filled.length > 0
      ? [`${filled.join(', ')}, now empty, ${filled.length === 1 ? 'is' : 'are'} filled`]
      : []),
    ...(isLargest ? ['no larger set exists'] : []),
  ];
  return wrapped(
    '',
    `Together ${count(groups.length, 'group')} can be given back: ${groups.join(', ')}${
      notes.length > 0 ? ` (${notes.join('; ')})` : ''
    }`,
  );
}

/** What the deep search has to show for itself. */
function searchText({ search, plan, together }: CompressionFacts): string {
  if (search === undefined) return '';
  const { greedy, meanScore } = search;
  const plural = count(greedy.reclaimable, 'group');
  const end =
    plan || together
      ? `; ${greedy.groupsEmptied} emptied with ${mib(greedy.copiedMib)} copied, mean score of the others ${greedy.meanScore.toFixed(3)} in place of ${meanScore.toFixed(3)}`
      : '';
  return wrapped('', `Without the deep search: ${plural} that can be emptied${end}`);
}

/** The report of the groups, and of the plan if any. @param isVerbose all reasons of every instance */
export function compressionText(start: Snapshot, facts: CompressionFacts, isVerbose: boolean): string {
  const { plan, emptied } = facts;
  const lines = [totalsText(facts), groupsText(start, facts, isVerbose), togetherText(facts)];
  if (plan && emptied.length > 0) {
    lines.push(
      wrapped('', `Moves that empty ${emptied.join(', ')}, in the order in which they can be made:`),
      moveLines(start, plan.moves),
      wrapped('', `Price: ${costText(plan.cost)}`),
    );
  }
  lines.push(searchText(facts));
  return lines.join('');
}

export function hintText({ reclaimable, together, plan }: CompressionFacts): string {
  const [first] = reclaimable;
  if (first === undefined) return 'No group can be emptied at present.\n';
  if (plan) return 'Nothing would be gained, so no moves are planned.\n';
  const all = together ? 'for all of these' : `for ${first.name}`;
  const more = together ? '' : ' --all tells how many groups can be given back together.';
  return wrapped(
    '',
    `Nothing has been changed. --evacuate shows the moves ${all}, with -C the commands.${more}`,
  );
}

/** What `--check` says, in one line; the same from run to run. */
export function checkSummary(facts: CompressionFacts): string {
  const { groups, instances, reclaimable, empty, blocked } = facts;
  const head = `${count(groups.length, 'group')} with ${count(instances, 'instance')}: `;
  const spare = empty.length === 0 ? '' : ` Already empty: ${namesOf(empty).join(', ')}.`;
  const worthwhile = reclaimable.filter((one) => one.isWorthwhile);
  const [first] = worthwhile;
  if (first === undefined) {
    const pointless = reclaimable.map((one) => `${one.name} (it would only fill an empty group)`);
    const reasons = [...pointless, ...blocked.map((one) => `${one.name} (${reasonText(one.verdict)})`)];
    return `${head}no group could usefully be emptied.${reasons.length > 0 ? ` ${reasons.join('; ')}.` : ''}${spare}`;
  }
  const names = namesOf(worthwhile).join(', ');
  return (
    `${head}${worthwhile.length} could be emptied and given back${worthwhile.length > 1 ? ', each on its own' : ''} (${names}). The first, ${first.name}, would give back ` +
    `${returnsText(first)}, at this price: ${costText(first.cost!)}.${spare} ` +
    'Run hcompress --evacuate -C on the same data for the commands, or with --all to see how many groups can go together.'
  );
}

export const checkText = (facts: CompressionFacts): string => wrapped('', checkSummary(facts));
