/** The master's job queue and its archive, as they lie on its disk. */
import { readdirSync, readFileSync } from 'node:fs';
import { nodeName } from './cluster.ts';

const QUEUE = `/srv/${nodeName(1)}/var/lib/ganeti/queue`;
const MOVES = /INSTANCE_(MIGRATE|FAILOVER|REPLACE)/;
/** Who writes the mark of a job into its reason trail. */
const MARK_SOURCE = 'evenkeel';

interface Opcode {
  readonly input: {
    readonly OP_ID: string;
    readonly instance_name?: string;
    readonly reason?: readonly (readonly [source: string, text: string, time: number])[];
  };
  readonly status: string;
}

export interface QueuedJob {
  readonly id: number;
  readonly status: string;
  readonly does: string;
  /** Of which instance; undefined = of none. */
  readonly instance: string | undefined;
  readonly isMove: boolean;
  readonly reasons: readonly string[];
  /** By which an execution finds its job again; undefined = it is none of ours. */
  readonly mark: string | undefined;
  /** In ms since 1970, by the clock on the wall; 0 = not yet. */
  readonly startedMs: number;
}

function jobOf(file: string): QueuedJob {
  const { id, ops, start_timestamp } = JSON.parse(readFileSync(file, 'utf8')) as {
    id: number;
    ops: readonly Opcode[];
    start_timestamp: readonly [number, number] | null;
  };
  const reasons = ops.flatMap(({ input }) => input.reason ?? []);
  const does = ops.map(({ input }) => input.OP_ID.replace('OP_', '')).join();
  return {
    id,
    status: ops.find(({ status }) => status !== 'success')?.status ?? 'success',
    does,
    instance: ops.find(({ input }) => input.instance_name)?.input.instance_name,
    isMove: MOVES.test(does),
    reasons: reasons.map(([source]) => source),
    mark: reasons.find(([source]) => source === MARK_SOURCE)?.[1],
    startedMs: (start_timestamp?.[0] ?? 0) * 1000,
  };
}

/** All jobs that there ever were, oldest first. */
export const allJobs = (): readonly QueuedJob[] =>
  readdirSync(QUEUE, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(^|\/)job-\d+$/.test(name))
    .map((name) => jobOf(`${QUEUE}/${name}`))
    .sort((a, b) => a.id - b.id);

export const lastJob = (): number => allJobs().at(-1)?.id ?? 0;

/** Jobs that move instances and have come behind another. */
export const movesSince = (job: number): readonly QueuedJob[] =>
  allJobs().filter(({ id, isMove }) => id > job && isMove);

export const jobText = ({ id, status, does, instance }: QueuedJob): string =>
  `${id} ${status} ${does} ${instance}`;
