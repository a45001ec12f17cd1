/** hcompress's documents, of which text and page are made, and the same as keys and values. */
import { documentHead } from '../../../kit/report/json.ts';
import { keyValues } from '../../../kit/report/key-value.ts';
import { count } from '../../../kit/text/words.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import type { DeepOptions } from '../../planners/anneal/budget.ts';
import { type GroupVerdict, isReclaimable, isWorthwhile } from '../../planners/groups/empty/compress.ts';
import { emptyGroups, filledBy } from '../../planners/groups/empty/emptying.ts';
import type { Wanted } from '../../planners/groups/empty/together.ts';
import type { SuperCluster } from '../../planners/groups/homes/super-cluster.ts';
import { destinationsOf, type PlanFacts, planMembers } from '../../planners/groups/relocate/plan-facts.ts';
import { relocationCost } from '../../planners/groups/relocate/relocation-plan.ts';
import type { HcompressCheck, HcompressDocument } from '../../results/groups.ts';
import { aloneWords, costKeys, groupKeys } from '../shared/groups/group-figures.ts';
import { searchMember } from '../shared/groups/group-search.ts';
import type { GroupWork } from '../shared/groups/group-work.ts';
import { refusalCounts } from '../shared/groups/refusal-text.ts';

export type Document = HcompressDocument;
export type Group = Document['groups'][number];

const shortageText = ({ resource, needed, available, unit }: NonNullable<Group['shortages']>[number]) =>
  `${resource}: ${needed} ${unit} needed, ${Math.floor(available)} ${unit} free elsewhere, ${Math.ceil(needed - available)} ${unit} short`;

function refusalMembers({ groups, leftOut }: SuperCluster, { outcome }: GroupVerdict) {
  const proven = (reason: string) => ({ reason, isProven: true, shortages: [], stranded: [] });
  if (outcome === 'alone') return proven(aloneWords(groups.length, leftOut.length));
  if (outcome === 'forbidden')
    return proven('the cluster tag htools:nointergroup forbids moves between groups');
  if (outcome === 'empty' || outcome.isPossible) return {};
  const { stranded, shortages, isProven } = outcome;
  const reason = (): string => {
    if (stranded.length > 0) {
      const homeless = `${count(stranded.length, 'instance finds', 'instances find')} no home (${refusalCounts(stranded)})`;
      return isProven ? homeless : `not found, as far as the search went: ${homeless}`;
    }
    if (shortages.length > 0) return shortages.map(shortageText).join('; ');
    return isProven ? 'no choice of homes has room for all' : 'no choice of homes was found';
  };
  return { reason: reason(), isProven, shortages, stranded };
}

function groupMembers(cluster: SuperCluster, verdict: GroupVerdict): Group {
  const { snapshot, members, rates } = cluster;
  const { group, capacity, outcome } = verdict;
  const { total, free } = capacity;
  const { name, allocPolicy } = snapshot.groups[group]!;
  const nodes = members[group]!.map((n) => snapshot.nodes[n]!);
  return {
    name,
    allocPolicy,
    state: verdict.health.state,
    nodes: nodes.length,
    instances: verdict.instances,
    total,
    free,
    freeShare: verdict.freeShare,
    share: verdict.share,
    gain: verdict.gain,
    givesBack: {
      nodes: nodes.length,
      ...total,
      master: nodes.find(({ isMaster }) => isMaster)?.name ?? null,
    },
    isReclaimable: isReclaimable(verdict),
    isEmpty: outcome === 'empty',
    ...(isReclaimable(verdict) && {
      isWorthwhile: isWorthwhile(verdict),
      fills: cluster.namesOf(verdict.outcome.fills),
      destinations: destinationsOf(snapshot, verdict.outcome.relocations),
      cost: relocationCost(snapshot, verdict.outcome.relocations, rates),
    }),
    ...refusalMembers(cluster, verdict),
  };
}

/** @param work with the cluster as it was before anything was done */
export function compressionDocument(
  { cluster, options }: GroupWork<ProgramOptions<'hcompress'>>,
  verdicts: readonly GroupVerdict[],
  wanted: Wanted,
  plan: PlanFacts | undefined,
  deep: DeepOptions | undefined,
  search: Parameters<typeof searchMember>[2],
): Document {
  const { snapshot, storage } = cluster;
  const groups = verdicts.map((verdict) => groupMembers(cluster, verdict));
  return {
    ...documentHead('hcompress'),
    cluster: { nodes: snapshot.nodes.length, instances: snapshot.instances.length },
    leftOut: cluster.namesOf(cluster.leftOut),
    pools: storage.pools
      .filter(({ type }) => type === 'external')
      .map(({ id, usedMib, sizeMib = null, freeMib = null, groups: reach }) => ({
        pool: id,
        usedMib,
        sizeMib,
        freeMib,
        groups: cluster.namesOf(reach),
      })),
    groups,
    alreadyEmpty: groups.filter(({ isEmpty }) => isEmpty).map(({ name }) => name),
    ...(options.all && {
      together: cluster.namesOf(wanted.groups),
      filled: cluster.namesOf(filledBy(emptyGroups(cluster), wanted.relocations)),
      isLargest: wanted.isLargest,
    }),
    ...(plan && { emptied: cluster.namesOf(wanted.groups), ...planMembers(plan) }),
    ...searchMember(options, deep, search),
  };
}

export const reclaimableOf = ({ groups }: Document): readonly Group[] =>
  groups.filter((one) => one.isReclaimable);
export const blockedOf = ({ groups }: Document): readonly Group[] => groups.filter(({ reason }) => reason);
export const namesOf = (groups: readonly Group[]): string[] => groups.map(({ name }) => name);

export function checkDocument(document: Document, summary: string): HcompressCheck {
  const reclaimable = reclaimableOf(document);
  return {
    ...documentHead('hcompress'),
    groups: document.groups.length,
    reclaimable: reclaimable
      .filter((one) => one.isWorthwhile)
      .map(({ name, nodes, total, cost }) => ({ group: name, nodes, memMib: total.memMib, cost: cost! })),
    withoutGain: namesOf(reclaimable.filter((one) => !one.isWorthwhile)),
    alreadyEmpty: document.alreadyEmpty,
    blocked: blockedOf(document).map(({ name, reason }) => ({ group: name, reason: reason! })),
    summary,
  };
}

export function compressionKeys(document: Document): string {
  const { groups, alreadyEmpty, together, cost: costOfPlan } = document;
  const reclaimable = reclaimableOf(document);
  const ofGroup = ({ name, state, instances, free, isReclaimable, isEmpty, cost, reason = '' }: Group) => ({
    NAME: name,
    STATE: state,
    INSTANCES: instances,
    FREE_MEM: Math.floor(free.memMib),
    FREE_DISK: Math.floor(free.diskMib),
    FREE_CPU: Math.floor(free.vcpus),
    RECLAIMABLE: isReclaimable,
    EMPTY: isEmpty,
    ...(cost ? { COPIED_MIB: cost.copiedMib, MIGRATIONS: cost.migrations } : { REASON: reason }),
  });
  return keyValues('HCOMPRESS', {
    GROUPS: groups.length,
    RECLAIMABLE: reclaimable.length,
    RECLAIMABLE_GROUPS: namesOf(reclaimable).join(' '),
    EMPTY_GROUPS: alreadyEmpty.join(' '),
    ...(together && { TOGETHER: together.length, TOGETHER_GROUPS: together.join(' ') }),
    ...groupKeys(groups.map(ofGroup)),
    ...(costOfPlan && costKeys(costOfPlan)),
  });
}
