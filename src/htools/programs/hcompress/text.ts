/** hcompress's report as text, and the paragraph for cron. */

import { reportTable } from '../../../kit/report/report-table.ts';
import { gib, wrapped } from '../../../kit/report/sentences.ts';
import { numbers, texts } from '../../../kit/report/text-table.ts';
import { count } from '../../../kit/text/words.ts';
import { nodesAt } from '../../cluster/names.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import {
  destinationsText,
  excludedGroupsText,
  inGib,
  moveLines,
  relocationsCostText,
} from '../shared/groups/group-figures.ts';
import { aliasesIn, strandedLines } from '../shared/groups/refusal-text.ts';
import { blockedOf, type Document, type Group, namesOf, reclaimableOf } from './document.ts';

function returnsText({ givesBack }: Group): string {
  const { nodes, memMib, diskMib, vcpus, master } = givesBack;
  const size = [`${inGib(memMib)} of memory`, `${inGib(diskMib)} of disk`, `${Math.floor(vcpus)} vcpus`];
  const note =
    master === null
      ? ''
      : `; first make another node the master instead of ${master} (gnt-cluster master-failover)`;
  return `${count(nodes, 'node')} with ${size.join(', ')}${note}`;
}

function priceText({ fills = [], cost, destinations = [], isWorthwhile }: Group): string {
  const filled =
    fills.length === 0
      ? ''
      : `; this fills ${fills.join(', ')}, now empty${isWorthwhile ? '' : ', so nothing is gained'}`;
  return `${relocationsCostText(cost!)}; to ${destinationsText(destinations)}${filled}`;
}

const COLUMNS = [
  ...texts('Group', 'Policy', 'State'),
  ...numbers('Inst', 'Mem_GiB', 'Free', 'Disk_GiB', 'Free', 'vCPUs', 'Free'),
];

/** Total and free of each resource; memory and disk in GiB, so that a row fits 80 columns. */
const figures = (groups: readonly Group[]): string[] =>
  (['memMib', 'diskMib', 'vcpus'] as const).flatMap((resource) =>
    (['total', 'free'] as const).map((of) => {
      const sum = groups.reduce((all, one) => all + one[of][resource], 0);
      return resource === 'vcpus' ? `${Math.floor(sum)}` : gib(sum);
    }),
  );

function instancesIn(start: Snapshot, { groups }: Document): number {
  const isTold = start.groups.map(({ name }) => groups.some((one) => one.name === name));
  return start.instances.filter(({ primary, secondary }) =>
    nodesAt(start.nodes, primary, secondary).some(({ group }) => isTold[group]),
  ).length;
}

/** Totals and free resources of the groups and of all together; external pools on lines of their own. */
function totalsText(start: Snapshot, document: Document): string {
  const { groups, pools, leftOut } = document;
  const rows = start.groups
    .flatMap(({ name }) => groups.find((one) => one.name === name) ?? [])
    .map((one) => [one.name, one.allocPolicy, one.state, `${one.instances}`, ...figures([one])]);
  if (groups.length > 1) rows.push(['(all)', '', '', `${instancesIn(start, document)}`, ...figures(groups)]);
  const lines = pools.map(({ pool, usedMib, sizeMib, freeMib, groups: reach }) => {
    const size = sizeMib === null ? '' : ` of ${inGib(sizeMib)}, ${inGib(freeMib!)} free`;
    const from = reach.join(', ') || 'no group';
    return wrapped('   ', `${pool}: ${inGib(usedMib)} used${size}; reached from ${from}`);
  });
  return [
    reportTable('  ', COLUMNS, rows),
    excludedGroupsText(leftOut),
    lines.length > 0 ? `Shared storage pools:\n${lines.join('')}` : '',
  ].join('');
}

function groupsText(start: Snapshot, document: Document, isVerbose: boolean): string {
  const part = (head: string, lines: readonly string[]): string =>
    lines.length > 0 ? head + lines.join('') : '';
  const short = aliasesIn(start);
  const strandedOf = ({ stranded = [] }: Group): string =>
    strandedLines(short, stranded, '      ', isVerbose);
  return [
    part(
      'Groups that can be emptied, each on its own, the one that gives back most first:\n',
      reclaimableOf(document).map(
        (one, k) =>
          wrapped(`   ${k + 1}. `, `${one.name}: ${priceText(one)}`) +
          wrapped('      ', `gives back ${returnsText(one)}`),
      ),
    ),
    part(
      'Groups that are already empty:\n',
      document.groups
        .filter(({ isEmpty }) => isEmpty)
        .map((one) => wrapped('   ', `${one.name}: gives back ${returnsText(one)}`)),
    ),
    part(
      'Groups that cannot be emptied:\n',
      blockedOf(document).map((one) => wrapped('   ', `${one.name}: ${one.reason}`) + strandedOf(one)),
    ),
  ].join('');
}

function togetherText({ together: groups, filled = [], isLargest, alreadyEmpty }: Document): string {
  if (groups === undefined) return '';
  if (groups.length === 0)
    return alreadyEmpty.length > 0
      ? 'No group can be given back besides those that are already empty.\n'
      : 'No group can be given back.\n';
  const notes = [
    ...(filled.length > 0
      ? [`${filled.join(', ')}, now empty, ${filled.length === 1 ? 'is' : 'are'} filled`]
      : []),
    ...(isLargest ? ['no larger set exists'] : []),
  ];
  const note = notes.length > 0 ? ` (${notes.join('; ')})` : '';
  return wrapped(
    '',
    `Together ${count(groups.length, 'group')} can be given back: ${groups.join(', ')}${note}`,
  );
}

function searchText({ search, moves, together }: Document): string {
  if (search === undefined) return '';
  const { reclaimable = 0, groupsEmptied, copiedMib, meanScore = Number.NaN } = search.greedy;
  const end =
    moves || together
      ? `; ${groupsEmptied} emptied with ${inGib(copiedMib)} copied, mean score of the others ${meanScore.toFixed(3)} in place of ${search.meanScore!.toFixed(3)}`
      : '';
  return wrapped('', `Without the deep search: ${count(reclaimable, 'group')} that can be emptied${end}`);
}

/** The report of the groups, and of the plan if any. @param isVerbose all reasons of every instance */
export function compressionText(start: Snapshot, document: Document, isVerbose: boolean): string {
  const { emptied = [], moves = [], cost } = document;
  const plan =
    emptied.length > 0
      ? [
          wrapped('', `Moves that empty ${emptied.join(', ')}, in the order in which they can be made:`),
          moveLines(start, moves),
          wrapped('', `Price: ${relocationsCostText(cost!)}`),
        ]
      : [];
  return [
    totalsText(start, document),
    groupsText(start, document, isVerbose),
    togetherText(document),
    ...plan,
    searchText(document),
  ].join('');
}

/** What to do next. @param isNamed whether the one group that is looked at was named */
export function hintText(document: Document, isNamed: boolean): string {
  const { together, moves, groups } = document;
  const [first] = reclaimableOf(document);
  if (first === undefined) {
    if (!isNamed) return 'No group can be emptied at present.\n';
    const { name, isEmpty } = groups[0]!;
    return `${name} ${isEmpty ? 'is empty already' : 'cannot be emptied at present'}.\n`;
  }
  if (moves) return 'Nothing would be gained, so no moves are planned; -G empties one all the same.\n';
  const all = together ? 'for all of these' : `for ${first.name}`;
  const more = together || isNamed ? '' : ' --all tells how many groups can be given back together.';
  // Without its name the first of all groups would be emptied.
  const which = isNamed || !(together || first.isWorthwhile) ? ` -G ${first.name}` : '';
  return wrapped(
    '',
    `Nothing has been changed. --evacuate${which} shows the moves ${all}, with -C the commands.${more}`,
  );
}

/** What `--check` says, in one line; the same from run to run. @param isNamed as of hintText */
export function checkSummary(start: Snapshot, document: Document, isNamed: boolean): string {
  const { groups, alreadyEmpty } = document;
  const head = `${count(groups.length, 'group')} with ${count(instancesIn(start, document), 'instance')}: `;
  const spare = alreadyEmpty.length === 0 ? '' : ` Already empty: ${alreadyEmpty.join(', ')}.`;
  const reclaimable = reclaimableOf(document);
  const worthwhile = reclaimable.filter((one) => one.isWorthwhile);
  const [first] = worthwhile;
  if (first === undefined) {
    const pointless = reclaimable.map((one) => `${one.name} (it would only fill an empty group)`);
    const reasons = [...pointless, ...blockedOf(document).map((one) => `${one.name} (${one.reason})`)];
    return `${head}no group could usefully be emptied.${reasons.length > 0 ? ` ${reasons.join('; ')}.` : ''}${spare}`;
  }
  const names = namesOf(worthwhile).join(', ');
  return (
    `${head}${worthwhile.length} could be emptied and given back${worthwhile.length > 1 ? ', each on its own' : ''} (${names}). The first, ${first.name}, would give back ` +
    `${returnsText(first)}, at this price: ${relocationsCostText(first.cost!)}.${spare} ` +
    `Run hcompress --evacuate${isNamed ? ` -G ${first.name}` : ''} -C on the same data for the commands${isNamed ? '' : ', or with --all to see how many groups can go together'}.`
  );
}
