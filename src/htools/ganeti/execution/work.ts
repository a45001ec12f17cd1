/** What is to be done to a cluster, in names: journals keep it so, and a later run takes it up again. */
import * as z from 'zod/mini';
import { kept } from '../../../kit/kept.ts';
import type { DeepReadonly } from '../../../kit/results/members.ts';
import type { Instance, Snapshot } from '../../cluster/snapshot.ts';
import { STANDBY_TAG } from '../../cluster/tags/tags.ts';
import type { MoveKind } from '../../model/moves/kinds.ts';
import { copyMibOf, WORK } from '../../plan/cost.ts';
import { moveOpcodes } from '../../plan/move-opcodes.ts';
import { type Opcode, powerCommand, removeTags, setOffline } from '../../plan/opcodes.ts';
import type { PlanStep } from '../../plan/plan.ts';

const home = z.tuple([z.string(), z.nullable(z.string())]);
const step = z.object({
  kind: z.int().check(z.gte(0), z.lte(5)),
  /** Primary and secondary, before and after; `null` = no node. */
  from: home,
  to: home,
  target: z.nullable(z.string()),
});
const opcode = z.custom<Opcode>(
  (value) => typeof value === 'object' && value !== null && typeof (value as Opcode).OP_ID === 'string',
);
/** As the plan found them. */
const nodes = z.array(z.object({ name: z.string(), isOffline: z.boolean() }));
const nodeWork = z.object({
  action: z.enum(['tag', 'power-off', 'power-on', 'reboot']),
  /** All that it is about; one for a reboot. */
  nodes: nodes.check(z.minLength(1)),
  /** Instances that may be on the nodes, before they go down. */
  mayHold: z.array(z.string()),
  /** Empty for a reboot by a command. */
  opcodes: z.array(opcode),
  /** Program that starts the node anew, called with the node's name, in place of a job in the queue. */
  command: z.optional(z.string()),
  copyMib: z.number(),
});
/** One job: all steps of one instance that belong together. */
const instanceJob = z.object({
  instance: z.string(),
  uuid: z.optional(z.string()),
  diskTemplate: z.string(),
  isAutoBalanced: z.boolean(),
  steps: z.array(step).check(z.minLength(1)),
  /** All that it occupies. */
  nodes,
  opcodes: z.array(opcode).check(z.minLength(1)),
  /** Disk data that it copies. */
  copyMib: z.number(),
});

export const work = z.object({
  /** Jobs of one set share no node. */
  sets: z.array(z.array(z.union([nodeWork, instanceJob]))),
  /** Sets, from 0, that begin something not to be left half done: the stop file is looked for ahead. */
  roundStarts: z.optional(z.array(z.int())),
  /** Names of nodes that were meant, but are to be left alone: without them the work is not whole. */
  leftOut: z.optional(z.array(z.string())),
  /** What it goes on without, as it is told: less is done than was meant. */
  skipped: z.optional(z.array(z.string())),
  /** As much as can be is brought back: what fails, or is not allowed, keeps nothing else from it. */
  isHomeward: z.optional(z.boolean()),
  /** The limits that hold for single moves. */
  limits: z.object({ ignoreSoftErrors: z.boolean(), diskMoves: z.boolean() }),
  /** What the command line said about nodes, which the state read later has to be seen with, too. */
  nodeOptions: z.object({
    offline: z.array(z.string()),
    maxCpuRatio: z.optional(z.number()),
    minDiskRatio: z.number(),
  }),
  /** Room of nodes that a ledger has promised to somebody: used for the plan, free for the cluster. */
  promised: z.optional(
    z.array(z.object({ node: z.string(), memMib: z.number(), diskMib: z.number(), cpus: z.number() })),
  ),
});

export type Work = DeepReadonly<z.output<typeof work>>;
export type WorkSet = Work['sets'][number];
export type WorkJob = WorkSet[number];
export type NodeJob = DeepReadonly<z.output<typeof nodeWork>>;
export type InstanceJob = DeepReadonly<z.output<typeof instanceJob>>;
export type WorkStep = InstanceJob['steps'][number];

export const isNodeJob = (job: WorkJob): job is NodeJob => 'action' in job;

export const isPower = (work: WorkJob): work is NodeJob =>
  isNodeJob(work) && (work.action === 'power-off' || work.action === 'power-on');

export const namesOf = ({ nodes }: Pick<Snapshot | NodeJob, 'nodes'>): string[] =>
  nodes.map(({ name }) => name);

export const offlineOf = ({ nodes }: Snapshot, names: readonly string[]): string[] =>
  namesOf({ nodes: nodes.filter(({ name, isOffline }) => isOffline && names.includes(name)) });

/** @param isOffline as the plan found it */
export const nodeJob = (
  action: NodeJob['action'],
  name: string,
  isOffline: boolean,
  opcodes: NodeJob['opcodes'],
): NodeJob => ({ action, nodes: [{ name, isOffline }], mayHold: [], opcodes, copyMib: 0 });

/** Takes nodes' power, or gives it back, with their marks; a job each, as a node may not listen. */
export const powerJobs = (names: readonly string[], action: 'power-on' | 'power-off'): readonly NodeJob[] =>
  names.map((name) => {
    const isOn = action === 'power-on';
    const mark = setOffline(name, !isOn);
    const switching = powerCommand(name, action);
    // The master resets no mark of a node that it knows to be without power, or that does not answer.
    return nodeJob(action, name, isOn, isOn ? [switching, mark] : [mark, switching]);
  });

/** Takes the mark of a reserve from nodes that are in use again: later they may be offline for good. */
export const inUseJobs = (nodes: Snapshot['nodes']): readonly NodeJob[] =>
  nodes
    .filter(({ tags }) => tags.includes(STANDBY_TAG))
    .map(({ name }) => nodeJob('tag', name, false, [removeTags('node', name, [STANDBY_TAG])]));

/** @param loaded the cluster as it was read @param start the same with less room, as the plan saw it */
export const promisedRoom = (loaded: Snapshot, start: Snapshot): NonNullable<Work['promised']> =>
  start.nodes.flatMap((node, n) => {
    const read = loaded.nodes[n]!;
    const memMib = node.nodeMemMib - read.nodeMemMib;
    const diskMib = read.freeDiskMib - node.freeDiskMib;
    const cpus = node.nodeCpus - read.nodeCpus;
    return memMib === 0 && diskMib === 0 && cpus === 0 ? [] : [{ node: node.name, memMib, diskMib, cpus }];
  });

/** A cluster that was read anew, with the room taken that the plan left to others. */
export function withPromisedRoom(fresh: Snapshot, promised: Work['promised']): Snapshot {
  if (promised === undefined || promised.length === 0) return fresh;
  const rooms = new Map(promised.map((room) => [room.node, room]));
  const nodes = fresh.nodes.map((node) => {
    const room = rooms.get(node.name);
    if (room === undefined) return node;
    return {
      ...node,
      nodeMemMib: node.nodeMemMib + room.memMib,
      freeMemMib: Math.max(0, node.freeMemMib - room.memMib),
      freeDiskMib: Math.max(0, node.freeDiskMib - room.diskMib),
      nodeCpus: node.nodeCpus + room.cpus,
    };
  });
  return { ...fresh, nodes };
}

const byName = new WeakMap<Snapshot, ReadonlyMap<string, Instance>>();

/** The instance that a job is about; one that was made anew under its name is not. */
export function instanceOf(snapshot: Snapshot, { instance, uuid }: InstanceJob): Instance | undefined {
  const names = kept(byName, snapshot, () => new Map(snapshot.instances.map((one) => [one.name, one])));
  const found = names.get(instance);
  return (uuid ?? found?.uuid) === (found?.uuid ?? uuid) ? found : undefined;
}

/** Steps of one instance that make one job, and the nodes that they occupy, as positions. */
export interface JobSteps {
  readonly steps: readonly PlanStep[];
  readonly nodes: readonly number[];
}

/**
 * @param start the cluster as the plan saw it
 * @param loaded as read, without the say about nodes
 * @param reachable names of nodes that Ganeti can ask, by the first
 */
export function workJob(
  start: Snapshot,
  loaded: Snapshot,
  { steps, nodes }: JobSteps,
  reachable: ReadonlySet<string>,
): InstanceJob {
  const instance = start.instances[steps[0]!.instance]!;
  const nameOf = (node: number): string | null => start.nodes[node]?.name ?? null;
  const pair = (primary: number, secondary: number) => [nameOf(primary)!, nameOf(secondary)] as const;
  const inNames = steps.map((step) => ({
    kind: step.kind,
    from: pair(step.fromPrimary, step.fromSecondary),
    to: pair(step.toPrimary, step.toSecondary),
    target: nameOf(step.target),
  }));
  const occupied = nodes.map((node) => ({ name: nameOf(node)!, isOffline: loaded.nodes[node]!.isOffline }));
  return instanceJobOf(instance, inNames, occupied, reachable);
}

/** The job of such steps. @param occupied nodes as they are now @param reachable as in workJob */
export const instanceJobOf = (
  instance: Instance,
  steps: readonly WorkStep[],
  occupied: InstanceJob['nodes'],
  reachable: ReadonlySet<string>,
): InstanceJob => ({
  instance: instance.name,
  ...(instance.uuid !== undefined && { uuid: instance.uuid }),
  diskTemplate: instance.diskTemplate,
  isAutoBalanced: instance.isAutoBalanced,
  steps,
  nodes: occupied,
  opcodes: stepOpcodes(instance, steps, reachable),
  copyMib: steps.reduce((sum, { kind }) => sum + WORK[kind as MoveKind].diskCopies * copyMibOf(instance), 0),
});

/** What steps do to an instance as it is now. @param reachable names of nodes that Ganeti can ask */
export const stepOpcodes = (
  instance: Instance,
  steps: readonly WorkStep[],
  reachable: ReadonlySet<string>,
): InstanceJob['opcodes'] =>
  steps.flatMap(({ kind, target, from: [primary] }) =>
    moveOpcodes(instance, kind as MoveKind, target ?? undefined, !reachable.has(primary)),
  );

export const homesOf = (
  job: InstanceJob,
): { readonly from: WorkStep['from']; readonly to: WorkStep['to'] } => ({
  from: job.steps[0]!.from,
  to: job.steps.at(-1)!.to,
});

/** `node1:node2`, or `node1` alone. */
export const homeText = ([primary, secondary]: WorkStep['from']): string =>
  secondary === null ? primary : `${primary}:${secondary}`;

/** The instance, or the nodes, that a job is about. */
export const subjectOf = (job: WorkJob): string => (isNodeJob(job) ? namesOf(job).join(',') : job.instance);
