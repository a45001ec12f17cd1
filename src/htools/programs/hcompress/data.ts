/** hcompress's report for programs: the JSON documents, and keys and values. */
import { documentHead } from '../../../kit/report/json.ts';
import { keyValues } from '../../../kit/report/key-value.ts';
import type { DeepReadonly } from '../../../kit/results/members.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import type { CompressedGroup, CompressionFacts } from '../../planners/groups/empty/compression-facts.ts';
import { UNITS } from '../../planners/groups/homes/group-room.ts';
import { planMembers } from '../../planners/groups/relocate/plan-facts.ts';
import type { HcompressCheck, HcompressDocument } from '../../results/groups.ts';
import { costKeys, groupKeys } from '../shared/groups/group-figures.ts';
import { searchJson } from '../shared/groups/group-search.ts';
import { strandedJson } from '../shared/groups/refusal-text.ts';
import { checkSummary, namesOf, reasonText } from './text.ts';

function groupJson(start: Snapshot, { verdict, ...group }: CompressedGroup) {
  const { isReclaimable, isEmpty } = group;
  if (isReclaimable || isEmpty) return group;
  const { outcome } = verdict;
  const refused = typeof outcome === 'object' && !outcome.isPossible ? outcome : undefined;
  return {
    ...group,
    reason: reasonText(verdict),
    isProven: refused?.isProven ?? true,
    shortages: (refused?.shortages ?? []).map((one) => ({ ...one, unit: UNITS[one.resource] })),
    stranded: strandedJson(start, refused?.stranded ?? []),
  };
}

export const compressionJson = (
  start: Snapshot,
  { groups, empty, pools, together, plan, emptied, leftOut, search }: CompressionFacts,
  options: ProgramOptions<'hcompress'>,
  workShare: number,
): DeepReadonly<HcompressDocument> => ({
  ...documentHead('hcompress'),
  cluster: { nodes: start.nodes.length, instances: start.instances.length },
  leftOut,
  pools,
  groups: groups.map((one) => groupJson(start, one)),
  alreadyEmpty: namesOf(empty),
  ...together,
  ...(plan && { emptied, ...planMembers(plan) }),
  ...(search && { search: { ...searchJson(options, workShare), ...search } }),
});

/** The small document of `--check`. */
export function checkJson(facts: CompressionFacts): DeepReadonly<HcompressCheck> {
  const { groups, reclaimable, empty, blocked } = facts;
  return {
    ...documentHead('hcompress'),
    groups: groups.length,
    reclaimable: reclaimable
      .filter(({ isWorthwhile }) => isWorthwhile)
      .map(({ name, nodes, total, cost }) => ({ group: name, nodes, memMib: total.memMib, cost: cost! })),
    withoutGain: namesOf(reclaimable.filter(({ isWorthwhile }) => !isWorthwhile)),
    alreadyEmpty: namesOf(empty),
    blocked: blocked.map(({ name, verdict }) => ({ group: name, reason: reasonText(verdict) })),
    summary: checkSummary(facts),
  };
}

/** `HCOMPRESS_KEY=value` lines; the last one says that all went well. */
export function compressionKeys(facts: CompressionFacts): string {
  const { groups, reclaimable, empty, together, plan } = facts;
  const ofGroup = ({ verdict, cost, ...group }: CompressedGroup) => ({
    NAME: group.name,
    STATE: group.state,
    INSTANCES: group.instances,
    FREE_MEM: Math.floor(group.free.memMib),
    FREE_DISK: Math.floor(group.free.diskMib),
    FREE_CPU: Math.floor(group.free.vcpus),
    RECLAIMABLE: group.isReclaimable,
    EMPTY: group.isEmpty,
    ...(cost ? { COPIED_MIB: cost.copiedMib, MIGRATIONS: cost.migrations } : { REASON: reasonText(verdict) }),
  });
  return keyValues('HCOMPRESS', {
    GROUPS: groups.length,
    RECLAIMABLE: reclaimable.length,
    RECLAIMABLE_GROUPS: namesOf(reclaimable).join(' '),
    EMPTY_GROUPS: namesOf(empty).join(' '),
    ...(together && {
      TOGETHER: together.together.length,
      TOGETHER_GROUPS: together.together.join(' '),
    }),
    ...groupKeys(groups.map(ofGroup)),
    ...(plan && costKeys(plan.cost)),
    OK: '1',
  });
}
