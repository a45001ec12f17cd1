/** Writes a generated cluster in the text form that the programs read with `-t`. */
import type { InstancePolicy, InstanceSpec } from '../../src/htools/cluster/snapshot.ts';
import type { MadeCluster, MadeInstance, MadeNode } from './made-cluster.ts';
import type { ColumnKind } from './shape.ts';

const yesNo = (flag: boolean): string => (flag ? 'Y' : 'N');

/** Columns that old versions of the form did not have are cut off; unknown further ones may follow. */
function row(cells: readonly (string | number)[], oldColumns: number, kind: ColumnKind): string {
  if (kind === 'old') return cells.slice(0, oldColumns).join('|');
  return (kind === 'more' ? [...cells, 'later', ''] : cells).join('|');
}

function nodeRow(node: MadeNode, cluster: MadeCluster, kind: ColumnKind): string {
  const size = (value: number): string => (node.isUnknown ? '?' : String(value));
  const state = node.isOffline || node.isDrained ? 'Y' : node.isMaster ? 'M' : 'N';
  return row(
    [
      node.name,
      size(node.totalMemMib),
      size(node.nodeMemMib),
      size(node.freeMemMib),
      size(node.totalDiskMib),
      size(node.freeDiskMib),
      size(node.cpuCount),
      state,
      cluster.groups[node.group]!.uuid,
      node.spindles,
      node.tags.join(','),
      yesNo(node.hasExclusiveStorage),
      node.freeSpindles,
      node.nodeCpus,
      node.cpuSpeed.toFixed(2),
    ],
    // Nothing may be cut that the nodes need to stay what they are.
    node.hasExclusiveStorage ? 13 : node.tags.length > 0 ? 11 : 9,
    kind,
  );
}

function instanceRow(instance: MadeInstance, cluster: MadeCluster, kind: ColumnKind): string {
  return row(
    [
      instance.name,
      instance.memMib,
      instance.diskMib,
      instance.vcpus,
      instance.status,
      yesNo(instance.isAutoBalanced),
      cluster.nodes[instance.primary]!.name,
      instance.secondary < 0 ? '' : cluster.nodes[instance.secondary]!.name,
      instance.template,
      instance.tags.join(','),
      instance.spindleUse,
      instance.spindles ?? '-',
      yesNo(instance.isForthcoming),
    ],
    instance.spindles === undefined ? 10 : 12,
    kind,
  );
}

const specText = (spec: InstanceSpec): string =>
  [spec.memoryMib, spec.cpuCount, spec.diskMib, spec.diskCount, spec.nicCount, spec.spindleUse].join(',');

const policyRow = (owner: string, policy: InstancePolicy): string =>
  [
    owner,
    specText(policy.standard),
    policy.ranges.flatMap((range) => [specText(range.min), specText(range.max)]).join(';'),
    policy.diskTemplates.join(','),
    policy.vcpuRatio,
    policy.spindleRatio,
  ].join('|');

/** The five sections (four when the cluster states no policy), each line ended by a newline. */
export function clusterText(cluster: MadeCluster): string {
  const kind = cluster.shape.columns;
  const sections = [
    cluster.groups.map((group) =>
      row(
        [group.name, group.uuid, group.allocPolicy, group.tags.join(','), group.networks.join(',')],
        4,
        kind,
      ),
    ),
    cluster.nodes.map((node) => nodeRow(node, cluster, kind)),
    cluster.instances.map((instance) => instanceRow(instance, cluster, kind)),
    [...cluster.tags],
  ];
  if (cluster.policy) {
    const owned = cluster.groups.flatMap((group) =>
      group.policy ? [policyRow(group.name, group.policy)] : [],
    );
    sections.push([policyRow('', cluster.policy), ...owned]);
  }
  return sections.map((lines) => lines.map((line) => `${line}\n`).join('')).join('\n');
}
