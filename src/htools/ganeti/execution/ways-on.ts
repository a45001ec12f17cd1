/** Plans that go on from an execution that did not come to its end, in the cluster as it is. Pure. */
import { reachableNames } from '../../cluster/instance-status.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import {
  FAILOVER,
  FAILOVER_TO_ANY,
  type MoveKind,
  moveBetween,
  placementAfter,
  REPLACE_AND_FAILOVER,
  REPLACE_SECONDARY,
  SINGLE_CHANGES,
} from '../../model/moves/kinds.ts';
import { isFailure, isSuccess } from './job-facts.ts';
import { type JobState, jobsOf, type PlanState } from './journal-lines.ts';
import { isBack } from './reboots.ts';
import { changesAgainst, groundless, placeOf } from './recheck.ts';
import {
  homesOf,
  homeText,
  type InstanceJob,
  instanceJobOf,
  instanceOf,
  inUseJobs,
  isNodeJob,
  type NodeJob,
  namesOf,
  offlineOf,
  powerJobs,
  subjectOf,
  type Work,
  type WorkJob,
  type WorkStep,
} from './work.ts';

/** The jobs that have not succeeded once more, without them, or everything back to where it was. */
export type Way = 'retry' | 'skip-failed' | 'way-home';

type Place = WorkStep['from'];
type Part = readonly [kind: MoveKind, target: string | null];

/** What remains of a plan when each job is looked at anew; rounds begin where they began. */
function remaining(
  { work, jobs }: PlanState,
  look: (job: WorkJob, state: JobState) => WorkJob | undefined,
): Work {
  const sets = work.sets.map((set, s) =>
    set.flatMap((job, j) => {
      const state = jobs[s]![j]!;
      return isSuccess(state) ? [] : (look(job, state) ?? []);
    }),
  );
  const kept = sets.flatMap((set, s) => (set.length > 0 ? [s] : []));
  const roundStarts = work.roundStarts?.flatMap((start) => {
    const at = kept.findIndex((s) => s >= start);
    return at < 0 ? [] : [at];
  });
  return { ...work, sets: kept.map((s) => sets[s]!), ...(roundStarts && { roundStarts }) };
}

/**
 * Jobs not succeeded, from where they ended.
 * @param bootIds now: who came back late is not rebooted
 * @param earlier plans before this one: what failed there and was not sent since may have moved all the same,
 *   as when Ganeti has been told where a migration came to its end
 */
export function retried(
  plan: PlanState,
  fresh: Snapshot,
  bootIds: ReadonlyMap<string, string>,
  earlier: readonly PlanState[] = [],
): Work {
  const tried = new Set(
    earlier.flatMap(jobsOf).flatMap(({ job, state }) => (isFailure(state) ? [subjectOf(job)] : [])),
  );
  // The first of each instance: the others begin where it ends.
  const first = new Map(
    jobsOf(plan)
      .toReversed()
      .flatMap(({ job, state }) => (isSuccess(state) ? [] : [[subjectOf(job), job]])),
  );
  return remaining(plan, (job, state) => {
    const isTried = tried.has(subjectOf(job)) && first.get(subjectOf(job)) === job;
    if (state.state === 'planned' && (isNodeJob(job) || !isTried)) return job;
    if (!isNodeJob(job)) return remainder(job, placeOf(fresh, job));
    const before = 'bootId' in state ? state.bootId : undefined;
    if (job.action === 'reboot') return isBack(bootIds, job.nodes[0]!.name, before) ? undefined : job;
    // A job that failed half way may have marked its nodes.
    const isOffline = new Map(fresh.nodes.map((node) => [node.name, node.isOffline]));
    const nodes = job.nodes.map((node) => ({
      ...node,
      isOffline: isOffline.get(node.name) ?? node.isOffline,
    }));
    return { ...job, nodes };
  });
}

/**
 * What does not hang on jobs that failed, or that nobody can do any more, or that would be next and are not
 * allowed: neither these nor others of their instances, nor what is about nodes that have not come up.
 * @param down instances that a job would start
 */
export function skipped(plan: PlanState, fresh: Snapshot, down: readonly string[] = []): Work {
  const all = jobsOf(plan);
  const open = all.filter(({ state }) => state.state === 'planned').map(({ job }) => job);
  // The first of each instance and node: the others begin where it ends.
  const next = new Map(open.toReversed().map((job) => [subjectOf(job), job]));
  const lost = [
    ...all.flatMap(({ job, state }) => (isFailure(state) ? [job] : [])),
    ...groundless(fresh, [...next.values()]),
    ...[...next.values()].filter((job) => down.includes(subjectOf(job))),
  ];
  for (;;) {
    const rest = without(plan, lost);
    // Of later sets nobody knows: what is done before them may make room.
    const refused = (rest.sets[0] ?? []).filter((job) => changesAgainst(fresh, [job], rest).length > 0);
    if (refused.length === 0) return rest;
    lost.push(...refused);
  }
}

/** What is left of a plan without some jobs: neither others of their instances, nor of nodes not come up. */
function without(plan: PlanState, lost: readonly WorkJob[]): Work {
  const instances = new Set(lost.flatMap((job) => (isNodeJob(job) ? [] : [job.instance])));
  const away = new Set(
    lost.flatMap((job) => (isNodeJob(job) && job.action === 'power-on' ? namesOf(job) : [])),
  );
  const hangs = (job: WorkJob): boolean =>
    (!isNodeJob(job) && instances.has(job.instance)) || namesOf(job).some((name) => away.has(name));
  return remaining(plan, (job) => (lost.includes(job) || hangs(job) ? undefined : job));
}

/** The single changes that a move is made of, one for each opcode. */
const partsOf = ({ kind, target }: WorkStep): readonly Part[] =>
  SINGLE_CHANGES[kind as MoveKind].map((change) => [change, change === FAILOVER ? null : target]);

/** Moves one after another as steps, from a place on. */
function stepsOf(start: Place, parts: readonly Part[]): readonly WorkStep[] {
  let from = start;
  return parts.map(([kind, target]) => {
    const to = placementAfter<string | null>(kind, from[0], from[1], target) as Place;
    const step = { kind, from, to, target };
    from = to;
    return step;
  });
}

/** What is left of a job once its instance is somewhere on its way; the whole job where that is nowhere. */
function remainder(job: InstanceJob, now: Place | undefined): InstanceJob | undefined {
  const steps = stepsOf(homesOf(job).from, job.steps.flatMap(partsOf));
  const done = now ? steps.findLastIndex(({ to }) => homeText(to) === homeText(now)) + 1 : 0;
  if (done === 0) return job;
  if (done === steps.length) return undefined;
  return { ...job, steps: steps.slice(done), opcodes: job.opcodes.slice(done) };
}

/** The moves that lead an instance home, with as few copies of its disks as may be. */
function routeHome([primary, secondary]: Place, [home, other]: Place): readonly Part[] {
  if (other === null) return primary === home ? [] : [[FAILOVER_TO_ANY, home]];
  if (primary === home && secondary === other) return [];
  const single = moveBetween<string | null>(primary, secondary, home, other, null);
  if (single) return [single];
  return [
    [REPLACE_AND_FAILOVER, home],
    [REPLACE_SECONDARY, other],
  ];
}

/** Names of nodes to which the plans have done something, or tried to. */
const nodesOf = (plans: readonly PlanState[], action: NodeJob['action']): readonly string[] =>
  plans
    .flatMap(jobsOf)
    .flatMap(({ job, state }) =>
      isNodeJob(job) && job.action === action && state.state !== 'planned' ? namesOf(job) : [],
    );

/** Jobs about instances that the plans have begun, or tried to, in order. */
const begunIn = (plans: readonly PlanState[]) =>
  plans
    .flatMap(jobsOf)
    .flatMap(({ job, state }) => (isNodeJob(job) || state.state === 'planned' ? [] : [{ job, state }]));

/** Every instance that was moved back to where it was, those that were moved last first; nodes on ahead. */
export function wayHome(plans: readonly PlanState[], found: Snapshot): Work {
  const off = offlineOf(found, nodesOf(plans, 'power-off'));
  const tagged = nodesOf(plans, 'tag');
  const inUse = inUseJobs(found.nodes.filter(({ name }) => tagged.includes(name)));
  const nodes = found.nodes.map((node) => (off.includes(node.name) ? { ...node, isOffline: false } : node));
  const fresh = { ...found, nodes };
  const lastFirst = begunIn(plans).reverse();
  // The first job of each instance, which tells where its home is, stands behind its others here.
  const homes = new Map(lastFirst.map(({ job }) => [job.instance, job]));
  const reachable = reachableNames(fresh);
  const jobs = [...homes.values()].flatMap((job) => jobHome(job, fresh, reachable) ?? []);
  const { nodeOptions, promised } = plans.at(-1)!.work;
  return {
    sets: [powerJobs(off, 'power-on'), ...inSets(jobs), inUse].filter((set) => set.length > 0),
    isHomeward: true,
    // They were there, whatever rule that broke.
    limits: { ignoreSoftErrors: true, diskMoves: true },
    // Nodes may have been marked for the plan alone.
    nodeOptions: { ...nodeOptions, offline: [] },
    promised,
  };
}

/** Names of instances that the plans have moved, or tried to, and that are there no more. */
export function goneOf(plans: readonly PlanState[], fresh: Snapshot): readonly string[] {
  const gone = begunIn(plans).filter(({ job }) => !instanceOf(fresh, job));
  return [...new Set(gone.map(({ job }) => job.instance))];
}

function jobHome(
  first: InstanceJob,
  fresh: Snapshot,
  reachable: ReadonlySet<string>,
): InstanceJob | undefined {
  const instance = instanceOf(fresh, first);
  if (instance === undefined) return undefined;
  const now = placeOf(fresh, first)!;
  const steps = stepsOf(now, routeHome(now, homesOf(first).from));
  if (steps.length === 0) return undefined;
  const names = new Set(steps.flatMap(({ from, to }) => [...from, ...to]));
  const nodes = fresh.nodes.flatMap(({ name, isOffline }) =>
    names.delete(name) ? [{ name, isOffline }] : [],
  );
  // That one is missed tells why the instance does not come home.
  const gone = [...names].flatMap((name) => (name === null ? [] : [{ name, isOffline: false }]));
  return instanceJobOf(instance, steps, [...nodes, ...gone], reachable);
}

/** Each job as early as may be: behind all before it that share a node. */
function inSets(jobs: readonly InstanceJob[]): readonly (readonly InstanceJob[])[] {
  const sets: (readonly InstanceJob[])[] = [];
  const free = new Map<string, number>();
  for (const job of jobs) {
    const at = Math.max(0, ...job.nodes.map(({ name }) => free.get(name) ?? 0));
    sets[at] = [...(sets[at] ?? []), job];
    for (const { name } of job.nodes) free.set(name, at + 1);
  }
  return sets;
}

/**
 * Jobs of plans left behind whose promise still counts: each instance's last, unless it failed. On the way
 * home nobody asks for what was promised by the plans that are undone.
 * @param work what they are left for
 */
export function keptOf(plans: readonly PlanState[], { isHomeward }: Work): readonly InstanceJob[] {
  const kept = new Map<string, InstanceJob>();
  for (const { job, state } of begunIn(plans.filter(({ work }) => !isHomeward || work.isHomeward)))
    if (isSuccess(state)) kept.set(job.instance, job);
    else kept.delete(job.instance);
  return [...kept.values()];
}
