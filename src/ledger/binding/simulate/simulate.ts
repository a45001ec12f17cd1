/** A day played through a policy on copies: what ends where, who is split, when a pod is needed. Pure. */
import { groupedBy } from '../../../kit/grouped.ts';
import { kept } from '../../../kit/kept.ts';
import { momentOf } from '../../../kit/report/moments.ts';
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { day } from '../../results/hbind.ts';
import { candidates, standing } from '../choice/choose.ts';
import { filtersOf, firstRefusal } from '../filters/filters.ts';
import { shareOf } from '../model/limits.ts';
import {
  type Affinity,
  affinityOf,
  affinityText,
  type Binding,
  type Pod,
  type PodState,
  type Policy,
  type Question,
  type Request,
} from '../model/pod.ts';
import { type Usage, withMoreUsed } from '../model/usage.ts';
import { changedPod } from '../tables/pods.ts';

export type DayEvent = {
  /** Milliseconds since 1970; null: not stated. */
  readonly at: number | null;
} & (
  | ({ readonly kind: 'request' } & Request)
  | { readonly kind: 'usage'; readonly pod: string; readonly usage: Usage | null }
  | { readonly kind: 'state'; readonly pod: string; readonly state: PodState }
);

export type Day = DocumentOf<typeof day>;
export type Moment = NonNullable<Day['pods'][number]['exhaustedAt']>;

const largestShare = (pod: Pod): number | null =>
  pod.metrics.length === 0 ? null : pod.metrics.reduce((most, metric) => Math.max(most, shareOf(metric)), 0);

type QueueFacts = Day['queues'][number];
type QueueTally = { -readonly [Key in keyof QueueFacts]: QueueFacts[Key] };

/** @param pods in their order, as the day begins @param now for events that state no time, ms since 1970 */
export function simulateDay(
  before: readonly Pod[],
  bindings: readonly Binding[],
  policy: Policy,
  keys: readonly string[],
  events: readonly DayEvent[],
  now: number,
): Day {
  const pods = [...before];
  const places = new Map(before.map(({ id }, at) => [id, at]));
  const current = groupedBy(bindings, ({ tenant }) => tenant);
  const podTallies = before.map(() => ({
    requests: 0,
    tenants: new Set<string>(),
    exhaustedAt: null as Moment | null,
  }));
  const queues = new Map<string, QueueTally>();
  const uses = new Map<string, { tenant: string; affinity: Affinity; pods: Set<string> }>();
  const unknown = new Set<string>();
  const tally = { requests: 0, kept: 0, bound: 0, rebound: 0, refused: 0 };
  let rows = bindings.reduce((most, { id }) => Math.max(most, id), 0);
  let clock = now;
  for (const [at, event] of events.entries()) {
    clock = event.at ?? clock;
    play(event, { event: at + 1, at: momentOf(event.at) });
  }
  return facts();

  function play(event: DayEvent, moment: Moment): void {
    if (event.kind === 'request') {
      request(event, moment);
      return;
    }
    const at = pods.findIndex(({ name }) => name === event.pod);
    if (at < 0) {
      unknown.add(event.pod);
      return;
    }
    const changes =
      event.kind === 'usage'
        ? { usage: event.usage, usageAt: clock, verdict: null }
        : { state: event.state, stateAt: clock };
    put(at, changedPod(pods[at]!, changes), moment);
  }

  function request(event: DayEvent & { kind: 'request' }, moment: Moment): void {
    const { tenant, az, need } = event;
    const question = { az, affinity: affinityOf(event.specs, keys), need };
    const queue = queueOf(question, moment);
    tally.requests++;
    queue.requests++;
    const own = current.get(tenant) ?? [];
    const podOf = (id: number): Pod => pods[places.get(id)!]!;
    const stands = standing(own, podOf, policy, question, clock);
    if (stands.kept) {
      tally.kept++;
      place(tenant, question, stands.kept.podId, moment);
      return;
    }
    const { leaves, reason, without } = stands;
    const best = candidates(pods, policy, question, without)[0]?.pod;
    if (!best) {
      tally.refused++;
      queue.refused++;
      queue.refusedAt ??= moment;
      return;
    }
    if (leaves) tally.rebound++;
    else tally.bound++;
    const binding: Binding = {
      id: ++rows,
      tenant,
      podId: best.id,
      az,
      affinity: question.affinity,
      startAt: clock,
      endAt: null,
      expiresAt: null,
      reason,
      endReason: null,
      actor: '',
      generation: 0,
    };
    current.set(tenant, [...own.filter((one) => one !== leaves), binding]);
    place(tenant, question, best.id, moment);
  }

  function place(tenant: string, { az, affinity, need }: Question, podId: number, moment: Moment): void {
    const at = places.get(podId)!;
    const pod = pods[at]!;
    podTallies[at]!.requests++;
    podTallies[at]!.tenants.add(tenant);
    const key = JSON.stringify([tenant, az, affinityText(affinity)]);
    kept(uses, key, () => ({ tenant, affinity, pods: new Set() })).pods.add(pod.name);
    if (!pod.usage || Object.keys(need).length === 0) return;
    // That one more fits was said of the pod as it was.
    const verdict = pod.verdict?.fits ? null : pod.verdict;
    put(at, changedPod(pod, { usage: withMoreUsed(pod.usage, need), verdict }), moment);
  }

  function put(at: number, pod: Pod, moment: Moment): void {
    const former = pods[at]!;
    pods[at] = pod;
    if (pod.isExhausted && !former.isExhausted) podTallies[at]!.exhaustedAt ??= moment;
    if (pod.isExhausted !== former.isExhausted || pod.state !== former.state)
      for (const queue of queues.values()) watch(queue, moment);
  }

  function queueOf({ az, affinity }: Question, moment: Moment): QueueTally {
    return kept(queues, JSON.stringify([az, affinityText(affinity)]), () => {
      const queue: QueueTally = { az, affinity, requests: 0, refused: 0, lastPodAt: null, refusedAt: null };
      watch(queue, moment);
      return queue;
    });
  }

  function watch(queue: QueueTally, moment: Moment): void {
    const filters = filtersOf(policy);
    const question = { ...queue, need: {} };
    const left = pods.filter((pod) => !firstRefusal(filters, pod, question)).length;
    if (left <= 1) queue.lastPodAt ??= moment;
  }

  function facts(): Day {
    return {
      ...tally,
      pods: pods.map((pod, at) => {
        const { requests, tenants, exhaustedAt } = podTallies[at]!;
        return {
          pod: pod.name,
          requests,
          tenants: tenants.size,
          shareBefore: largestShare(before[at]!),
          shareAfter: largestShare(pod),
          isExhausted: pod.isExhausted,
          exhaustedAt,
        };
      }),
      queues: [...queues.values()],
      split: [...uses.values()]
        .filter((use) => use.pods.size > 1)
        .map(({ tenant, affinity, pods }) => ({ tenant, affinity, pods: [...pods] })),
      unknownPods: [...unknown].sort(),
    };
  }
}
