/** The text of `hinfo --storage`: pools, partitions and what is not in order. */
import { gib } from '../../../kit/report/gib.ts';
import { trimmedTable } from '../../../kit/report/report-table.ts';
import { numbers, texts } from '../../../kit/report/text-table.ts';
import { warning } from '../../../kit/report/tone.ts';
import type { PoolReport, StorageReport } from '../../cluster/storage/storage-report.ts';

const UNKNOWN = '-';

const COLUMNS = [
  ...texts('Type', 'Pool'),
  ...numbers('Nodes', 'Inst', 'Used_GiB', 'Size_GiB', 'Free_GiB'),
  ...texts('Groups'),
];

const amount = (mib: number | null): string => (mib === null ? UNKNOWN : gib(mib));

const cells = (pool: PoolReport): string[] => [
  pool.type,
  pool.name,
  String(pool.nodes.length),
  String(pool.instances),
  amount(pool.usedMib),
  amount(pool.sizeMib),
  amount(pool.freeMib),
  pool.groups.join(',') || UNKNOWN,
];

/** Where the figures come from, in one line. */
function basis(report: StorageReport): string {
  if (!report.isStated)
    return 'The snapshot says nothing about storage: pools follow from the disk templates.';
  return report.isBinding
    ? 'Nodes list the pools that they reach.'
    : 'No node lists its pools: every node reaches every pool.';
}

/** Pools with their partitions (the groups that reach each), then misplaced instances and warnings. */
export function storageText(report: StorageReport): string {
  const lines = [`Storage pools (${report.pools.length}). ${basis(report)}\n`];
  if (report.pools.length > 0) {
    lines.push(trimmedTable('', COLUMNS, report.pools.map(cells)));
  }
  if (report.misplaced.length > 0) {
    lines.push(`Misplaced instances (${report.misplaced.length}): ${report.misplaced.join(', ')}\n`);
  }
  for (const message of report.warnings) lines.push(warning(message));
  return lines.join('');
}
