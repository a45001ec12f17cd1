/** What is to be done to a cluster, in names: a journal can keep it, and a later run take it up again. */
import { reachableNodes } from '../../cluster/instance-status.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { moveCost } from '../../plan/cost.ts';
import { moveOpcodes } from '../../plan/move-opcodes.ts';
import type { Opcode } from '../../plan/opcodes.ts';
import type { PlanLimits, PlanStep } from '../../plan/plan.ts';

/** One step; `null` = no node. */
export interface WorkStep {
  readonly kind: number;
  readonly from: readonly [primary: string, secondary: string | null];
  readonly to: readonly [primary: string, secondary: string | null];
  readonly target: string | null;
}

/** A node as the plan found it. */
interface WorkNode {
  readonly name: string;
  readonly isOffline: boolean;
}

/** One job: all steps of one instance that belong together. */
export interface InstanceJob {
  readonly instance: string;
  readonly diskTemplate: string;
  readonly isAutoBalanced: boolean;
  readonly steps: readonly WorkStep[];
  /** All nodes that it occupies. */
  readonly nodes: readonly WorkNode[];
  readonly opcodes: readonly Opcode[];
  /** Disk data that it copies. */
  readonly copyMib: number;
}

/** What a job does to nodes: give them tags, take or give them power, or start them anew. */
export type NodeAction = 'tag' | 'power-off' | 'power-on' | 'reboot';

/** One job about nodes. */
export interface NodeJob {
  readonly action: NodeAction;
  /** All nodes that it is about; one for a reboot. */
  readonly nodes: readonly WorkNode[];
  /** Instances that may be on the nodes, before they go down. */
  readonly mayHold: readonly string[];
  /** Empty for a reboot by a command. */
  readonly opcodes: readonly Opcode[];
  /** Program that starts the node anew, called with the node's name, in place of a job in the queue. */
  readonly command?: string | undefined;
  readonly copyMib: number;
}

export type WorkJob = InstanceJob | NodeJob;

export const isNodeJob = (job: WorkJob): job is NodeJob => 'action' in job;

/** Jobs that share no node. */
export type WorkSet = readonly WorkJob[];

/** What the command line said about nodes, which the state read later has to be seen with, too. */
interface WorkNodeOptions {
  readonly offline: readonly string[];
  readonly maxCpuRatio?: number | undefined;
  readonly minDiskRatio: number;
}

/** Room of a node that a ledger has promised to somebody: used for the plan, free for the cluster. */
interface PromisedRoom {
  readonly node: string;
  readonly memMib: number;
  readonly diskMib: number;
  readonly cpus: number;
}

export interface Work {
  readonly sets: readonly WorkSet[];
  /** Sets, from 0, that begin something not to be left half done: the stop file is looked for ahead. */
  readonly roundStarts?: readonly number[] | undefined;
  /** The limits that hold for single moves. */
  readonly limits: Pick<PlanLimits, 'ignoreSoftErrors' | 'diskMoves'>;
  readonly nodeOptions: WorkNodeOptions;
  /** Nodes with such room. */
  readonly promised?: readonly PromisedRoom[] | undefined;
}

/** @param loaded the cluster as it was read @param start the same with less room, as the plan saw it */
export const promisedRoom = (loaded: Snapshot, start: Snapshot): readonly PromisedRoom[] =>
  start.nodes.flatMap((node, n): readonly PromisedRoom[] => {
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

/** Steps of one instance that make one job, and the nodes that they occupy, as positions. */
export interface JobSteps {
  readonly steps: readonly PlanStep[];
  readonly nodes: readonly number[];
}

/** @param start the cluster as the plan saw it @param loaded as read, without the say about nodes */
export function workJob(start: Snapshot, loaded: Snapshot, { steps, nodes }: JobSteps): InstanceJob {
  const instance = start.instances[steps[0]!.instance]!;
  const nameOf = (node: number): string | null => start.nodes[node]?.name ?? null;
  const isReachable = reachableNodes(start);
  const pair = (primary: number, secondary: number) => [nameOf(primary)!, nameOf(secondary)] as const;
  return {
    instance: instance.name,
    diskTemplate: instance.diskTemplate,
    isAutoBalanced: instance.isAutoBalanced,
    steps: steps.map((step) => ({
      kind: step.kind,
      from: pair(step.fromPrimary, step.fromSecondary),
      to: pair(step.toPrimary, step.toSecondary),
      target: nameOf(step.target),
    })),
    nodes: nodes.map((node) => ({ name: nameOf(node)!, isOffline: loaded.nodes[node]!.isOffline })),
    opcodes: steps.flatMap(({ kind, target, fromPrimary }) =>
      moveOpcodes(instance, kind, nameOf(target) ?? undefined, !isReachable[fromPrimary]),
    ),
    copyMib: steps.reduce((sum, step) => sum + moveCost({ start }, step).copiedMib, 0),
  };
}

/** Where the instance is before the job, and where it is afterwards. */
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
export const subjectOf = (job: WorkJob): string =>
  isNodeJob(job) ? job.nodes.map(({ name }) => name).join(',') : job.instance;
