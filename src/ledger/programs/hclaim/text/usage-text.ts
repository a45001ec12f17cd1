/** Use as tables and as charts of text. */
import { timeText } from '../../../../kit/report/moments.ts';
import { reportTable } from '../../../../kit/report/report-table.ts';
import { numbers, texts } from '../../../../kit/report/text-table.ts';
import type { UseOverTime } from '../../../claims/usage/over-time.ts';
import type { UsageRow } from '../../../claims/usage/usage.ts';

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
