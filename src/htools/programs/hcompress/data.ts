/** hcompress's report for programs: the JSON documents, and keys and values. */

import { SCHEMA_VERSION } from '../../../kit/report/json.ts';
import { keyValue } from '../../../kit/report/key-value.ts';
import type { DeepReadonly } from '../../../kit/results/members.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import { isReclaimable } from '../../planners/groups/empty/compress.ts';
import type { CompressedGroup, CompressionFacts } from '../../planners/groups/empty/compression-facts.ts';
import { UNITS } from '../../planners/groups/homes/group-room.ts';
import type { HcompressCheck, HcompressDocument } from '../../results/groups.ts';
import { amountsJson, costKeys } from '../shared/groups/group-figures.ts';
import { searchJson } from '../shared/groups/group-search.ts';
import { destinationsJson, jobSetsJson, moveJson } from '../shared/groups/move-lines.ts';
import { strandedJson } from '../shared/groups/refusal-text.ts';
import { reasonText } from './reasons.ts';
import { checkSummary } from './text.ts';

const nameOf = (start: Snapshot, group: number): string => start.groups[group]!.name;

const returnsJson = (start: Snapshot, { returns }: CompressedGroup) => ({
  nodes: returns.nodes,
  ...amountsJson(returns.total),
  master: returns.master === undefined ? null : start.nodes[returns.master]!.name,
});

function outcomeJson(start: Snapshot, one: CompressedGroup) {
  const { verdict, cost, destinations, isWorthwhile } = one;
  if (isReclaimable(verdict))
    return {
      isReclaimable: true,
      isEmpty: false,
      isWorthwhile,
      fills: verdict.outcome.fills.map((group) => nameOf(start, group)),
      destinations: destinationsJson(start, destinations),
      cost: cost!,
    };
  const { outcome } = verdict;
  if (outcome === 'empty') return { isReclaimable: false, isEmpty: true };
  const refused = typeof outcome === 'object' && !outcome.isPossible ? outcome : undefined;
  return {
    isReclaimable: false,
    isEmpty: false,
    reason: reasonText(verdict),
    isProven: refused?.isProven ?? true,
    shortages: (refused?.shortages ?? []).map((one) => ({ ...one, unit: UNITS[one.resource] })),
    stranded: strandedJson(start, refused?.stranded ?? []),
  };
}

export function compressionJson(
  start: Snapshot,
  facts: CompressionFacts,
  options: ProgramOptions<'hcompress'>,
): DeepReadonly<HcompressDocument> {
  const { groups, empty, pools, together, plan, emptied, leftOut, search } = facts;
  const names = (list: readonly number[]): string[] => list.map((group) => nameOf(start, group));
  return {
    schemaVersion: SCHEMA_VERSION,
    program: 'hcompress',
    cluster: { nodes: start.nodes.length, instances: start.instances.length },
    leftOut: names(leftOut),
    pools: pools.map((pool) => ({
      pool: pool.pool,
      usedMib: pool.usedMib,
      sizeMib: pool.sizeMib ?? null,
      freeMib: pool.freeMib ?? null,
      groups: names(pool.groups),
    })),
    groups: groups.map((one) => ({
      name: nameOf(start, one.verdict.group),
      allocPolicy: start.groups[one.verdict.group]!.allocPolicy,
      state: one.verdict.health.state,
      nodes: one.returns.nodes,
      instances: one.verdict.instances,
      total: amountsJson(one.verdict.capacity.total),
      free: amountsJson(one.verdict.capacity.free),
      freeShare: one.verdict.freeShare,
      share: one.verdict.share,
      gain: one.verdict.gain,
      givesBack: returnsJson(start, one),
      ...outcomeJson(start, one),
    })),
    alreadyEmpty: empty.map(({ verdict }) => nameOf(start, verdict.group)),
    ...(together && {
      together: names(together.groups),
      filled: names(together.filled),
      isLargest: together.isLargest,
    }),
    ...(plan && {
      emptied: names(emptied),
      moves: plan.moves.map((move) => moveJson(start, move)),
      jobSets: jobSetsJson(start, plan),
      cost: plan.cost,
    }),
    ...(search && { search: { ...searchJson(options), ...search } }),
  };
}

/** The small document of `--check`. */
export function checkJson(start: Snapshot, facts: CompressionFacts): DeepReadonly<HcompressCheck> {
  const { groups, reclaimable, empty, blocked } = facts;
  return {
    schemaVersion: SCHEMA_VERSION,
    program: 'hcompress',
    groups: groups.length,
    reclaimable: reclaimable
      .filter((one) => one.isWorthwhile)
      .map((one) => ({
        group: nameOf(start, one.verdict.group),
        nodes: one.returns.nodes,
        memMib: one.returns.total.memory,
        cost: one.cost!,
      })),
    withoutGain: reclaimable
      .filter((one) => !one.isWorthwhile)
      .map(({ verdict }) => nameOf(start, verdict.group)),
    alreadyEmpty: empty.map(({ verdict }) => nameOf(start, verdict.group)),
    blocked: blocked.map(({ verdict }) => ({
      group: nameOf(start, verdict.group),
      reason: reasonText(verdict),
    })),
    summary: checkSummary(start, facts),
  };
}

/** `HCOMPRESS_KEY=value` lines; the last one says that all went well. */
export function compressionKeys(start: Snapshot, facts: CompressionFacts): string {
  const { groups, reclaimable, empty, together, plan } = facts;
  const names = (list: readonly number[]): string => list.map((group) => nameOf(start, group)).join(' ');
  const ofGroup = ({ verdict, cost }: CompressedGroup, k: number): [string, string][] => {
    const key = (name: string, value: string): [string, string] => [`GROUP_${k}_${name}`, value];
    const { free } = verdict.capacity;
    return [
      key('NAME', nameOf(start, verdict.group)),
      key('STATE', verdict.health.state),
      key('INSTANCES', `${verdict.instances}`),
      key('FREE_MEM', `${Math.floor(free.memory)}`),
      key('FREE_DISK', `${Math.floor(free.disk)}`),
      key('FREE_CPU', `${Math.floor(free.cpu)}`),
      key('RECLAIMABLE', isReclaimable(verdict) ? '1' : '0'),
      key('EMPTY', verdict.outcome === 'empty' ? '1' : '0'),
      ...(cost
        ? [key('COPIED_MIB', `${cost.copiedMib}`), key('MIGRATIONS', `${cost.migrations}`)]
        : [key('REASON', reasonText(verdict))]),
    ];
  };
  const pairs: [string, string][] = [
    ['GROUPS', `${groups.length}`],
    ['RECLAIMABLE', `${reclaimable.length}`],
    ['RECLAIMABLE_GROUPS', names(reclaimable.map(({ verdict }) => verdict.group))],
    ['EMPTY_GROUPS', names(empty.map(({ verdict }) => verdict.group))],
    ...(together
      ? ([
          ['TOGETHER', `${together.groups.length}`],
          ['TOGETHER_GROUPS', names(together.groups)],
        ] satisfies [string, string][])
      : []),
    ...groups.flatMap(ofGroup),
    ...(plan ? costKeys(plan.cost) : []),
    ['OK', '1'],
  ];
  return pairs.map(([key, value]) => keyValue('HCOMPRESS', key, value)).join('');
}
