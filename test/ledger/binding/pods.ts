/** Pods and bindings in one line, for tests that need no database. */
import { isExhausted, USUAL_LIMITS } from '../../../src/ledger/binding/model/limits.ts';
import type { Binding, Pod } from '../../../src/ledger/binding/model/pod.ts';
import { metricsOf } from '../../../src/ledger/binding/model/usage.ts';

/** A pod that is open and as old as its id says: the smaller, the older. */
export function podWith(id: number, fields: Partial<Pod> = {}): Pod {
  const pod = {
    id,
    name: `P${id}`,
    az: '',
    affinity: {},
    createdAt: id,
    weight: null,
    cost: null,
    state: 'open' as const,
    stateAt: 0,
    limits: USUAL_LIMITS,
    usage: null,
    usageAt: null,
    verdict: null,
    ...fields,
  };
  const metrics = metricsOf(pod.usage);
  return { metrics, isExhausted: isExhausted(metrics, pod.limits, pod.verdict, false), ...pod };
}

/** A binding that holds. */
export const bindingOf = (id: number, tenant: string, podId: number): Binding => ({
  id,
  tenant,
  podId,
  az: '',
  affinity: {},
  startAt: 0,
  endAt: null,
  expiresAt: null,
  reason: 'initial',
  endReason: null,
  actor: '',
  generation: 0,
});
