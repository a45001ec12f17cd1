/** hcompress's report for programs: the JSON documents, and keys and values. */
import { type GroupVerdict, isReclaimable } from '../../planners/groups/empty/compress.ts';
import { SCHEMA_VERSION } from '../../report/json.ts';
import { keyValue } from '../../report/key-value.ts';
import { costJson, costKeys } from '../shared/groups/group-figures.ts';
import { strandedJson } from '../shared/groups/group-refusals.ts';
import { relocationsJson } from '../shared/groups/group-relocations.ts';
import { type CompressionReport, checkText, reasonText, reclaimableOf } from './text.ts';

const groupName = (start: CompressionReport['start'], group: number): string => start.groups[group]!.name;

const outcomeJson = (report: CompressionReport, verdict: GroupVerdict): object => {
  const { start, costs, bandwidth } = report;
  const { outcome, group } = verdict;
  if (isReclaimable(verdict)) return { isReclaimable: true, cost: costJson(costs.get(group)!, bandwidth) };
  const stranded = typeof outcome === 'object' && !outcome.isPossible ? outcome.stranded : [];
  return {
    isReclaimable: false,
    reason: reasonText(verdict),
    isProven: typeof outcome === 'string' || outcome.isPossible || outcome.isProven,
    shortages: typeof outcome === 'object' && !outcome.isPossible ? outcome.shortages : [],
    stranded: strandedJson(start, stranded),
  };
};

export function compressionJson(report: CompressionReport): object {
  const { start, storage, verdicts, together, plan, bandwidth } = report;
  return {
    schemaVersion: SCHEMA_VERSION,
    program: 'hcompress',
    cluster: { nodes: start.nodes.length, instances: start.instances.length },
    pools: storage.pools
      .filter(({ type }) => type === 'external')
      .map(({ id, usedMib, sizeMib, freeMib, groups }) => ({
        pool: id,
        usedMib,
        sizeMib: sizeMib ?? null,
        freeMib: freeMib ?? null,
        groups: groups.map((group) => groupName(start, group)),
      })),
    groups: verdicts.map((one) => ({
      name: groupName(start, one.group),
      allocPolicy: start.groups[one.group]!.allocPolicy,
      state: one.health.state,
      nodes: start.nodes.filter((node) => node.group === one.group).length,
      instances: one.instances,
      total: one.capacity.total,
      free: one.capacity.free,
      freeShare: one.freeShare,
      ...outcomeJson(report, one),
    })),
    ...(together && { together: together.map(({ group }) => groupName(start, group)) }),
    ...(plan && { moves: relocationsJson(start, plan.relocations), cost: costJson(plan.cost, bandwidth) }),
  };
}

/** The small document of `--check`. */
export function checkJson(report: CompressionReport): object {
  const { start, costs, bandwidth, verdicts } = report;
  const yes = reclaimableOf(report);
  return {
    schemaVersion: SCHEMA_VERSION,
    program: 'hcompress',
    groups: verdicts.length,
    reclaimable: yes.map((one) => ({
      group: groupName(start, one.group),
      nodes: start.nodes.filter((node) => node.group === one.group).length,
      memoryMib: one.capacity.total.memory,
      cost: costJson(costs.get(one.group)!, bandwidth),
    })),
    blocked: verdicts
      .filter((one) => !isReclaimable(one))
      .map((one) => ({ group: groupName(start, one.group), reason: reasonText(one) })),
    summary: checkText(report).trimEnd(),
  };
}

/** `HCOMPRESS_KEY=value` lines; the last one says that all went well. */
export function compressionKeys(report: CompressionReport): string {
  const { start, verdicts, costs, together, plan } = report;
  const names = (groups: readonly number[]): string =>
    groups.map((group) => groupName(start, group)).join(' ');
  const yes = reclaimableOf(report).map(({ group }) => group);
  const ofGroup = (one: GroupVerdict, k: number): [string, string][] => {
    const key = (name: string, value: string): [string, string] => [`GROUP_${k}_${name}`, value];
    const cost = costs.get(one.group);
    return [
      key('NAME', groupName(start, one.group)),
      key('STATE', one.health.state),
      key('INSTANCES', `${one.instances}`),
      key('FREE_MEM', `${Math.floor(one.capacity.free.memory)}`),
      key('FREE_DISK', `${Math.floor(one.capacity.free.disk)}`),
      key('FREE_CPU', `${Math.floor(one.capacity.free.cpu)}`),
      key('RECLAIMABLE', isReclaimable(one) ? '1' : '0'),
      ...(cost
        ? [key('COPIED_MIB', `${cost.diskMib}`), key('MIGRATIONS', `${cost.migrations}`)]
        : [key('REASON', reasonText(one))]),
    ];
  };
  const pairs: [string, string][] = [
    ['GROUPS', `${verdicts.length}`],
    ['RECLAIMABLE', `${yes.length}`],
    ['RECLAIMABLE_GROUPS', names(yes)],
    ...(together
      ? ([
          ['TOGETHER', `${together.length}`],
          ['TOGETHER_GROUPS', names(together.map(({ group }) => group))],
        ] satisfies [string, string][])
      : []),
    ...verdicts.flatMap(ofGroup),
    ...(plan ? costKeys(plan.cost) : []),
    ['OK', '1'],
  ];
  return pairs.map(([key, value]) => keyValue('HCOMPRESS', key, value)).join('');
}
