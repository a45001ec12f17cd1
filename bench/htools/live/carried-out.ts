/**
 * Plans carried out on the cluster: it becomes what was promised to the last byte of a snapshot, by as many
 * jobs as were planned.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../generate/random.ts';
import { ganeti, LUXI, moveJobs, output, pathOf, SCRATCH, snapshot, textOf } from './cluster.ts';
import { check } from './report.ts';

/** A program, what its saved end state is called, and its arguments. */
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
  readonly jobsBefore: number;
}

/** Plans on a snapshot of the cluster as it is now. */
export async function promise([program, suffix, ...args]: Execution): Promise<Promised> {
  const name = `${program}-${++count}`;
  const saved = `${SCRATCH}/${name}`;
  const file = await snapshot(`${name}-before`);
  await output(program, `-t${file}`, '-S', saved, ...args);
  const [before, end] = [textOf(file), textOf(`${saved}.${suffix}`)];
  if (end === before) throw new Error(`${program} ${args.join(' ')} plans nothing on this cluster`);
  return { name, program, args, journal: `${saved}.journal`, before, end, jobsBefore: moveJobs().length };
}

/** The jobs of the plan that a journal holds. */
function plannedJobs(journal: string): number {
  const lines = textOf(journal).trimEnd().split('\n');
  const plan = lines.map((line) => JSON.parse(line)).find((line) => line.event === 'plan');
  return plan.work.sets.flat().length;
}

const jobText = ({ status, summary }: { readonly status: string; readonly summary: string }): string =>
  `${status} ${summary}`;

/** Whether a journal is there and has such an event. */
export const hasBegun = (journal: string, event: string): boolean =>
  existsSync(journal) && textOf(journal).includes(`"event":"${event}"`);

/** @param failed jobs that have failed on the way */
export async function checkArrival({ name, journal, end, jobsBefore }: Promised, failed = 0): Promise<void> {
  const reached = textOf(await snapshot(`${name}-after`));
  check(
    `${name}: the new snapshot is what was promised, byte for byte`,
    reached === end ? undefined : `${reached}-- not\n${end}`,
  );
  const jobs = moveJobs().slice(jobsBefore);
  const planned = plannedJobs(journal);
  const done = jobs.filter(({ status }) => status === 'success').length;
  const isRight = planned > 0 && done === planned && jobs.length === planned + failed;
  check(
    `${name}: ${jobs.length} jobs in the queue, as planned${failed > 0 ? `, of which ${failed} failed` : ''}`,
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
const homesIn = (snapshotText: string): string =>
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

/** Runs a program, and kills it when it has not ended by then. @returns whether it was killed */
function strike(program: string, args: readonly string[], afterMs: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(pathOf('ours', program), args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (piece) => {
      stderr += piece;
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
    child.on('close', (status, signal) => {
      clearTimeout(timer);
      if (signal === 'SIGKILL' || status === 0) resolve(signal === 'SIGKILL');
      else reject(new Error(`${program} ${args.join(' ')}: exit status ${status}\n${stderr}`));
    });
  });
}

/** Most kills come while a run looks around and submits, some while its jobs run. */
const SOON_MS = 2_500;
const LATE_MS = 12_000;
const SOON_SHARE = 0.6;

/**
 * Carries a plan out in runs that are killed at random moments, and resumed, with no more than so many kills.
 * @returns how many kills struck a run that had not ended
 */
export async function checkKills(execution: Execution, random: Random, kills: number): Promise<number> {
  const promised = await promise(execution);
  const { name, program, args, journal } = promised;
  const next = (): readonly string[] =>
    hasBegun(journal, 'plan')
      ? [LUXI, '--parallel=1', `--resume=${journal}`]
      : [LUXI, '--parallel=1', ...args, '-X', `--journal=${journal}`];
  let struck = 0;
  while (struck < kills) {
    const within = random.chance(SOON_SHARE) ? SOON_MS : LATE_MS;
    if (!(await strike(program, next(), random.below(within)))) break;
    // A kill before the plan was written down strikes no execution.
    if (hasBegun(journal, 'plan')) struck++;
  }
  await output(program, ...next());
  console.log(`live: ${name}: ${struck} kills`);
  await checkArrival(promised);
  return struck;
}

/** An instance is moved by somebody else while the first job set runs: its own set is not submitted. */
export async function checkChange(execution: Execution): Promise<void> {
  const { name, program, args, journal, jobsBefore } = await promise(execution);
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
  const { work } = JSON.parse(textOf(journal).split('\n')[0]!);
  const sets: readonly (readonly { instance: string; diskTemplate: string }[])[] = work.sets;
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
  const jobs = moveJobs().slice(jobsBefore);
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
