/** Writes text snapshots (`-S`), byte for byte as stock does. Source: htools(1), the text backend. */
import { replaceFile } from '../../../kit/files/replace-file.ts';
import { printfFixed, showDouble, showInt } from '../../../kit/text/numbers.ts';
import {
  type Group,
  type InstancePolicy,
  type InstanceSpec,
  type RawInstance,
  type RawNode,
  type RawSnapshot,
  totalSpindles,
} from '../../cluster/snapshot.ts';

/** The snapshot as text. Storage columns only where a record has some: else not a byte more than stock. */
export function formatText(snapshot: RawSnapshot): string {
  const { groups, nodes, instances, tags, policy } = snapshot;
  const hasPoolLists = nodes.some((node) => node.storagePools !== undefined);
  const hasPools = instances.some((instance) => instance.storagePool !== undefined);
  const sections = [
    groups.map(groupLine),
    nodes.map(
      (node) => nodeLine(node, groups) + (hasPoolLists ? `|${(node.storagePools ?? []).join(',')}` : ''),
    ),
    instances.map((instance) => instanceLine(instance, nodes) + (hasPools ? poolColumns(instance) : '')),
    tags,
    [policyLine('', policy), ...groups.map((group) => policyLine(group.name, group.policy))],
  ];
  return sections.map((lines) => lines.map((line) => `${line}\n`).join('')).join('\n');
}

/** @throws ExecutionError when the file cannot be written; then nothing is left behind. */
export const saveSnapshot = (snapshot: RawSnapshot, path: string): void =>
  replaceFile(path, formatText(snapshot));

const groupLine = (group: Group): string =>
  [group.name, group.uuid, group.allocPolicy, group.tags.join(','), group.networks.join(',')].join('|');

const nodeLine = (node: RawNode, groups: readonly Group[]): string =>
  [
    node.name,
    printfFixed(node.totalMemMib, 0),
    showInt(node.nodeMemMib),
    showInt(node.freeMemMib),
    printfFixed(node.totalDiskMib, 0),
    showInt(node.freeDiskMib),
    printfFixed(node.totalCpus, 0),
    node.isOffline ? 'Y' : node.isMaster ? 'M' : 'N',
    groups[node.group]!.uuid,
    showInt(node.spindles),
    node.tags.join(','),
    yesOrNo(node.hasExclusiveStorage),
    showInt(node.freeSpindles),
    showInt(node.nodeCpus),
    printfFixed(node.cpuSpeed),
  ].join('|');

const instanceLine = (instance: RawInstance, nodes: readonly RawNode[]): string =>
  [
    instance.name,
    showInt(instance.memMib),
    showInt(instance.diskMib),
    showInt(instance.vcpus),
    instance.status,
    yesOrNo(instance.isAutoBalanced),
    nodes[instance.primary]?.name ?? '',
    nodes[instance.secondary]?.name ?? '',
    instance.diskTemplate,
    instance.tags.join(','),
    showInt(instance.spindleUse),
    spindlesText(instance),
    yesOrNo(instance.isForthcoming),
  ].join('|');

function poolColumns(instance: RawInstance): string {
  const pool = instance.storagePool ?? '/';
  const slash = pool.indexOf('/');
  return `|${pool.slice(0, slash)}|${pool.slice(slash + 1)}`;
}

/** Unknown (`-`) as soon as those of one disk are. */
function spindlesText(instance: RawInstance): string {
  const spindles = totalSpindles(instance);
  return spindles === undefined ? '-' : showInt(spindles);
}

const policyLine = (owner: string, policy: InstancePolicy): string =>
  [
    owner,
    specText(policy.standard),
    policy.ranges.flatMap((range) => [specText(range.min), specText(range.max)]).join(';'),
    policy.diskTemplates.join(','),
    showDouble(policy.vcpuRatio),
    showDouble(policy.spindleRatio),
  ].join('|');

const specText = (spec: InstanceSpec): string =>
  [spec.memoryMib, spec.cpuCount, spec.diskMib, spec.diskCount, spec.nicCount, spec.spindleUse]
    .map(showInt)
    .join(',');

const yesOrNo = (flag: boolean): string => (flag ? 'Y' : 'N');
