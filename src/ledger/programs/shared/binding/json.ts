/** Pods and bindings as JSON, the same for hbind and hplaced. Times are ISO 8601 in UTC, null for none. */
import { momentOf } from '../../../../kit/report/moments.ts';
import type { DocumentOf } from '../../../../kit/results/members.ts';
import type { Selected } from '../../../binding/book/select.ts';
import { shareOf } from '../../../binding/model/limits.ts';
import type { Binding, Pod } from '../../../binding/model/pod.ts';
import { tenantCounts } from '../../../binding/tables/bindings.ts';
import { podNames } from '../../../binding/tables/pods.ts';
import type { binding as bindingSchema, pod as podSchema } from '../../../results/hbind.ts';
import type { Session } from '../../../store/store.ts';

export type PodFacts = DocumentOf<typeof podSchema>;
type BindingFacts = DocumentOf<typeof bindingSchema>;

/** The metric with the largest used share; null when nothing is measured. */
const fullest = (pod: Pod): PodFacts['fullest'] =>
  pod.metrics.reduce<PodFacts['fullest']>((most, metric) => {
    const share = shareOf(metric);
    return most === null || share > most.share ? { metric: metric.name, share } : most;
  }, null);

/** @param tenants number of tenants bound to it now; undefined: not counted */
export const podJson = (pod: Pod, tenants?: number): PodFacts => ({
  name: pod.name,
  az: pod.az,
  affinity: pod.affinity,
  state: pod.state,
  stateSince: momentOf(pod.stateAt),
  isExhausted: pod.isExhausted,
  createdAt: momentOf(pod.createdAt),
  weight: pod.weight,
  cost: pod.cost,
  limits: pod.limits,
  usage: pod.usage,
  usageAt: momentOf(pod.usageAt),
  verdict: pod.verdict,
  fullest: fullest(pod),
  ...(tenants === undefined ? {} : { tenants }),
});

export async function podsJson(session: Session, pods: readonly Pod[]): Promise<readonly PodFacts[]> {
  const ids = pods.map(({ id }) => id);
  const counts = await tenantCounts(session, ids);
  return pods.map((pod) => podJson(pod, counts.get(pod.id) ?? 0));
}

export const bindingJson = (binding: Binding, pod: string): BindingFacts => ({
  id: binding.id,
  tenant: binding.tenant,
  pod,
  az: binding.az,
  affinity: binding.affinity,
  start: momentOf(binding.startAt),
  end: momentOf(binding.endAt),
  expires: momentOf(binding.expiresAt),
  reason: binding.reason,
  endReason: binding.endReason,
  actor: binding.actor,
});

export async function bindingsJson(
  session: Session,
  bindings: readonly Binding[],
): Promise<readonly BindingFacts[]> {
  const names = await podNames(session, bindings);
  return bindings.map((binding) => bindingJson(binding, names.get(binding.podId)!));
}

export function selectedJson(selected: Selected) {
  const { question: request, policy, generation, words: explanation } = selected;
  const common = { request, policy, generation, ...(explanation && { explanation }) };
  if (selected.kind === 'none') {
    const { current, left, refusedBy } = selected;
    const binding = current && bindingJson(current, left!.name);
    return { result: 'none', pod: null, binding, refusedBy, ...common } as const;
  }
  const pod = selected.pod.name;
  const binding = bindingJson(selected.binding, pod);
  if (selected.kind === 'kept') return { result: 'kept', pod, binding, ...common } as const;
  const { ended, left, candidates } = selected;
  return {
    result: 'new',
    pod,
    binding,
    ended: ended && bindingJson(ended, left!.name),
    candidates: candidates.map(({ pod: { name }, ...weighed }) => ({ pod: name, ...weighed })),
    ...common,
  } as const;
}
