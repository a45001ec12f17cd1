/** `hbind empty`: hbind and hcompress together. */
import { NO_NODE, type Snapshot } from '../../../../htools/cluster/snapshot.ts';
import { describeStorage } from '../../../../htools/cluster/storage/storage.ts';
import { emptyInto } from '../../../../htools/planners/groups/empty/emptying.ts';
import { SuperCluster } from '../../../../htools/planners/groups/homes/super-cluster.ts';
import { planOf } from '../../../../htools/planners/groups/relocate/relocation-plan.ts';
import { loadCluster } from '../../../../htools/programs/shared/cluster/load-cluster.ts';
import { assertPlan } from '../../../../htools/programs/shared/steps/assert-plan.ts';
import { tallied } from '../../../../kit/grouped.ts';
import { Progress } from '../../../../kit/report/progress.ts';
import type { DocumentOf } from '../../../../kit/results/members.ts';
import { count, someOf } from '../../../../kit/text/words.ts';
import { tryEmptying } from '../../../binding/cluster/emptiable.ts';
import { tenantOf, tenantShares, usageOfCluster } from '../../../binding/cluster/group-usage.ts';
import type { Binding, Pod, Policy } from '../../../binding/model/pod.ts';
import { currentIn, currentOfTenants } from '../../../binding/tables/bindings.ts';
import { changedPod } from '../../../binding/tables/pods.ts';
import { readRegistry } from '../../../binding/tables/registry.ts';
import type { emptied } from '../../../results/hbind.ts';
import { type Command, withBook } from '../kit/context.ts';

type EmptyFacts = DocumentOf<typeof emptied>;

interface Question {
  readonly snapshot: Snapshot;
  readonly tenantTag: string;
  readonly tenants: ReturnType<typeof tenantShares>;
  /** All pods; those that are groups of the snapshot are judged by what it says of them. */
  readonly pods: readonly Pod[];
  readonly policy: Policy;
  /** By the pod's id. */
  readonly bindings: ReadonlyMap<number, readonly Binding[]>;
  /** Pod by tenant, when not the one that is emptied. */
  readonly elsewhere: ReadonlyMap<string, string>;
  readonly only: string | undefined;
}

/** Which pods that are node groups could be given back if their tenants were rebound, in their order. */
function judgePods(question: Question): readonly EmptyFacts[] {
  const { snapshot, tenantTag, tenants, policy, elsewhere, only } = question;
  const storage = describeStorage(snapshot);
  const groups = new Map(snapshot.groups.map(({ name }, group) => [name, group]));
  // The same picture for both: what is used now is what the snapshot says.
  const pods = question.pods.map((pod) => {
    const group = groups.get(pod.name);
    return group === undefined ? pod : changedPod(pod, { usage: usageOfCluster(snapshot, group, storage) });
  });
  const cluster = new SuperCluster(snapshot);
  const needs = new Map(tenants.shares.map(({ group, tenant, need }) => [`${group} ${tenant}`, need]));
  // Like hcompress: a group that is not healthy takes nothing in.
  const healthy = cluster.healthyGroups();
  const targets = pods.filter(({ name }) => healthy.has(groups.get(name) ?? -1));
  const judged = pods.filter(
    ({ name }) => cluster.groups.includes(groups.get(name) ?? -1) && (only === undefined || name === only),
  );
  const progress = new Progress();
  const facts = judged.map((pod, at) => {
    progress.at(() => `pod ${at + 1} of ${judged.length}: ${pod.name}`);
    const group = groups.get(pod.name)!;
    const emptying = tryEmptying(
      targets,
      policy,
      pod,
      question.bindings.get(pod.id)!,
      (tenant) => needs.get(`${group} ${tenant}`) ?? {},
    );
    const instances = snapshot.instances.filter(
      ({ primary }) => primary !== NO_NODE && snapshot.nodes[primary]!.group === group,
    ).length;
    return {
      pod: pod.name,
      instances,
      nobodys: tenants.nobodys.get(group) ?? 0,
      leaving: emptying.leaving,
      ...verdictOf(group, emptying),
    };
  });
  progress.done();
  return facts;

  function verdictOf(
    group: number,
    { leaving, isPossible }: ReturnType<typeof tryEmptying>,
  ): Pick<EmptyFacts, 'verdict' | 'moves'> {
    if (!isPossible) return { verdict: 'tenants-stay', moves: 0 };
    const homes = new Map(elsewhere);
    for (const { tenant, to } of leaving.toReversed()) homes.set(tenant, to!);
    const destination = (i: number): number | undefined => {
      const tenant = tenantOf(snapshot.instances[i]!, tenantTag);
      const home = tenant === undefined ? undefined : homes.get(tenant);
      return home === undefined ? undefined : groups.get(home);
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
}

const SHOWN = 5;

function verdictWords({ verdict, leaving, moves }: EmptyFacts): string {
  switch (verdict) {
    case 'empty':
      return 'is empty: nobody is bound to it, and nothing runs there';
    case 'possible': {
      const counts = [...tallied(leaving.map(({ to }) => to!))];
      const where = counts.map(([name, tenants]) => `${tenants} to ${name}`).join(', ');
      return `can be emptied: ${where === '' ? 'nobody is bound to it' : `bindings ${where}`}; ${count(moves, 'instance moves', 'instances move')}`;
    }
    case 'tenants-stay': {
      const stuck = leaving.filter(({ to }) => to === null).map(({ tenant }) => tenant);
      return `stays: no other pod takes ${someOf(stuck, SHOWN)}`;
    }
    case 'no-room':
      return 'stays: its tenants would find pods, but not all their instances fit there';
    case 'not-found':
      return 'stays: its tenants would find pods, but no way was found to fit their instances in';
  }
}

const text = (facts: EmptyFacts): string =>
  `${facts.pod} (${count(facts.leaving.length, 'binding')}, ${count(facts.instances, 'instance')}) ${verdictWords(facts)}\n`;

export const empty: Command<'empty'> = async (options) => {
  const snapshot = await loadCluster(options);
  return withBook(options, async (book) => {
    const { tenantTag, pod: only } = options;
    const tenants = tenantShares(snapshot, tenantTag);
    const { policy, pods, bindings, ofTenants } = await book.store.read(async (session) => {
      const registry = await readRegistry(session);
      const all = await book.cache.all(session, registry);
      const bound = new Map<number, readonly Binding[]>();
      for (const { id } of all) bound.set(id, await currentIn(session, id));
      const names = [...new Set(tenants.shares.map(({ tenant }) => tenant))];
      const own = await currentOfTenants(session, names);
      return { policy: registry.policy, pods: all, bindings: bound, ofTenants: own };
    });
    if (only !== undefined && !pods.some(({ name }) => name === only))
      return { kind: 'refused', refusals: [{ kind: 'unknown-pod', pod: only }] };
    const names = new Map(pods.map(({ id, name }) => [id, name]));
    const elsewhere = new Map(ofTenants.map(({ tenant, podId }) => [tenant, names.get(podId)!]));
    const facts = judgePods({ snapshot, tenantTag, tenants, pods, policy, bindings, elsewhere, only });
    return {
      kind: 'done',
      text: facts.map(text).join('') || 'No pod is a node group of this cluster.\n',
      isNothing: facts.length === 0,
      facts: { pods: facts },
    };
  });
};
