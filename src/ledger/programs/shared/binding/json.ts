/**
 * Pods, bindings and what became of them as JSON: the same for hbind and hplaced. Times are ISO 8601 in UTC,
 * null for none.
 */
import type { Selected } from '../../../binding/book/select.ts';
import type { PodWord } from '../../../binding/choice/explain.ts';
import { shareOf } from '../../../binding/model/limits.ts';
import type { Binding, Pod } from '../../../binding/model/pod.ts';
import { momentOf } from '../access/time-text.ts';

/** The metric with the largest used share; null when nothing is measured. */
export const fullest = (pod: Pod): { readonly metric: string; readonly share: number } | null =>
  pod.metrics.reduce<{ metric: string; share: number } | null>((most, metric) => {
    const share = shareOf(metric);
    return most === null || share > most.share ? { metric: metric.name, share } : most;
  }, null);

/** @param tenants number of tenants bound to it now; undefined: not counted */
export const podJson = (pod: Pod, tenants?: number): object => ({
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

/** @param pod its name */
export const bindingJson = (binding: Binding, pod: string): object => ({
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

/** What became of a request. */
export function selectedJson(selected: Selected): Readonly<Record<string, unknown>> {
  const { question, policy, generation, words } = selected;
  const explained = words === undefined ? {} : { explanation: words as readonly PodWord[] };
  const common = { request: question, policy, generation, ...explained };
  if (selected.kind === 'kept')
    return {
      result: 'kept',
      pod: selected.pod.name,
      binding: bindingJson(selected.binding, selected.pod.name),
      ...common,
    };
  if (selected.kind === 'none') {
    const { current, left, refusedBy } = selected;
    return {
      result: 'none',
      pod: null,
      binding: current && bindingJson(current, left!.name),
      refusedBy,
      ...common,
    };
  }
  const { pod, binding, ended, left, candidates } = selected;
  return {
    result: 'new',
    pod: pod.name,
    binding: bindingJson(binding, pod.name),
    ended: ended && bindingJson(ended, left!.name),
    candidates: candidates.map((candidate) => ({
      pod: candidate.pod.name,
      total: candidate.total,
      weighings: candidate.weighings,
    })),
    ...common,
  };
}
