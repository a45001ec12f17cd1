/** A day played through a policy on copies: what ends where, who is split, when a pod is needed. Pure. */
import { groupedBy } from '../../../kit/grouped.ts';
import { kept } from '../../../kit/kept.ts';
import { momentOf } from '../../../kit/report/moments.ts';
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { day } from '../../results/hbind.ts';
import { candidates, standing } from '../choice/choose.ts';
import { filtersOf, firstRefusal } from '../filters/filters.ts';
import { type Affinity, affinityOf, affinityText } from '../model/affinity.ts';
import { shareOf } from '../model/limits.ts';
import type { Binding, Pod, PodState, Question, Request } from '../model/pod.ts';
import type { Policy } from '../model/policy.ts';
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

interface PodTally {
  readonly before: Pod;
  requests: number;
  readonly tenants: Set<string>;
  exhaustedAt: Moment | null;
}

interface QueueTally {
  readonly question: Question;
  requests: number;
  refused: number;
  lastPodAt: Moment | null;
  refusedAt: Moment | null;
}

/** @param pods in their order, as the day begins @param now for events that state no time, ms since 1970 */
export function simulateDay(
  pods: readonly Pod[],
  bindings: readonly Binding[],
  policy: Policy,
  keys: readonly string[],
  events: readonly DayEvent[],
  now: number,
): Day {
  const simulation = new Simulation(pods, bindings, policy, keys, now);
  for (const [at, event] of events.entries())
    simulation.play(event, { event: at + 1, at: momentOf(event.at) });
  return simulation.facts();
}

class Simulation {
  private pods: Pod[];
  private readonly places: Map<number, number>;
  private readonly current: Map<string, Binding[]>;
  private rows: number;
  private readonly podTallies: readonly PodTally[];
  private readonly queues = new Map<string, QueueTally>();
  private readonly uses = new Map<string, { tenant: string; affinity: Affinity; pods: Set<string> }>();
  private readonly unknown = new Set<string>();
  private kept = 0;
  private bound = 0;
  private rebound = 0;

  constructor(
    pods: readonly Pod[],
    bindings: readonly Binding[],
    private readonly policy: Policy,
    private readonly keys: readonly string[],
    private now: number,
  ) {
    this.pods = [...pods];
    this.places = new Map(pods.map(({ id }, at) => [id, at]));
    this.current = groupedBy(bindings, ({ tenant }) => tenant);
    this.rows = bindings.reduce((most, { id }) => Math.max(most, id), 0);
    this.podTallies = pods.map((before) => ({ before, requests: 0, tenants: new Set(), exhaustedAt: null }));
  }

  play(event: DayEvent, moment: Moment): void {
    this.now = event.at ?? this.now;
    if (event.kind === 'request') {
      this.request(event, moment);
      return;
    }
    const at = this.pods.findIndex(({ name }) => name === event.pod);
    if (at < 0) {
      this.unknown.add(event.pod);
      return;
    }
    const changes =
      event.kind === 'usage'
        ? { usage: event.usage, usageAt: this.now, verdict: null }
        : { state: event.state, stateAt: this.now };
    this.put(at, changedPod(this.pods[at]!, changes), moment);
  }

  private request(event: DayEvent & { kind: 'request' }, moment: Moment): void {
    const { tenant, az, need } = event;
    const question = { az, affinity: affinityOf(event.specs, this.keys), need };
    const queue = this.queue(question, moment);
    queue.requests++;
    const own = this.current.get(tenant) ?? [];
    const podOf = (id: number): Pod => this.pods[this.places.get(id)!]!;
    const stands = standing(own, podOf, this.policy, question, this.now);
    if (stands.kind === 'kept') {
      this.kept++;
      this.place(tenant, question, stands.binding.podId, moment);
      return;
    }
    const leaving = stands.kind === 'leaves' ? stands : undefined;
    const best = candidates(this.pods, this.policy, question, leaving?.without ?? null)[0]?.pod;
    if (!best) {
      queue.refused++;
      queue.refusedAt ??= moment;
      return;
    }
    if (leaving) this.rebound++;
    else this.bound++;
    const binding: Binding = {
      id: ++this.rows,
      tenant,
      podId: best.id,
      az,
      affinity: question.affinity,
      startAt: this.now,
      endAt: null,
      expiresAt: null,
      reason: leaving?.reason ?? 'initial',
      endReason: null,
      actor: '',
      generation: 0,
    };
    this.current.set(tenant, [...own.filter((one) => one !== leaving?.binding), binding]);
    this.place(tenant, question, best.id, moment);
  }

  private place(tenant: string, { az, affinity, need }: Question, podId: number, moment: Moment): void {
    const at = this.places.get(podId)!;
    const pod = this.pods[at]!;
    const tally = this.podTallies[at]!;
    tally.requests++;
    tally.tenants.add(tenant);
    const key = JSON.stringify([tenant, az, affinityText(affinity)]);
    kept(this.uses, key, () => ({ tenant, affinity, pods: new Set() })).pods.add(pod.name);
    if (!pod.usage || Object.keys(need).length === 0) return;
    // That one more fits was said of the pod as it was.
    const verdict = pod.verdict?.fits ? null : pod.verdict;
    this.put(at, changedPod(pod, { usage: withMoreUsed(pod.usage, need), verdict }), moment);
  }

  private put(at: number, pod: Pod, moment: Moment): void {
    const before = this.pods[at]!;
    this.pods[at] = pod;
    if (pod.isExhausted && !before.isExhausted) this.podTallies[at]!.exhaustedAt ??= moment;
    if (pod.isExhausted !== before.isExhausted || pod.state !== before.state)
      for (const queue of this.queues.values()) this.watch(queue, moment);
  }

  private queue({ az, affinity }: Question, moment: Moment): QueueTally {
    return kept(this.queues, JSON.stringify([az, affinityText(affinity)]), () => {
      const question = { az, affinity, need: {} };
      const queue: QueueTally = { question, requests: 0, refused: 0, lastPodAt: null, refusedAt: null };
      this.watch(queue, moment);
      return queue;
    });
  }

  private watch(queue: QueueTally, moment: Moment): void {
    const filters = filtersOf(this.policy);
    const left = this.pods.filter((pod) => !firstRefusal(filters, pod, queue.question)).length;
    if (left <= 1) queue.lastPodAt ??= moment;
  }

  facts(): Day {
    const queues = [...this.queues.values()].map(({ question, ...tally }) => {
      const { az, affinity } = question;
      return { az, affinity, ...tally };
    });
    const sum = (what: 'requests' | 'refused'): number =>
      queues.reduce((total, queue) => total + queue[what], 0);
    return {
      requests: sum('requests'),
      kept: this.kept,
      bound: this.bound,
      rebound: this.rebound,
      refused: sum('refused'),
      pods: this.pods.map((pod, at) => {
        const { before, requests, tenants, exhaustedAt } = this.podTallies[at]!;
        return {
          pod: pod.name,
          requests,
          tenants: tenants.size,
          shareBefore: largestShare(before),
          shareAfter: largestShare(pod),
          isExhausted: pod.isExhausted,
          exhaustedAt,
        };
      }),
      queues,
      split: [...this.uses.values()]
        .filter((use) => use.pods.size > 1)
        .map(({ tenant, affinity, pods }) => ({ tenant, affinity, pods: [...pods] })),
      unknownPods: [...this.unknown].sort(),
    };
  }
}
