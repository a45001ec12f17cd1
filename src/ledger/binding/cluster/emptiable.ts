/** Which pods could be emptied if their tenants were rebound. Pure. */
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { emptied } from '../../results/hbind.ts';
import { candidates } from '../choice/choose.ts';
import type { Binding, Pod, Policy } from '../model/pod.ts';
import { withMoreUsed } from '../model/usage.ts';
import { changedPod } from '../tables/pods.ts';

/** `to` is null where no other pod takes the tenant with what it has here. */
type Leaving = DocumentOf<typeof emptied>['leaving'][number];

/** Rebinds one tenant after the other on a copy, where each pod that takes one has less room for the next. */
export function tryEmptying(
  pods: readonly Pod[],
  policy: Policy,
  pod: Pod,
  bindings: readonly Binding[],
  needOf: (tenant: string) => Readonly<Record<string, number>>,
) {
  let world = pods;
  const moved = new Map<string, number>();
  const leaving = bindings.map((binding): Leaving => {
    const { tenant, az, affinity } = binding;
    // What the tenant has goes along with its first binding.
    const need = moved.has(tenant) ? {} : needOf(tenant);
    const to = candidates(world, policy, { az, affinity, need: measurable(need, world) }, pod.id)[0]?.pod;
    if (to) {
      moved.set(tenant, to.id);
      if (to.usage && Object.keys(need).length > 0) {
        const fuller = changedPod(to, { usage: withMoreUsed(to.usage, need) });
        world = world.map((one) => (one.id === to.id ? fuller : one));
      }
    }
    return { tenant, az, affinity, to: to?.name ?? null };
  });
  return { leaving, isPossible: leaving.every(({ to }) => to !== null) };
}

/** Metrics that no pod has cannot be asked for. */
const measurable = (
  need: Readonly<Record<string, number>>,
  pods: readonly Pod[],
): Readonly<Record<string, number>> => {
  const names = new Set(pods.flatMap(({ metrics }) => metrics.map(({ name }) => name)));
  return Object.fromEntries(Object.entries(need).filter(([name]) => names.has(name)));
};
