/** Unfinished jobs in the queue, whosever they are, and which nodes they are about. Pure. */
import * as z from 'zod/mini';
import { BackendError } from '../../../kit/faults.ts';
import { printable } from '../../../kit/printable.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { isFinal, type JobStatus } from './job-status.ts';

/** A job in the queue that is not ours. */
export interface OtherJob {
  readonly id: number;
  /** Its first opcode, without the prefix: `INSTANCE_REBOOT`. */
  readonly does: string;
  /** Instance or node by which it meets our jobs; or what it brings to a node that an allocator chooses. */
  readonly on: string;
}

export const OTHERS_FIELDS = ['id', 'status', 'ops'];

const ANSWER = z.array(z.tuple([z.int(), z.nullable(z.string()), z.unknown()]));
const OPCODES = z.array(z.record(z.string(), z.unknown()));

/** Members of an opcode that are words of people. */
const WORDS: ReadonlySet<string> = new Set(['OP_ID', 'comment', 'reason']);

const textsOf = (opcode: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(opcode).flatMap(([key, value]) =>
    WORDS.has(key) ? [] : [value].flat().filter((one) => typeof one === 'string'),
  );

/** Names may be cut at a dot, as people write them. */
const isCalled = (name: string, texts: readonly string[]): boolean =>
  texts.some((text) => text === name || (text !== '' && name.startsWith(`${text}.`)));

export interface OpenJob {
  readonly id: number;
  readonly does: string;
  readonly texts: readonly string[];
  /** What an allocator may bring to any node; a new instance is seen once its disks are made. */
  readonly arrives: string | undefined;
}

/** Opcodes that leave nodes to an allocator where they name none; others say which allocator. */
const ALLOCATING =
  /^OP_(INSTANCE_CREATE|INSTANCE_MULTI_ALLOC|INSTANCE_CHANGE_GROUP|NODE_EVACUATE|GROUP_EVACUATE)$/;
const NAMED_TARGETS = ['pnode', 'remote_node', 'target_node'];

function arrivalIn(opcode: Readonly<Record<string, unknown>>): string | undefined {
  const { OP_ID, iallocator, instance_name, node_name } = opcode;
  if (typeof iallocator !== 'string' && !ALLOCATING.test(String(OP_ID))) return undefined;
  if (NAMED_TARGETS.some((member) => typeof opcode[member] === 'string')) return undefined;
  const name = [instance_name, node_name].find((one) => typeof one === 'string');
  return printable(name ?? 'several instances');
}

/**
 * Jobs that have not ended, and the id of the newest of all, 0 for none: later ones have greater ids.
 * @param result of QueryJobs about all, with OTHERS_FIELDS @throws BackendError when it is none
 */
export function readQueue(result: unknown) {
  const queue = z.safeParse(ANSWER, result);
  if (!queue.success) throw new BackendError('the master lists its jobs in an unknown form');
  const open = queue.data.flatMap(([id, status, ops]): readonly OpenJob[] => {
    if (status === null || isFinal(status as JobStatus)) return [];
    const opcodes = z.safeParse(OPCODES, ops);
    if (!opcodes.success) return [];
    const does = printable(String(opcodes.data[0]?.OP_ID ?? '').replace(/^OP_/, ''));
    const [arrives] = opcodes.data.flatMap((opcode) => arrivalIn(opcode) ?? []);
    return [{ id, does, texts: opcodes.data.flatMap(textsOf), arrives }];
  });
  return { newest: queue.data.reduce((newest, [id]) => Math.max(newest, id), 0), open };
}

export const jobAbout = (names: readonly string[], jobs: readonly OpenJob[]): OtherJob | undefined =>
  jobs.flatMap(({ id, does, texts }): readonly OtherJob[] => {
    const on = names.find((name) => isCalled(name, texts));
    return on === undefined ? [] : [{ id, does, on }];
  })[0];

/**
 * Others' jobs that name one of the nodes, or an instance with a disk there.
 * @param own ids of our own jobs
 * @param mayArrive whether jobs count for which an allocator may choose one of the nodes
 */
export const othersJobs = (
  jobs: readonly OpenJob[],
  own: ReadonlySet<number>,
  { nodes, instances }: Snapshot,
  busy: ReadonlySet<string>,
  mayArrive: boolean,
): readonly OtherJob[] =>
  jobs.flatMap(({ id, does, texts, arrives }): readonly OtherJob[] => {
    if (own.has(id)) return [];
    const isBusy = (position: number): boolean => busy.has(nodes[position]?.name ?? '');
    const on =
      nodes.find(({ name }, n) => isBusy(n) && isCalled(name, texts)) ??
      instances.find(
        ({ name, primary, secondary }) => (isBusy(primary) || isBusy(secondary)) && isCalled(name, texts),
      );
    const name = on?.name ?? (mayArrive ? arrives : undefined);
    return name === undefined ? [] : [{ id, does, on: name }];
  });
