/** hbind's documents: one a command, and what refusals and conflicts are. */
import { z } from 'zod';
import {
  count,
  figure,
  flag,
  head,
  kind,
  listOf,
  maybe,
  moment,
  name,
  named,
  names,
} from '../../kit/results/members.ts';

/** Keys and values of extra specs. */
const affinity = z.record(z.string(), z.string());
/**
 * Why a binding began or ended. initial: the tenant's first; admin: an administrator's wish (`bind`, a pod
 * closed or given to other purposes); returned: to the pod that had been under maintenance.
 */
export const reason = z.enum(['initial', 'exhausted', 'maintenance', 'admin', 'expired', 'returned']);
const forRequests = { az: z.string().describe('zone that was asked for; empty: any'), affinity };
export const verdict = z
  .object({
    by: z.string(),
    size: z.string(),
    fits: flag,
    why: z.string().optional().describe('why it does not fit; older verdicts have none'),
  })
  .describe('answer of the capacity planner');

/** When a pod is exhausted, and when it is open again. */
export const limits = z.object({
  /** By the metric's name; `*` holds for those that are not named. */
  metrics: z.record(
    z.string(),
    z.union([
      /** Exhausted when used / total reaches it. */
      z.object({ share: z.number() }),
      /** Exhausted when total - used falls to it. */
      z.object({ free: z.number() }),
    ]),
  ),
  /** Once exhausted, it opens again when no metric's share is above this; null: when none is at its limit. */
  reopen: maybe,
});

const podMembers = {
  name,
  az: z.string().describe('empty: none'),
  affinity,
  state: z.enum(['open', 'maintenance', 'closed']),
  stateSince: moment,
  isExhausted: flag,
  createdAt: moment,
  weight: maybe.describe('null: not stated'),
  cost: maybe,
  limits,
  usage: z.record(z.string(), z.unknown()).nullable().describe('as it was read; null: not measured yet'),
  usageAt: moment.nullable(),
  verdict: verdict.nullable(),
  fullest: z.object({ metric: z.string(), share: figure }).nullable(),
  tenants: count.optional().describe('bound to it now, where that is counted'),
};
export const pod = named('pod', podMembers);

export const binding = named('binding', {
  id: count,
  tenant: name,
  pod: name,
  ...forRequests,
  start: moment,
  end: moment.nullable().describe('null: current'),
  expires: moment.nullable().describe('null: for good'),
  reason,
  endReason: reason.nullable(),
  actor: z.string(),
});

export const rebound = named('rebound', {
  tenant: name,
  ...forRequests,
  from: name,
  to: name.nullable().describe('null: it stays'),
  reason,
});

export const weighing = z.object({
  weigher: z.string(),
  scaled: z.number().describe('0 (worst of the candidates) to 1 (best); 0 for all when all are equal'),
  multiplier: z.number(),
});
const weighings = z.array(weighing);
/** Which filters a pod must pass, in which order, and what counts when several do. */
export const policy = z.object({
  filters: names,
  /** Multipliers by weigher; those that are not named count 0. */
  weighers: z.record(z.string(), z.number()),
});

/** Each filter's and each weigher's word for a pod. */
export const podWord = z.object({
  pod: name,
  filters: listOf({ filter: z.string(), why: z.string().nullable().describe('null: passes') }).describe(
    'all of the policy are asked, also behind one that refuses',
  ),
  place: count
    .nullable()
    .describe('1 is the best; null: refused, or left out as the tenant is just leaving it'),
  total: maybe,
  weighings,
});

/** Of `select`, whatever came of it. */
const selected = {
  request: z.object({ ...forRequests, need: z.record(z.string(), z.number()) }),
  policy,
  generation: count.describe('of the pods that were chosen from'),
  explanation: z.array(podWord).optional(),
};

/** The metric that reaches its limit first, and when; null: none in sight, or exhausted already. */
const first = z.object({ metric: z.string(), at: moment }).nullable();

export const podForecast = z.object({
  pod: name,
  az: z.string(),
  affinity,
  isExhausted: flag,
  isOpen: flag,
  /** Number of readings that the rates come from. */
  readings: count,
  metrics: listOf({
    name,
    total: z.number(),
    used: z.number(),
    /** The use at which the pod is exhausted. */
    limit: z.number(),
    /** Growth a day, by least squares over the readings; null: they say nothing of days. */
    perDay: maybe,
    /** When it reaches its limit; null: not in sight. */
    at: moment.nullable(),
  }),
  first,
});

/** Pods of one zone and purpose: one takes over when another is exhausted. */
export const queueForecast = z.object({
  az: z.string(),
  affinity,
  pods: count,
  /** Pods that still take tenants. */
  taking: count,
  /** Of these, pods that were never measured; while there are any, the end is not in sight. */
  unmeasured: count,
  /** When the last of them is exhausted, at the growth of all together; null: not in sight. */
  first,
});

/** An event's number from 1 on, and its time where one is stated. */
const ofEvent = z.object({ event: count, at: moment.nullable() }).nullable();

export const day = z.object({
  requests: count,
  kept: count,
  /** First bindings. */
  bound: count,
  rebound: count,
  refused: count,
  pods: listOf({
    pod: name,
    requests: count,
    tenants: count,
    /** Largest used share of its metrics before and after; null: not measured. */
    shareBefore: maybe,
    shareAfter: maybe,
    isExhausted: flag,
    /** When it became exhausted for the first time that day; null: it did not. */
    exhaustedAt: ofEvent,
  }),
  /** Requests for one zone and purpose. */
  queues: listOf({
    az: z.string(),
    affinity,
    requests: count,
    refused: count,
    /** From when on one pod or none was left: time to order the next. */
    lastPodAt: ofEvent,
    /** From when on a pod was missing. */
    refusedAt: ofEvent,
  }),
  /** With things of one purpose and zone in several pods, in order of use: none can attach the others. */
  split: listOf({ tenant: name, affinity, pods: names }),
  /** Pods that events name and that there are not. */
  unknownPods: names,
});

export const emptied = z.object({
  pod: name,
  instances: count,
  nobodys: count.describe('instances without a tenant'),
  leaving: listOf({ tenant: name, ...forRequests, to: name.nullable() }),
  /**
   * empty: nobody bound, nothing runs; tenants-stay: some tenant finds no other pod; no-room: not all their
   * instances fit; not-found: no order of moves was found, there may be one.
   */
  verdict: z.enum(['possible', 'empty', 'tenants-stay', 'no-room', 'not-found']),
  /** Instances that would move. */
  moves: count,
});

export const finding = z
  .discriminatedUnion('kind', [
    kind('overlap', { tenant: name, bindings: z.tuple([count, count]) }),
    /** A row that ended for another, which does not begin then. */
    kind('gap', { tenant: name, bindings: z.tuple([count, count.nullable()]) }),
    kind('backwards', { tenant: name, binding: count }),
    kind('no-pod', { tenant: name, binding: count, pod: count }),
    kind('from-the-future', { tenant: name, binding: count }),
    /** What is used of a pod says otherwise than its mark. */
    kind('mark', { pod: name, isMarked: flag }),
    kind('keys', { found: names, right: names }),
  ])
  .meta({ id: 'bindingFinding' });

export const refusal = z
  .discriminatedUnion('kind', [
    /** Where somebody is or was bound, the pod is part of a history. */
    z.object({ kind: z.enum(['unknown-pod', 'name-taken', 'ever-bound', 'closed']), pod: name }),
    kind('not-in-maintenance', { pod: name, state: z.string() }),
    /** A binding that no request would keep. */
    kind('does-not-suit', { pod: name, filter: z.string(), why: z.string() }),
  ])
  .meta({ id: 'bindingRefusal' });

/** Members by command; `refused` is also how a command ends that did its work and found what it looks for. */
const of = <C extends string, S extends z.ZodRawShape>(command: C, shape: S) =>
  z.object({ ...head('hbind'), command: z.literal(command), outcome: z.enum(['done', 'refused']), ...shape });

const changes = listOf({
  generation: count,
  at: moment,
  actor: z.string(),
  action: z.string(),
  pod: name.nullable(),
  after: z.unknown(),
});

const endings = [
  of('init', { database: z.string(), from: count, to: count, backups: z.array(z.string()) }),
  of('pod add', { pod }),
  of('pod set', { pod }),
  of('pod rm', { pod }),
  of('pod list', { pods: z.array(pod) }),
  of('pod show', { pod, bindings: z.array(binding), changes }),
  of('pod maintenance', { pod, rebound: z.array(rebound) }),
  of('policy', { policy }),
  of('usage', {
    pods: listOf({ ...podMembers, wasExhausted: flag.nullable().describe('null: it is new') }),
    notPods: names.describe('groups of the cluster that nobody called a pod'),
  }),
  of('select', { result: z.literal('kept'), pod: name, binding, ...selected }),
  of('select', {
    result: z.literal('new'),
    pod: name,
    binding,
    ended: binding.nullable(),
    candidates: listOf({ pod: name, total: z.number(), weighings }),
    ...selected,
  }),
  of('select', {
    result: z.literal('none'),
    pod: z.null(),
    binding: binding.nullable(),
    refusedBy: z.record(z.string(), count).describe('pods by the filter that refused them first'),
    ...selected,
  }),
  of('bind', { binding, isKept: flag }),
  of('unbind', { ended: z.array(binding) }),
  of('expire', { ended: z.array(binding) }),
  of('rebind', { rebound: z.array(rebound), isDryRun: flag }),
  of('history', { tenant: name, bindings: z.array(binding) }),
  of('forecast', { pods: z.array(podForecast), queues: z.array(queueForecast) }),
  of('simulate', { policy, ...day.shape }),
  of('empty', { pods: z.array(emptied) }),
  of('audit', { findings: z.array(finding) }),
] as const;

const ended = { ...head('hbind'), command: z.string() };

export const hbind = z.union([
  ...endings,
  z.object({ ...ended, outcome: z.literal('refused'), refusals: z.array(refusal) }),
  z.object({ ...ended, outcome: z.literal('conflict'), conflict: z.string() }),
]);
