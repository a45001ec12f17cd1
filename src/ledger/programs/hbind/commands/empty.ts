/** `hbind empty`: hbind and hcompress together. */
import { loadCluster } from '../../../../htools/programs/shared/cluster/load-cluster.ts';
import { tallied } from '../../../../kit/grouped.ts';
import { Progress } from '../../../../kit/report/progress.ts';
import { tenantShares } from '../../../binding/cluster/group-usage.ts';
import type { Binding } from '../../../binding/model/pod.ts';
import { currentIn, currentOfTenants } from '../../../binding/tables/bindings.ts';
import { readRegistry } from '../../../binding/tables/registry.ts';
import { type EmptyFacts, judgePods } from '../cluster/emptying.ts';
import { type Command, withBook } from '../kit/context.ts';

const SHOWN = 5;

function verdictWords({ verdict, leaving, moves }: EmptyFacts): string {
  switch (verdict) {
    case 'empty':
      return 'is empty: nobody is bound to it, and nothing runs there';
    case 'possible': {
      const counts = [...tallied(leaving.map(({ to }) => to!))];
      const where = counts.map(([name, count]) => `${count} to ${name}`).join(', ');
      return `can be emptied: ${where === '' ? 'nobody is bound to it' : `bindings ${where}`}; ${moves} instances move`;
    }
    case 'tenants-stay': {
      const stuck = leaving.filter(({ to }) => to === null).map(({ tenant }) => tenant);
      const more = stuck.length > SHOWN ? `, and ${stuck.length - SHOWN} more` : '';
      return `stays: no other pod takes ${stuck.slice(0, SHOWN).join(', ')}${more}`;
    }
    case 'no-room':
      return 'stays: its tenants would find pods, but not all their instances fit there';
    case 'not-found':
      return 'stays: its tenants would find pods, but no way was found to fit their instances in';
  }
}

const text = (facts: EmptyFacts): string =>
  `${facts.pod} (${facts.leaving.length} bindings, ${facts.instances} instances) ${verdictWords(facts)}\n`;

export const empty: Command<'empty'> = async (options) => {
  const snapshot = await loadCluster(options);
  return withBook(options, async (book) => {
    const { tenantTag, pod: only } = options;
    const tenants = [...new Set(tenantShares(snapshot, tenantTag).shares.map(({ tenant }) => tenant))];
    const { registry, pods, byPod, ofTenants } = await book.store.read(async (session) => {
      const present = await readRegistry(session);
      const all = await book.cache.all(session, present);
      const bound = new Map<number, readonly Binding[]>();
      for (const { id } of all) bound.set(id, await currentIn(session, id));
      return {
        registry: present,
        pods: all,
        byPod: bound,
        ofTenants: await currentOfTenants(session, tenants),
      };
    });
    if (only !== undefined && !pods.some(({ name }) => name === only))
      return { kind: 'refused', refusals: [{ kind: 'unknown-pod', pod: only }] };
    const names = new Map(pods.map(({ id, name }) => [id, name]));
    const elsewhere = new Map(ofTenants.map(({ tenant, podId }) => [tenant, names.get(podId)!]));
    const progress = new Progress();
    const facts = judgePods({
      snapshot,
      tenantTag,
      pods,
      policy: registry.policy,
      bindingsOf: ({ id }) => byPod.get(id)!,
      boundElsewhere: (tenant) => elsewhere.get(tenant),
      only,
      watch: (pod, done, of) => progress.at(() => `pod ${done + 1} of ${of}: ${pod}`),
    });
    progress.done();
    return {
      kind: 'done',
      text: facts.map(text).join('') || 'No pod is a node group of this cluster.\n',
      isNothing: facts.length === 0,
      facts: { pods: facts },
    };
  });
};
