/**
 * The text of `hinfo --n1`: for each node whether it may fail, and what is short or where its instances would
 * start.
 */
import { reportTable } from '../../../kit/report/report-table.ts';
import { count } from '../../../kit/text/words.ts';
import type { Shortage } from '../../model/redundancy/packing/packing-proof.ts';
import type { N1NodeReport, N1Report } from '../../model/redundancy/shared/n1-report.ts';
import { RESTART_NOTE } from '../shared/listings/n1-words.ts';

const COLUMNS = [
  { heading: 'Node', isNumeric: false },
  { heading: 'Group', isNumeric: false },
  { heading: 'Inst', isNumeric: true },
  { heading: 'N+1', isNumeric: false },
  { heading: 'Reason', isNumeric: false },
];

const REASONS: Record<Shortage, (missing: number) => string> = {
  access: (missing) => `${count(missing, 'instance')} without a node to start on`,
  memory: (missing) => `${missing} MiB of memory short`,
  disk: (missing) => `${missing} MiB of disk short`,
  spindles: (missing) => `${count(missing, 'spindle')} short`,
  room: (missing) => `enough in total, but at least ${count(missing, 'instance')} cannot be placed whole`,
};

function reason(node: N1NodeReport): string {
  if (node.shortfall) return REASONS[node.shortfall.resource](node.shortfall.missing);
  if (node.verdict === 'unproven') return 'the search ended without a verdict; counted as failing';
  return node.degraded.length > 0 ? `${count(node.degraded.length, 'restart')} degraded` : '';
}

const cells = (node: N1NodeReport): string[] => [
  node.isOffline ? `${node.node} (offline)` : node.node,
  node.group,
  String(node.instances),
  node.verdict,
  reason(node),
];

function witnessLines(node: N1NodeReport): string[] {
  const restarts = node.restarts ?? [];
  if (restarts.length === 0) return [];
  const list = restarts.map(
    ({ instance, node: target, isDegraded }) =>
      `    ${instance} -> ${target}${isDegraded ? ' (degraded)' : ''}\n`,
  );
  return [`  ${node.node}:\n`, ...list];
}

/**
 * One line a node and a sum; each line ended by a newline.
 * @param withWitness also where each instance would start again (`-v`)
 */
export function n1Text(report: N1Report, withWitness: boolean): string {
  const { yes, no, unproven } = report.counts;
  const lines = [
    reportTable('', COLUMNS, report.nodes.map(cells)).replaceAll(/ +$/gm, ''),
    `N+1 with shared storage: ${yes} yes, ${no} no, ${unproven} unproven\n`,
    RESTART_NOTE,
  ];
  if (withWitness && report.nodes.some(({ restarts }) => (restarts ?? []).length > 0)) {
    lines.push('If a node fails, its instances can start on:\n', ...report.nodes.flatMap(witnessLines));
  }
  return lines.join('');
}
