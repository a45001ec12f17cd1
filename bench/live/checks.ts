/**
 * The checks of `npm run live`, inside the cluster's namespaces: what three sources say of one cluster, a plan carried out, and one that is
 * carried out over a SIGKILL. Every check prints a line; the exit status is 1 when one fails.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const { LIVE_SOCKET: socket, LIVE_RAPI: rapi } = process.env;
if (socket === undefined || rapi === undefined) throw new Error('start this with npm run live');
const isShort = process.argv.includes('--short');
const BIN = fileURLToPath(new URL('../../bin/', import.meta.url));
const LUXI = `-L${socket}`;
/** In the namespace's own file system. */
const SCRATCH = '/srv/checks';
mkdirSync(SCRATCH);

let failures = 0;
function check(what: string, problem: string | undefined): void {
  console.log(`live: ${what}: ${problem === undefined ? 'fine' : `FAILED\n${problem}`}`);
  if (problem !== undefined) failures++;
}

/** Standard output of a program that has to succeed. */
function output(program: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(BIN + program, args, { encoding: 'utf8' });
  if (status !== 0)
    throw new Error(`${program} ${args.join(' ')}: exit status ${status}\n${stdout}${stderr}`);
  return stdout;
}

/** The cluster now, as hscan writes it. @returns the file */
function snapshot(name: string): string {
  const folder = `${SCRATCH}/${name}`;
  mkdirSync(folder);
  output('hscan', LUXI, '-d', folder);
  return `${folder}/LOCAL.data`;
}

/** Each instance of a snapshot with its nodes: what a plan promises. */
const INSTANCE_COLUMNS = 8;
const homes = (file: string): string =>
  readFileSync(file, 'utf8')
    .split('\n\n')[2]!
    .split('\n')
    .map((line) => line.split('|'))
    .filter((cells) => cells.length > INSTANCE_COLUMNS)
    .map((cells) => `${cells[0]} ${cells[6]} ${cells[7]}`)
    .sort()
    .join('\n');

function checkSources(): void {
  const folder = `${SCRATCH}/rapi`;
  mkdirSync(folder);
  const overLuxi = readFileSync(snapshot('luxi'), 'utf8');
  output('hscan', '-d', folder, rapi!);
  const overRapi = readFileSync(`${folder}/${rapi}.data`, 'utf8');
  check(
    'hscan writes the same over -L and -m',
    overLuxi === overRapi ? undefined : `${overLuxi}\n--\n${overRapi}`,
  );
  const text = `-t${SCRATCH}/luxi/LOCAL.data`;
  for (const [program, ...args] of [
    ['hinfo', '-p'],
    ['hbal', '-p', '-C'],
    ['hbal', '-l', '2', '-v'],
  ] as const) {
    const [a, b, c] = [LUXI, `-m${rapi}`, text].map((source) => output(program, source, ...args));
    const problem = a === b && b === c ? undefined : `-L:\n${a}\n-m:\n${b}\n-t:\n${c}`;
    check(`${program} ${args.join(' ')} says the same over -L, -m and -t`, problem);
  }
}

/** Ids and summaries of the jobs that move instances, as the master's queue has them. */
const moveJobs = (): readonly string[] =>
  execFileSync('gnt-job', ['list', '--no-headers', '--separator=|', '-o', 'id,status,summary'], {
    encoding: 'utf8',
    env: { ...process.env, GANETI_ROOTDIR: '/srv/node1.example.com', GANETI_HOSTNAME: 'node1.example.com' },
  })
    .split('\n')
    .filter((line) => /INSTANCE_(MIGRATE|FAILOVER|REPLACE)/.test(line));

/** Where the plan for the cluster as it is now leads. */
function promise(name: string, ...args: readonly string[]): string {
  const prefix = `${SCRATCH}/${name}`;
  output('hbal', `-t${snapshot(`${name}-before`)}`, '-S', prefix, ...args);
  return homes(`${prefix}.balanced`);
}

/** The jobs of the plan that a journal holds. */
function plannedJobs(journal: string): number {
  const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
  const plan = lines.map((line) => JSON.parse(line)).find((line) => line.event === 'plan');
  return plan.work.sets.flat().length;
}

function checkArrival(name: string, promised: string, journal: string, jobsBefore: number): void {
  const reached = homes(snapshot(`${name}-after`));
  const same = reached === promised;
  check(
    `${name}: the new snapshot is what was promised`,
    same ? undefined : `${reached}\n-- not\n${promised}`,
  );
  const jobs = moveJobs().slice(jobsBefore);
  const planned = plannedJobs(journal);
  const isRight = planned > 0 && jobs.length === planned && jobs.every((line) => line.includes('|success|'));
  const problem = isRight ? undefined : `planned: ${planned}\n${jobs.join('\n')}`;
  check(`${name}: ${jobs.length} jobs in the queue, as planned`, problem);
}

function checkExecution(): void {
  const jobsBefore = moveJobs().length;
  const journal = `${SCRATCH}/carried-out.journal`;
  const promised = promise('carried-out', '-l', '2');
  output('hbal', LUXI, '-l', '2', '-X', '--journal', journal);
  checkArrival('carried-out', promised, journal, jobsBefore);
}

/** Runs an execution until its journal has so many submitted jobs, and kills it. @returns whether it still ran */
async function runUntil(submitted: number, journal: string, args: readonly string[]): Promise<boolean> {
  const child = spawn(`${BIN}hbal`, [LUXI, '--parallel', '1', ...args], { stdio: 'ignore' });
  const ended = new Promise<string | null>((resolve) => child.on('close', (_, signal) => resolve(signal)));
  const seen = (): number =>
    existsSync(journal) ? readFileSync(journal, 'utf8').split('"submitted"').length - 1 : 0;
  while (child.exitCode === null && seen() < submitted) await pause(20);
  child.kill('SIGKILL');
  return (await ended) === 'SIGKILL';
}

/** Kills an execution when its first job is in the queue and others are not; later kills strike the runs that take it up. */
async function checkResumption(kills: number): Promise<void> {
  const jobsBefore = moveJobs().length;
  const journal = `${SCRATCH}/killed.journal`;
  const promised = promise('killed');
  for (let n = 1; n <= kills; n++) {
    const struck = await runUntil(n, journal, n === 1 ? ['-X', '--journal', journal] : ['--resume', journal]);
    check(`killed: SIGKILL ${n} of ${kills} struck a run`, struck ? undefined : 'it had ended before');
  }
  output('hbal', LUXI, '--resume', journal);
  checkArrival('killed', promised, journal, jobsBefore);
}

checkSources();
checkExecution();
await checkResumption(isShort ? 1 : 3);
console.log(failures === 0 ? 'live: all fine' : `live: ${failures} FAILED`);
process.exit(failures === 0 ? 0 : 1);
