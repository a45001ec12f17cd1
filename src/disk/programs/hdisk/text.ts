/** Layouts as tables for people. */
import { reportTable } from '../../../kit/report/report-table.ts';
import { wrapped } from '../../../kit/report/sentences.ts';
import { type Cell, numbers, type TableColumn, texts } from '../../../kit/report/text-table.ts';
import { inWords } from '../../../kit/text/words.ts';
import type { LaidOut, NodeOutcome } from '../../facts/node-layout.ts';
import {
  nodePools,
  type SpaceTotal,
  shortSpaces,
  spaceTotals,
  unallocatedSize,
} from '../../facts/space-totals.ts';
import { isFixed, UNALLOCATED } from '../../model/spaces.ts';
import { askedWords, reasonWords } from './words.ts';

const GAP = '  ';
const PERCENT = 100;

/** Without the blank that other tables begin with. */
const table = (columns: readonly TableColumn[], rows: readonly (readonly Cell[])[]): string =>
  reportTable('', columns, rows, undefined, GAP).replaceAll(/^ /gm, '');

const partOf = (size: number, whole: number): string =>
  whole === 0 ? '-' : `${((size / whole) * PERCENT).toFixed(1)}%`;

/** The layout of one node: what is on each disk, then what each space got. */
export function layoutText(outcome: LaidOut): string {
  const { disks, spaces, layout } = outcome;
  const rows = disks.flatMap(({ id, size }, disk) => {
    const parts = layout.sizes[disk]!.flatMap((own, at) =>
      own > 0 ? [[spaces[at]?.id ?? UNALLOCATED, String(own), partOf(own, size)]] : [],
    );
    const [first = ['-', '0', '-'], ...others] = parts;
    return [[id, String(size), ...first], ...others.map((part) => ['', '', ...part])];
  });
  const onDisks = table(
    [...texts('Disk'), ...numbers('Size'), ...texts('Space'), ...numbers('Part', '')],
    rows,
  );
  if (spaces.length === 0) return onDisks;
  const totals = spaceTotals(outcome).map(({ space, size, parts }) => [
    space.id,
    askedWords(space),
    String(size),
    parts.map(({ disk }) => disk).join(', ') || '-',
  ]);
  totals.push([UNALLOCATED, '', String(unallocatedSize(outcome)), '']);
  return `${onDisks}\n${table([...texts('Space', 'Asked'), ...numbers('Size'), ...texts('On')], totals)}`;
}

/** Many nodes, a line each. */
export function outcomesText(outcomes: readonly NodeOutcome[]): string {
  const rows = outcomes.map((outcome) => {
    const size = outcome.disks.reduce((sum, disk) => sum + disk.size, 0);
    const own = [outcome.node, outcome.disks.length, size];
    if (outcome.kind !== 'layout') return [...own, '-', '-', reasonWords(outcome)];
    const left = unallocatedSize(outcome);
    const words = outcome.layout.isProven ? 'laid out' : 'laid out, not proven best';
    return [...own, size - left, left, words];
  });
  const done = outcomes.filter(({ kind }) => kind === 'layout').length;
  return `${table(
    [...texts('Node'), ...numbers('Disks', 'Size', 'Used', 'Left'), ...texts('Outcome')],
    rows,
  )}${done} of ${outcomes.length} nodes laid out\n`;
}

export function poolsText(outcomes: readonly LaidOut[]): string {
  const rows = outcomes.flatMap((outcome) =>
    nodePools(outcome).map(({ pool, size, spaces }) => [outcome.node, pool, size, spaces.join(', ') || '-']),
  );
  if (rows.length === 0 && outcomes.length > 0)
    return 'The schema has no container, and so no node a pool.\n';
  return table([...texts('Node', 'Pool'), ...numbers('Size'), ...texts('Spaces')], rows);
}

const SHARING_WARNINGS = {
  dropped: 'their sizes are given and contradict their weights, which are ignored',
  relaxed: 'cannot share by their weights; they come as near to it as possible',
} as const;

/** What a person should know about a layout that is there. */
export function layoutWarnings(outcome: LaidOut): readonly string[] {
  const { spaces, layout } = outcome;
  const names = (members: readonly number[]): string => inWords(members.map((at) => spaces[at]!.id));
  const classes = (kind: keyof typeof SHARING_WARNINGS): string[] =>
    layout.sharing
      .filter(({ outcome }) => outcome === kind)
      .map(({ members }) => `${names(members)}: ${SHARING_WARNINGS[kind]}`);
  const warnings = [
    ...classes('dropped'),
    ...classes('relaxed'),
    ...shortSpaces(outcome).map(
      ({ space, size }) => `${space.id}: rounding down left ${size} of at least ${space.minSize}`,
    ),
  ];
  if (!layout.isProven) warnings.push('time ran out: there may be a better layout');
  return warnings;
}

const REASONS: Readonly<Record<SpaceTotal['reason'], string>> = {
  fixed: 'its size is given',
  sharing: 'it shares what there is',
  least: 'it has its minimum, and others have the rest',
  most: 'it has its maximum',
  rest: 'it has what the others left',
};

export function explanationText(outcome: LaidOut): string {
  const { layout, disks } = outcome;
  const lines = spaceTotals(outcome).map((total, at) => {
    const { space, size, parts } = total;
    const exact = layout.exact.reduce((sum, row) => sum + row[at]!, 0);
    const words = [`${space.id}: ${size} (asked: ${askedWords(space)}); ${REASONS[total.reason]}`];
    if (total.sharesWith.length > 0 && !isFixed(space))
      words.push(
        `shares with ${inWords(total.sharesWith)} by weight ${space.weight}${total.sharing === 'relaxed' ? ', as nearly as possible' : ''}`,
      );
    if (space.bestDisks?.length === 0) words.push('none of its best disks is here');
    else if (space.bestDisks) {
      const best = parts.reduce((sum, part) => sum + (part.isBest ? part.size : 0), 0);
      const wanted = inWords(space.bestDisks.map((disk) => disks[disk]!.id));
      words.push(
        `best with ${wanted}, where ${best} of it lies${best < size ? '; sizes come before preferences' : ''}`,
      );
    }
    if (Math.abs(exact - size) > 1e-6) words.push(`exactly ${Number(exact.toFixed(3))}`);
    return wrapped('  ', words.join('; '));
  });
  return `\nWhy:\n${lines.join('')}  worth of the layout: ${Number(layout.objective.toFixed(6))}\n`;
}
