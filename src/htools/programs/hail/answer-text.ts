/** What allocations came to, and why instances stay, in the sentences of the stock hail (byte contract). */
import { showInt, showList, showString } from '../../../kit/text/numbers.ts';
import { nodesAt } from '../../cluster/names.ts';
import { FAIL_MODES } from '../../cluster/refusal.ts';
import type { Group, Snapshot } from '../../cluster/snapshot.ts';
import type { PoolRefusal } from '../../model/rules/pool-space.ts';
import type {
  GroupAnswer,
  GroupOffer,
  GroupSearch,
} from '../../planners/allocate/by-group/group-allocation.ts';
import type { LostAllocations } from '../../planners/allocate/choose/dedicated.ts';
import {
  type AllocRefusal,
  type AllocSolution,
  isRefusal,
  type Placement,
  refusalCount,
} from '../../planners/allocate/solution.ts';
import type { EvacuationFailure, PairStep } from '../../planners/evacuate/outcome.ts';
import { showPolicy } from '../shared/listings/policy-text.ts';
import { showScore } from '../shared/steps/said.ts';

/** What placements are compared by: the cluster score, or what a dedicated cluster loses. */
export type Metric = number | LostAllocations;

const showMetric = (metric: Metric): string =>
  typeof metric === 'number'
    ? showScore(metric)
    : `(${showList(metric.lost.map(showInt))},${showInt(metric.freeDiskMib)})`;

const REFUSAL_TEXTS: Record<Exclude<AllocRefusal['kind'], 'unconnected'>, string> = {
  'unsupported-node-count': 'Unsupported number of nodes, only one or two  supported',
  'no-online-nodes': 'No online nodes',
  'not-enough-online-nodes': 'Not enough online nodes',
};

const refusalText = (group: string, instance: string, { kind }: AllocRefusal): string =>
  kind === 'unconnected'
    ? `The group ${group} is not connected to a network required by instance ${instance}`
    : REFUSAL_TEXTS[kind];

/** Names of the nodes of a placement, the primary's first. */
export const placementNames = ({ nodes }: Snapshot, { primary, secondary }: Placement): string[] =>
  nodesAt(nodes, primary, secondary).map(({ name }) => name);

const countsText = (refusals: readonly number[]): string =>
  refusals.flatMap((count, code) => (count > 0 ? [`${FAIL_MODES[code]}: ${count}`] : [])).join(', ');

/** Which pool is too full. Stock knows no pools, so nothing of its text is lost. */
const poolText = (refusal: PoolRefusal | undefined): string =>
  refusal ? ` (pool ${refusal.pool}: ${refusal.needed} MiB needed, ${refusal.available} MiB free)` : '';

export function solutionText(snapshot: Snapshot, solution: AllocSolution<Metric>): string {
  const count = refusalCount(solution);
  const counts = countsText(solution.refusals);
  const { best } = solution;
  if (!best) {
    const reasons = count === 0 ? 'unknown reasons' : counts;
    return `No valid allocation solutions, failure reasons: ${reasons}${poolText(solution.pool)}`;
  }
  const nodes = placementNames(snapshot, best);
  return `score: ${showMetric(best.metric)}, successes ${solution.successes}, failures ${count} (${counts}) for node(s) ${nodes.join('/')}`;
}

function offerText(snapshot: Snapshot, instance: string, { group, result }: GroupOffer<Metric>): string {
  const { name, allocPolicy } = snapshot.groups[group]!;
  return isRefusal(result)
    ? `Group ${name}: error ${refusalText(name, instance, result)}`
    : `Group ${name} (${allocPolicy}): ${solutionText(snapshot, result)}`;
}

/** What a given group answers; the sentence is the whole info. */
export const groupAnswerText = (
  snapshot: Snapshot,
  group: number,
  instance: string,
  answer: GroupAnswer<Metric>,
): string =>
  isRefusal(answer)
    ? refusalText(snapshot.groups[group]!.name, instance, answer)
    : offerText(snapshot, instance, { group, result: answer });

export function searchText(
  snapshot: Snapshot,
  instance: string,
  search: GroupSearch<Metric>,
  allowed?: readonly number[],
): string {
  if (search.best === undefined && search.candidates.length === 0) return noGroupsText(snapshot, allowed);
  const selected = search.best ? [`Selected group: ${snapshot.groups[search.best.group]!.name}`] : [];
  const unconnected = search.unconnected.map(
    (group) =>
      `group ${snapshot.groups[group]!.name} is not connected to a network required by instance ${instance}`,
  );
  const offers = search.offers.map((offer) => offerText(snapshot, instance, offer));
  return [...selected, ...unconnected, ...offers].join(', ');
}

function noGroupsText(snapshot: Snapshot, allowed: readonly number[] | undefined): string {
  const shown = allowed
    ? `Just ${showList(allowed.map((group) => showInt(snapshot.groups[group]!.index)))}`
    : 'Nothing';
  const withNodes = new Set(snapshot.nodes.map((node) => node.group));
  const groups = snapshot.groups.filter((_, group) => withNodes.has(group)).map(showGroup);
  return `no groups for evacuation: allowed groups was ${shown}, all groups: ${showList(groups)}`;
}

const POLICY_CONSTRUCTORS = {
  preferred: 'AllocPreferred',
  last_resort: 'AllocLastResort',
  unallocable: 'AllocUnallocable',
} as const;

/** A group in the notation of the stock programs. */
function showGroup(group: Group): string {
  const fields = [
    `name = ${showString(group.name)}`,
    `uuid = ${showString(group.uuid)}`,
    `idx = ${showInt(group.index)}`,
    `allocPolicy = ${POLICY_CONSTRUCTORS[group.allocPolicy]}`,
    `networks = ${showList(group.networks.map(showString))}`,
    `iPolicy = ${showPolicy(group.policy)}`,
    `allTags = ${showList(group.tags.map(showString))}`,
  ];
  return `Group {${fields.join(', ')}}`;
}

const STEP_TEXTS: Record<PairStep, string> = {
  'leave-offline-primary': 'Failing over to the secondary',
  'reach-new-primary': 'Changing secondary to new primary',
  'become-primary': 'Failing over to new primary',
  'reach-new-secondary': 'Changing secondary to final secondary',
};

/** @param instance name of the instance */
export function evacuationFailureText(
  snapshot: Snapshot,
  instance: string,
  failure: EvacuationFailure,
): string {
  switch (failure.kind) {
    case 'unmovable':
      return `Instances of type ${failure.template} cannot be relocated`;
    case 'no-secondary':
      return `Instances with disk template '${failure.template}' can't execute change secondary`;
    case 'unreachable':
      return `Node ${snapshot.nodes[failure.node]!.name} is offline: its disks can be neither copied nor taken over`;
    case 'check-refused':
      return `Left where it is, since its moves break a rule when replayed: ${failure.reason}`;
    case 'failover-refused':
      return FAIL_MODES[failure.code]!;
    case 'no-target': {
      const refusals = failure.refusals.map(
        ({ node, code }) => ` Node ${snapshot.nodes[node]!.name} failed: ${FAIL_MODES[code]};`,
      );
      return `Can't find any good node: ${refusals.join('')}`;
    }
    case 'no-pair': {
      const { last } = failure;
      const reason = last
        ? `Allocation failed: ${STEP_TEXTS[last.step]}: ${FAIL_MODES[last.code]}`
        : 'no nodes available';
      return `Can't find any good nodes for relocation: ${reason}`;
    }
    case 'no-group':
      return searchText(snapshot, instance, failure.search, failure.allowed);
  }
}
