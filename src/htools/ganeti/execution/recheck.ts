/** Whether a cluster read anew still is what jobs assume, and allows them; the checker judges. Pure. */
import { once } from '../../../kit/kept.ts';
import type { DocumentOf } from '../../../kit/results/members.ts';
import { isRunning, isStray, reachableNames } from '../../cluster/instance-status.ts';
import { isFound, lookupName } from '../../cluster/names.ts';
import { applyNodeOptions } from '../../cluster/prepare/node-options.ts';
import { type Instance, NO_NODE, type Snapshot } from '../../cluster/snapshot.ts';
import { leftAlone } from '../../cluster/tags/hands-off.ts';
import { forbidsMigration } from '../../cluster/tags/tags.ts';
import type { MoveKind } from '../../model/moves/kinds.ts';
import { checkPlan } from '../../plan/checker/check.ts';
import { type PlanStep, unscoredPlan } from '../../plan/plan.ts';
import type { executionChange } from '../../results/parts/execution.ts';
import {
  homesOf,
  homeText,
  type InstanceJob,
  instanceOf,
  isNodeJob,
  type NodeJob,
  stepOpcodes,
  subjectOf,
  type Work,
  type WorkJob,
  type WorkSet,
  type WorkStep,
  withPromisedRoom,
} from './work.ts';

export type Change = DocumentOf<typeof executionChange>;

type Absence = Extract<Change, { readonly what: 'instance-gone' | 'instance-remade' }>;

/** The state that was read anew, with nodes by their names. */
class Directory {
  private readonly nodes: ReadonlyMap<string, number>;
  /** Names of nodes that Ganeti can ask. */
  readonly reachable = once(() => reachableNames(this.snapshot));

  constructor(readonly snapshot: Snapshot) {
    this.nodes = new Map(snapshot.nodes.map(({ name }, position) => [name, position]));
  }

  node(name: string | null): number {
    return name === null ? NO_NODE : (this.nodes.get(name) ?? NO_NODE);
  }
}

function homeNow({ nodes }: Snapshot, instance: Snapshot['instances'][number]): WorkStep['from'] {
  return [nodes[instance.primary]?.name ?? '', nodes[instance.secondary]?.name ?? null];
}

const absence = ({ instances }: Snapshot, { instance }: InstanceJob): Absence => ({
  what: instances.some(({ name }) => name === instance) ? 'instance-remade' : 'instance-gone',
  instance,
});

export const isAbsence = (change: Change): change is Absence =>
  change.what === 'instance-gone' || change.what === 'instance-remade';

const idsOf = (opcodes: InstanceJob['opcodes']): string => opcodes.map(({ OP_ID }) => OP_ID).join();

/** Whether it would do the same were it planned now: what was reserved may run by now, tags have changed. */
const isAsPlannedNow = (instance: Instance, { opcodes, steps }: InstanceJob, { reachable }: Directory) =>
  idsOf(opcodes) === idsOf(stepOpcodes(instance, steps, reachable()));

function instanceChanges(directory: Directory, job: InstanceJob): readonly Change[] {
  const { snapshot } = directory;
  const instance = instanceOf(snapshot, job);
  if (instance === undefined) return [absence(snapshot, job)];
  const changes: Change[] = [];
  const expected = homeText(homesOf(job).from);
  const found = homeText(homeNow(snapshot, instance));
  if (found !== expected) changes.push({ what: 'instance-moved', instance: job.instance, expected, found });
  if (instance.diskTemplate !== job.diskTemplate)
    changes.push({
      what: 'template-changed',
      instance: job.instance,
      expected: job.diskTemplate,
      found: instance.diskTemplate,
    });
  if (job.isAutoBalanced && !instance.isAutoBalanced)
    changes.push({ what: 'auto-balance-off', instance: job.instance });
  if (isRunning(instance) && !isAsPlannedNow(instance, job, directory))
    changes.push({
      what: 'not-allowed',
      instance: job.instance,
      rule: 'live',
      why: `${instance.alias} runs, and ${forbidsMigration(instance) ? 'is not to be migrated' : 'the job would stop it'}`,
    });
  return changes;
}

export const goesDown = (job: WorkJob): boolean =>
  isNodeJob(job) && (job.action === 'reboot' || job.action === 'power-off');

function nodeChanges(directory: Directory, job: WorkJob): readonly Change[] {
  return job.nodes.flatMap(({ name, isOffline }): readonly Change[] => {
    const node = directory.snapshot.nodes[directory.node(name)];
    if (node === undefined) return [{ what: 'node-gone', node: name }];
    if (goesDown(job) && node.isMaster) return [{ what: 'node-is-master', node: name }];
    // Somebody else may have given it power: that is what is wanted.
    const isWanted = isNodeJob(job) && job.action === 'power-on' && !node.isOffline;
    if (node.isOffline === isOffline || isWanted) return [];
    return [{ what: node.isOffline ? 'node-offline' : 'node-online', node: name }];
  });
}

/** Whether it runs on the node, or may: mirrored disks let it run in two places. */
const mayRunHere = (instance: Instance, isHere: (node: number) => boolean): boolean =>
  (isHere(instance.primary) && isRunning(instance)) || (isHere(instance.secondary) && isStray(instance));

/** Instances on nodes that are to go down: running ones, and for good any that have a copy there. */
function occupants({ snapshot }: Directory, job: NodeJob): readonly Change[] {
  const { action, nodes, mayHold } = job;
  if (!goesDown(job)) return [];
  return nodes.flatMap(({ name }): readonly Change[] => {
    const isHere = (node: number): boolean => snapshot.nodes[node]?.name === name;
    const instances = snapshot.instances
      .filter((instance) =>
        action === 'reboot'
          ? mayRunHere(instance, isHere) && !mayHold.includes(instance.name)
          : isHere(instance.primary) || isHere(instance.secondary),
      )
      .map((instance) => instance.name);
    return instances.length > 0 ? [{ what: 'node-occupied', node: name, instances }] : [];
  });
}

function planSteps(directory: Directory, job: InstanceJob): PlanStep[] {
  const { snapshot } = directory;
  const instance = snapshot.instances.indexOf(instanceOf(snapshot, job)!);
  return job.steps.map(({ kind, from, to, target }) => ({
    instance,
    kind: kind as MoveKind,
    target: directory.node(target),
    fromPrimary: directory.node(from[0]),
    fromSecondary: directory.node(from[1]),
    toPrimary: directory.node(to[0]),
    toSecondary: directory.node(to[1]),
    score: 0,
  }));
}

/**
 * What is free on a node that cannot be asked is not known, and reads as nothing. An instance may leave its
 * disks there, as the other half of its mirror: no rule lets anything else arrive. The least that is room is
 * enough.
 */
const withRoomWhereUnknown = (fresh: Snapshot): Snapshot => ({
  ...fresh,
  nodes: fresh.nodes.map((node) =>
    node.isOffline && node.freeDiskMib <= 0 ? { ...node, freeDiskMib: 1 } : node,
  ),
});

/** Ganeti would take the disks away under an instance that runs where it does not look. */
export const strayChanges = ({ instances }: Snapshot, set: WorkSet): readonly Change[] => {
  const moving = new Set(set.map(subjectOf));
  return instances
    .filter((instance) => isStray(instance) && moving.has(instance.name))
    .map(({ name, alias }) => ({
      what: 'not-allowed',
      instance: name,
      rule: 'live',
      why: `${alias} runs on another node than its primary: gnt-instance migrate --cleanup ${name}`,
    }));
};

/** What the rules for moves say against the jobs, one after another, in the state as it is. */
export function ruleChanges(
  fresh: Snapshot,
  set: WorkSet,
  { limits, nodeOptions, promised }: Work,
): readonly Change[] {
  const names = fresh.nodes.map(({ name }) => name);
  // Who was to be taken for offline may be gone by now.
  const offline = nodeOptions.offline.filter((text) => isFound(lookupName(names, text)));
  const directory = new Directory(
    applyNodeOptions(withRoomWhereUnknown(withPromisedRoom(fresh, promised)), { ...nodeOptions, offline }),
  );
  const { snapshot } = directory;
  const steps = set.flatMap((job) => (isNodeJob(job) ? [] : planSteps(directory, job)));
  const faults = checkPlan(
    unscoredPlan(snapshot, steps, {
      ...limits,
      // Which instances may move was settled by the plan; here their nodes are what they have to leave.
      emptiedNodes: [
        ...new Set(steps.flatMap(({ fromPrimary, fromSecondary }) => [fromPrimary, fromSecondary])),
      ],
    }),
  );
  return [
    ...strayChanges(fresh, set),
    ...faults.map(
      ({ step, rule, message }): Change => ({
        what: 'not-allowed',
        instance: snapshot.instances[steps[step - 1]?.instance ?? -1]?.name ?? '',
        rule,
        why: message,
      }),
    ),
  ];
}

/** What a job is about; a reboot also about the instances that may go down with it. */
const touchedBy = (job: WorkJob): readonly string[] => [
  ...(isNodeJob(job) ? job.mayHold : [job.instance]),
  ...job.nodes.map(({ name }) => name),
];

/** Jobs about what is to be left alone. */
export function handsOffChanges(fresh: Snapshot, set: WorkSet): readonly Change[] {
  const alone = leftAlone(fresh);
  return set
    .flatMap(touchedBy)
    .filter((name) => alone.has(name))
    .map((on): Change => ({ what: 'hands-off', on }));
}

/**
 * What stands against submitting the jobs now; empty = nothing. Each thing is named once.
 * @param ahead jobs that they are done for: nothing moves off a node that may not go down
 */
export function changesAgainst(
  fresh: Snapshot,
  set: WorkSet,
  work: Work,
  ahead: WorkSet = [],
): readonly Change[] {
  const directory = new Directory(fresh);
  const down = ahead.filter(goesDown);
  const changes = [
    ...handsOffChanges(fresh, [...set, ...down]),
    ...set.flatMap((job) => (isNodeJob(job) ? occupants(directory, job) : instanceChanges(directory, job))),
    ...[...set, ...down].flatMap((job) => nodeChanges(directory, job)),
  ];
  return distinct(changes.length > 0 ? changes : ruleChanges(fresh, set, work));
}

export const distinct = (changes: readonly Change[]): readonly Change[] => [
  ...new Map(changes.map((change) => [JSON.stringify(change), change])).values(),
];

/**
 * Of jobs those that begin where their instance no longer is, or runs; that are about nodes which are not as
 * assumed; or about what is to be left alone.
 */
export function groundless(fresh: Snapshot, jobs: readonly WorkJob[]): readonly WorkJob[] {
  const directory = new Directory(fresh);
  const alone = leftAlone(fresh);
  const strays = new Set(fresh.instances.filter(isStray).map(({ name }) => name));
  return jobs.filter((job) => {
    if (touchedBy(job).some((name) => alone.has(name)) || strays.has(subjectOf(job))) return true;
    const changes = isNodeJob(job) ? [] : instanceChanges(directory, job);
    return changes.length + nodeChanges(directory, job).length > 0;
  });
}

/** Where a job's instance is, in names; undefined when it is gone. */
export function placeOf(fresh: Snapshot, job: InstanceJob): WorkStep['from'] | undefined {
  const instance = instanceOf(fresh, job);
  return instance && homeNow(fresh, instance);
}

/** Instances that are not where the last of their jobs should have left them. */
export function unkept(fresh: Snapshot, jobs: readonly WorkJob[]): readonly Change[] {
  const last = new Map(jobs.flatMap((job) => (isNodeJob(job) ? [] : [[job.instance, job] as const])));
  return [...last].flatMap(([instance, job]): readonly Change[] => {
    const place = placeOf(fresh, job);
    if (place === undefined) return [absence(fresh, job)];
    const [expected, found] = [homeText(homesOf(job).to), homeText(place)];
    return found === expected ? [] : [{ what: 'instance-moved', instance, expected, found }];
  });
}

/**
 * Whether a job of which nobody knows the end seems to have succeeded. What is done to nodes can be done
 * again; nothing in a snapshot tells whether it was.
 */
export const seemsDone = (fresh: Snapshot, job: WorkJob): boolean =>
  !isNodeJob(job) && unkept(fresh, [job]).length === 0;
