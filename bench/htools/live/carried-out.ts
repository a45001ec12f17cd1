/**
 * Plans carried out on the cluster: it becomes what was promised to the last byte of a snapshot, by as many
 * jobs as were planned.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { ganeti, LUXI, output, pathOf, SCRATCH, snapshot, textOf } from './cluster.ts';
import { jobText, lastJob, movesSince } from './queue.ts';
import { check } from './report.ts';

/** A program, what its saved end state is called (empty: all will be as it was), and its arguments. */
export type Execution = readonly [program: string, suffix: string, ...args: string[]];

let count = 0;

export interface Promised {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly journal: string;
  /** The snapshot that the plan sets out from, and the one that it leads to. */
  readonly before: string;
  readonly end: string;
  /** The last job ahead of it. */
  readonly jobBefore: number;
}

/** Plans on a snapshot of the cluster as it is now. */
export async function promise([program, suffix, ...args]: Execution): Promise<Promised> {
  const name = `${program}-${++count}`;
  const saved = `${SCRATCH}/${name}`;
  const file = await snapshot(`${name}-before`);
  const before = textOf(file);
  if (suffix !== '') await output(program, `-t${file}`, '-S', saved, ...args);
  const end = suffix === '' ? before : textOf(`${saved}.${suffix}`);
  if (suffix !== '' && end === before)
    throw new Error(`${program} ${args.join(' ')} plans nothing on this cluster`);
  return { name, program, args, journal: `${saved}.journal`, before, end, jobBefore: lastJob() };
}

export interface PlannedJob {
  /** Undefined when it is about nodes. */
  readonly instance?: string;
  readonly diskTemplate?: string;
  readonly nodes: readonly { readonly name: string }[];
  readonly opcodes: readonly { readonly OP_ID: string; readonly remote_node?: string }[];
}
interface JournalEvent {
  readonly event: string;
  readonly run: string;
  readonly work: { readonly sets: readonly (readonly PlannedJob[])[] };
  readonly id: number;
  readonly set: number;
  readonly job: number;
}

/** What a journal holds; nothing when there is none. */
export const eventsIn = (journal: string): readonly JournalEvent[] =>
  existsSync(journal)
    ? textOf(journal)
        .split('\n')
        .filter((line) => line.length > 0)
        .map((line) => JSON.parse(line))
    : [];

/** The plans of a journal: the first, and those of the ways on from it. */
export const plansIn = (journal: string): readonly JournalEvent[] =>
  eventsIn(journal).filter(({ event }) => event === 'plan');

/** Whether a journal is there and has such an event. */
export const hasBegun = (journal: string, wanted: string): boolean =>
  eventsIn(journal).some(({ event }) => event === wanted);

/**
 * The cluster is as was promised, by as many jobs as were planned, none of them twice.
 * @param failed jobs that have failed on the way
 * @param plan which one of the journal's
 */
export async function checkArrival(
  { name, journal, end, jobBefore }: Omit<Promised, 'before'>,
  failed = 0,
  plan = 0,
): Promise<void> {
  const reached = textOf(await snapshot(`${name}-after`));
  check(
    `${name}: the new snapshot is what was promised, byte for byte`,
    reached === end ? undefined : `${reached}-- not\n${end}`,
  );
  const planned = plansIn(journal)
    [plan]!.work.sets.flat()
    .filter(({ instance }) => instance !== undefined).length;
  const jobs = movesSince(jobBefore);
  const done = jobs.filter(({ status }) => status === 'success').length;
  const marks = new Set(jobs.map(({ mark }) => mark));
  const isRight =
    planned > 0 && done === planned && jobs.length === planned + failed && marks.size === jobs.length;
  check(
    `${name}: ${jobs.length} jobs in queue and archive, as planned, none of them twice${failed > 0 ? `, ${failed} failed` : ''}`,
    isRight ? undefined : `planned: ${planned}\n${jobs.map(jobText).join('\n')}`,
  );
}

/** Carries a plan out in one go. */
export async function checkExecution(execution: Execution): Promise<void> {
  const promised = await promise(execution);
  const { program, args, journal } = promised;
  await output(program, LUXI, ...args, '-X', '--journal', journal);
  await checkArrival(promised);
}

const INSTANCE_SECTION = 2;
const INSTANCE_COLUMNS = 8;

/** Each instance of a snapshot with its nodes. */
export const homesIn = (snapshotText: string): string =>
  snapshotText
    .split('\n\n')
    [INSTANCE_SECTION]!.split('\n')
    .map((line) => line.split('|'))
    .filter((cells) => cells.length > INSTANCE_COLUMNS)
    .map((cells) => `${cells[0]} ${cells[6]} ${cells[7]}`)
    .join('\n');

/**
 * Carries a plan out while nodes are dead: what it promises when it sets out. What is free on dead nodes, and
 * which instances run again, no plan can promise; their homes it can.
 */
export async function checkRescue([program, suffix, ...args]: Execution): Promise<void> {
  const name = `${program}-${++count}`;
  const saved = `${SCRATCH}/${name}`;
  const before = textOf(await snapshot(`${name}-before`));
  await output(program, LUXI, ...args, '-X', '-S', saved);
  const [reached, promised] = [await snapshot(`${name}-after`), `${saved}.${suffix}`].map((file) =>
    homesIn(textOf(file)),
  );
  const isRight = reached === promised && reached !== homesIn(before);
  check(
    `${name}: with a dead and a drained node, all instances are where they were promised to be`,
    isRight ? undefined : `${reached}\n-- not\n${promised}`,
  );
}

/** An instance is moved by somebody else while the first job set runs: its own set is not submitted. */
export async function checkChange(execution: Execution): Promise<void> {
  const { name, program, args, journal, jobBefore } = await promise(execution);
  const child = spawn(pathOf('ours', program), [LUXI, ...args, '-X', '--journal', journal], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (piece) => {
    stderr += piece;
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  while (child.exitCode === null && !hasBegun(journal, 'submitting')) await pause(20);
  // It sleeps meanwhile, so that it cannot have submitted the next set before.
  child.kill('SIGSTOP');
  const { sets } = plansIn(journal)[0]!.work;
  const set = sets.findIndex(
    (jobs, at) => at > 0 && jobs.some(({ diskTemplate }) => diskTemplate === 'drbd'),
  );
  const victim = sets[set]?.find(({ diskTemplate }) => diskTemplate === 'drbd')?.instance;
  if (victim === undefined) {
    child.kill('SIGKILL');
    throw new Error(`${program} plans no second job set with a mirrored instance on this cluster`);
  }
  ganeti('gnt-instance', 'migrate', '-f', victim);
  child.kill('SIGCONT');
  const status = await ended;
  const jobs = movesSince(jobBefore);
  const submitted = sets.slice(0, set).flat().length;
  const isRight =
    status === 4 &&
    stderr.includes(`instance ${victim} is on`) &&
    stderr.includes(`job set ${set + 1} was not submitted`) &&
    // The one more is the move behind the plan's back.
    jobs.length === submitted + 1;
  check(
    `${name}: ${victim} was moved behind the plan's back, job set ${set + 1} not submitted, exit status 4`,
    isRight ? undefined : `exit status ${status}\n${stderr}\n${jobs.map(jobText).join('\n')}`,
  );
}
