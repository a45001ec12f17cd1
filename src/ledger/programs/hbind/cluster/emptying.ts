/** Which node groups could be given back if their tenants were rebound: by policy and capacity planner. */
import { NO_NODE, type Snapshot } from '../../../../htools/cluster/snapshot.ts';
import { describeStorage } from '../../../../htools/cluster/storage/storage.ts';
import { withoutPrefix } from '../../../../htools/cluster/tags/tags.ts';
import { emptyInto } from '../../../../htools/planners/groups/empty/emptying.ts';
import { SuperCluster } from '../../../../htools/planners/groups/homes/super-cluster.ts';
import { planOf } from '../../../../htools/planners/groups/relocate/relocation-plan.ts';
import { assertPlan } from '../../../../htools/programs/shared/steps/assert-plan.ts';
import type { DocumentOf } from '../../../../kit/results/members.ts';
import { tryEmptying } from '../../../binding/cluster/emptiable.ts';
import { tenantShares, usageOfCluster } from '../../../binding/cluster/group-usage.ts';
import type { Binding, Pod, Policy } from '../../../binding/model/pod.ts';
import { changedPod } from '../../../binding/tables/pods.ts';
import type { emptied } from '../../../results/hbind.ts';

export type EmptyFacts = DocumentOf<typeof emptied>;

interface Question {
  readonly snapshot: Snapshot;
  readonly tenantTag: string;
  /** All pods; those that are groups of the snapshot are judged by what it says of them. */
  readonly pods: readonly Pod[];
  readonly policy: Policy;
  readonly bindingsOf: (pod: Pod) => readonly Binding[];
  /** Pod to which a tenant is bound, when not to the one that is emptied; undefined: to none. */
  readonly boundElsewhere: (tenant: string) => string | undefined;
  readonly only?: string | undefined;
  readonly watch: (pod: string, done: number, of: number) => void;
}

/** One entry a pod that is a group with nodes, in the order of pods. */
export function judgePods(question: Question): readonly EmptyFacts[] {
  const { snapshot, tenantTag, only, watch } = question;
  const storage = describeStorage(snapshot);
  const groups = new Map(snapshot.groups.map(({ name }, group) => [name, group]));
  // The same picture for both: what is used now is what the snapshot says.
  const pods = question.pods.map((pod) => {
    const group = groups.get(pod.name);
    return group === undefined ? pod : changedPod(pod, { usage: usageOfCluster(snapshot, group, storage) });
  });
  const cluster = new SuperCluster(snapshot);
  const { shares, nobodys } = tenantShares(snapshot, tenantTag);
  const needs = new Map(shares.map(({ group, tenant, need }) => [`${group} ${tenant}`, need]));
  // Like hcompress: a group that is not healthy takes nothing in.
  const healthy = cluster.healthyGroups();
  const targets = pods.filter(({ name }) => healthy.has(groups.get(name) ?? -1));
  const judged = pods.filter(
    ({ name }) => cluster.groups.includes(groups.get(name) ?? -1) && (only === undefined || name === only),
  );
  return judged.map((pod, at) => {
    watch(pod.name, at, judged.length);
    const group = groups.get(pod.name)!;
    const emptying = tryEmptying(
      targets,
      question.policy,
      pod,
      question.bindingsOf(pod),
      (tenant) => needs.get(`${group} ${tenant}`) ?? {},
    );
    const { verdict, moves } = verdictOf(question, cluster, groups, group, emptying);
    const instances = snapshot.instances.filter(
      ({ primary }) => primary !== NO_NODE && snapshot.nodes[primary]!.group === group,
    ).length;
    return {
      pod: pod.name,
      instances,
      nobodys: nobodys.get(group) ?? 0,
      leaving: emptying.leaving,
      verdict,
      moves,
    };
  });
}

function verdictOf(
  { snapshot, tenantTag, boundElsewhere }: Question,
  cluster: SuperCluster,
  groups: ReadonlyMap<string, number>,
  group: number,
  { leaving, isPossible }: ReturnType<typeof tryEmptying>,
): Pick<EmptyFacts, 'verdict' | 'moves'> {
  if (!isPossible) return { verdict: 'tenants-stay', moves: 0 };
  const homes = new Map<string, number>();
  for (const { tenant, to } of leaving) if (!homes.has(tenant)) homes.set(tenant, groups.get(to!)!);
  const destination = (i: number): number | undefined => {
    const [tenant] = withoutPrefix(snapshot.instances[i]!.tags, tenantTag);
    if (tenant === undefined) return undefined;
    const elsewhere = boundElsewhere(tenant);
    return homes.get(tenant) ?? (elsewhere === undefined ? undefined : groups.get(elsewhere));
  };
  const outcome = emptyInto(cluster, group, destination);
  if (!outcome.isPossible) return { verdict: outcome.isProven ? 'no-room' : 'not-found', moves: 0 };
  const { relocations } = outcome;
  if (relocations.length === 0 && leaving.length === 0) return { verdict: 'empty', moves: 0 };
  const limits = {
    diskMoves: true,
    emptiedNodes: cluster.members[group]!,
    healthyGroups: [...cluster.healthyGroups()].filter((other) => other !== group),
    emptyGroups: [group],
  };
  assertPlan(planOf(snapshot, relocations, limits));
  return { verdict: 'possible', moves: relocations.length };
}
