/** `hinfo --n1`: whether each node may fail, and what is short or where instances would start. */
import { trimmedTable } from '../../../kit/report/report-table.ts';
import { numbers, texts } from '../../../kit/report/text-table.ts';
import { wrapped } from '../../../kit/report/wrap.ts';
import { printfFixed } from '../../../kit/text/numbers.ts';
import { count } from '../../../kit/text/words.ts';
import type { NodeRow } from '../../explain/state/node-rows.ts';
import type { Shortage } from '../../model/redundancy/packing/packing-proof.ts';
import type { N1NodeReport, N1Report } from '../../model/redundancy/shared/n1-report.ts';
import { RESTART_NOTE } from '../shared/listings/n1-words.ts';

const COLUMNS = [...texts('Node', 'Group'), ...numbers('Inst'), ...texts('N+1', 'Reason')];

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

const percent = (share: number): string => `${printfFixed(100 * share, 0)}%`;

/** What of a node can be full, and in what words; of no size, it is not. */
const USES: readonly (readonly [string, (node: NodeRow) => number, (use: number) => string])[] = [
  ['memory', (node) => 1 - node.unallocatedMemMib / (node.totalMemMib || 1), percent],
  ['disk', (node) => (node.totalDiskMib > 0 ? 1 - node.freeDiskMib / node.totalDiskMib : 0), percent],
  ['virtual cpus', (node) => node.vcpuRatio ?? 0, (ratio) => `${printfFixed(ratio, 2)} a cpu`],
];

/** Which nodes run full first, if what they have grows alike; empty where none is online. */
export function fullestText(nodes: readonly NodeRow[]): string {
  const online = nodes.filter(({ isOffline }) => !isOffline);
  if (online.length === 0) return '';
  const parts = USES.map(([what, useOf, words]) => {
    const fullest = online.reduce((most, node) => (useOf(node) > useOf(most) ? node : most));
    return `${what} of ${fullest.alias} (${words(useOf(fullest))})`;
  });
  return wrapped('', `Fullest, of the nodes that are online: ${parts.join(', ')}`);
}

/** One line a node and a sum. @param withWitness also where each instance would start again (`-v`) */
export function n1Text(report: N1Report, withWitness: boolean): string {
  const { yes, no, unproven } = report.counts;
  const lines = [
    trimmedTable('', COLUMNS, report.nodes.map(cells)),
    `N+1 with shared storage: ${yes} yes, ${no} no, ${unproven} unproven\n`,
    RESTART_NOTE,
  ];
  if (withWitness && report.nodes.some(({ restarts }) => (restarts ?? []).length > 0)) {
    lines.push('If a node fails, its instances can start on:\n', ...report.nodes.flatMap(witnessLines));
  }
  return lines.join('');
}
