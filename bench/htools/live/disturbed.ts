/**
 * Executions that are disturbed in the middle. Whatever strikes: no job comes twice, every end but a good one
 * says how to go on, and going on leads where the plan promised.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { EXIT } from '../../../src/kit/exit-status.ts';
import {
  checkArrival,
  checkExecution,
  type Execution,
  eventsIn,
  hasBegun,
  homesIn,
  type PlannedJob,
  type Promised,
  plansIn,
  promise,
} from './carried-out.ts';
import {
  ganeti,
  LUXI,
  nodeName,
  output,
  pathOf,
  run,
  setClock,
  setDaemon,
  setFull,
  snapshot,
  textOf,
} from './cluster.ts';
import { check } from './report.ts';

/** A run that has been started, and what it said. */
interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly status: number | null; readonly said: string }>;
}

function start({ program, args, journal }: Promised): Running {
  const child = spawn(pathOf('ours', program), [LUXI, ...args, '-X', `--journal=${journal}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (piece) => {
    said += piece;
  });
  return { child, ended: new Promise((end) => child.on('close', (status) => end({ status, said }))) };
}

interface Disturbance {
  readonly what: string;
  /** The first event of the journal at which it strikes. */
  readonly at: 'submitting' | 'submitted';
  /** Done while the run sleeps. */
  readonly strike?: (promised: Promised) => void;
  /** Done when it has woken up. */
  readonly awake?: (run: ChildProcess, promised: Promised) => Promise<void> | void;
  /** undefined: it is killed. */
  readonly status?: number;
  readonly says?: RegExp;
  /** Done when it has ended. */
  readonly calm?: () => void;
  /** No job is started before it strikes. */
  readonly isHeld?: true;
  /** How a job that failed is made good. */
  readonly wayOn?: '--retry' | '--skip-failed' | '--way-home';
}

/** The journals are on a disk that the plan fits on, and not much more. */
const SMALL_DISK = '/srv/small';
const FILL = `${SMALL_DISK}/fill`;
const CANDIDATE = 3;
const HOUR = 3600;
const GOES_ON = /--resume=/;

const signalDaemon = (signal: NodeJS.Signals): void => {
  process.kill(
    Number(readFileSync(`/srv/${nodeName(CANDIDATE)}/var/run/ganeti/ganeti-noded.pid`, 'utf8')),
    signal,
  );
};

const masterDaemons = (word: 'start' | 'stop'): void => {
  for (const name of ['wconfd', 'luxid']) ganeti('/usr/lib/ganeti/daemon-util', word, `ganeti-${name}`);
};

/** While it is held no job in the queue is started. */
const holdQueue = (): void => void ganeti('gnt-filter', 'add', '--predicates=[]', '--action=PAUSE');
const releaseQueue = (): void => {
  const ids = ganeti('gnt-filter', 'list', '--no-headers', '-o', 'uuid').trim().split(/\s+/);
  ganeti('gnt-filter', 'delete', ...ids);
};

/** What the journal says of the first job that is in the queue. */
function firstJob(journal: string): { readonly id: number; readonly work: PlannedJob } {
  const { id, set, job } = eventsIn(journal).find(({ event }) => event === 'submitted')!;
  return { id, work: plansIn(journal)[0]!.work.sets[set - 1]![job - 1]! };
}

let deadNode: number | undefined;
let fullNode = '';

/** The node on which a job that is held finds no room, after it has migrated its instance. */
function nodeBehindMigration(journal: string): string {
  const { opcodes } = firstJob(journal).work;
  const [migrated, last] = [opcodes.findIndex(({ OP_ID }) => OP_ID.includes('MIGRATE')), opcodes.at(-1)];
  if (migrated < 0 || last?.remote_node === undefined)
    throw new Error(`no job that copies behind a migration: ${JSON.stringify(opcodes)}`);
  return last.remote_node;
}

async function killWhileCandidateHangs(run: ChildProcess): Promise<void> {
  setTimeout(() => signalDaemon('SIGCONT'), 4500);
  await pause(500);
  run.kill('SIGKILL');
}

const DISTURBANCES: readonly Disturbance[] = [
  // First, for later all that has to be copied is where it stays. Those that set the clock are every other
  // one, for a short check on Debian 13.
  {
    what: 'a node has no room behind a migration',
    at: 'submitted',
    isHeld: true,
    strike: ({ journal }) => {
      fullNode = nodeBehindMigration(journal);
      setFull(fullNode, true);
    },
    status: 1,
    says: /JOB_STATUS_ERROR[\s\S]*, half done[\s\S]*--resume=.*--retry/,
    calm: () => setFull(fullNode, false),
    wayOn: '--retry',
  },
  {
    what: 'killed while a master candidate hangs, and the clock is set a day on',
    at: 'submitting',
    strike: () => signalDaemon('SIGSTOP'),
    awake: async (run) => {
      await killWhileCandidateHangs(run);
      setClock(24 * HOUR);
    },
    calm: () => setClock(0),
  },
  {
    what: 'killed while a master candidate hangs, and resumed at once',
    at: 'submitting',
    strike: () => signalDaemon('SIGSTOP'),
    awake: killWhileCandidateHangs,
  },
  {
    what: 'the clock is set an hour back',
    at: 'submitted',
    strike: () => setClock(-HOUR),
    status: 0,
    calm: () => setClock(0),
  },
  {
    what: 'the queue is drained',
    at: 'submitted',
    strike: () => void ganeti('gnt-cluster', 'queue', 'drain'),
    status: 1,
    says: GOES_ON,
    calm: () => void ganeti('gnt-cluster', 'queue', 'undrain'),
  },
  {
    what: "the master's daemons are away for some seconds, and the clock is set an hour on",
    at: 'submitted',
    strike: () => {
      masterDaemons('stop');
      setClock(HOUR);
    },
    calm: () => setClock(0),
    awake: async () => {
      await pause(3000);
      masterDaemons('start');
    },
    status: 0,
  },
  { what: 'SIGTERM', at: 'submitted', awake: (run) => void run.kill('SIGTERM'), status: 2, says: GOES_ON },
  {
    what: 'the disk under the journal is full',
    at: 'submitted',
    strike: () => void spawnSync('dd', ['if=/dev/zero', `of=${FILL}`, 'bs=1k']),
    status: 1,
    says: GOES_ON,
    calm: () => rmSync(FILL),
  },
  {
    what: 'its job is cancelled by somebody else',
    at: 'submitted',
    isHeld: true,
    strike: ({ journal }) => void ganeti('gnt-job', 'cancel', '-f', `${firstJob(journal).id}`),
    status: 1,
    says: /JOB_STATUS_CANCELED[\s\S]*is still on[\s\S]*--resume=/,
    wayOn: '--retry',
  },
  { what: 'SIGHUP', at: 'submitted', awake: (run) => void run.kill('SIGHUP'), status: 2, says: GOES_ON },
  {
    what: 'its job is cancelled, and the rest is given up',
    at: 'submitted',
    isHeld: true,
    strike: ({ journal }) => void ganeti('gnt-job', 'cancel', '-f', `${firstJob(journal).id}`),
    status: 1,
    says: /--way-home/,
    wayOn: '--way-home',
  },
  {
    what: 'its job is cancelled, and left out',
    at: 'submitted',
    isHeld: true,
    strike: ({ journal }) => void ganeti('gnt-job', 'cancel', '-f', `${firstJob(journal).id}`),
    status: 1,
    says: /--skip-failed/,
    wayOn: '--skip-failed',
  },
  {
    what: 'a node dies between submission and start',
    at: 'submitted',
    isHeld: true,
    strike: ({ journal }) => {
      const names = firstJob(journal).work.nodes.map(({ name }) => name);
      deadNode = Number(/\d+/.exec(names.findLast((name) => name !== nodeName(1))!)![0]);
      setDaemon(deadNode, 'noded', false);
    },
    status: 1,
    says: /JOB_STATUS_ERROR[\s\S]*--resume=/,
    calm: () => setDaemon(deadNode!, 'noded', true),
    wayOn: '--retry',
  },
];

/** All but the instance whose job was cancelled is where it was promised; a new plan does the rest. */
async function checkSkipped(promised: Promised): Promise<void> {
  const { name, program, args, before, end, journal } = promised;
  const { instance } = firstJob(journal).work;
  const lineIn = (homes: string): string | undefined =>
    homes.split('\n').find((line) => line.startsWith(`${instance} `));
  const [was, wanted] = [homesIn(before), homesIn(end)];
  const expected = wanted.replace(lineIn(wanted)!, lineIn(was)!);
  const reached = homesIn(textOf(await snapshot(`${name}-skipped`)));
  check(
    `${name}: all but ${instance} is where it was promised`,
    reached === expected && expected !== wanted ? undefined : `${reached}\n-- not\n${expected}`,
  );
  await output(program, LUXI, ...args, '-X');
}

/** One disturbance of one execution, to the good end of it. */
async function checkDisturbance(execution: Execution, disturbance: Disturbance): Promise<void> {
  const { what, at, strike, awake, status: wanted = null, says = /^/, calm, isHeld, wayOn } = disturbance;
  const made = await promise(execution);
  const promised = { ...made, journal: `${SMALL_DISK}/${made.name}` };
  if (isHeld) holdQueue();
  const { child, ended } = start(promised);
  while (child.exitCode === null && !hasBegun(promised.journal, at)) await pause(5);
  child.kill('SIGSTOP');
  try {
    strike?.(promised);
  } finally {
    child.kill('SIGCONT');
    if (isHeld) releaseQueue();
  }
  await awake?.(child, promised);
  const { status, said } = await ended;
  const isRight = status === wanted && says.test(said);
  check(`${made.name}: ${what}`, isRight ? undefined : `exit status ${status}\n${said}`);
  calm?.();
  const way = wayOn === undefined ? [] : [wayOn];
  if (status !== 0) {
    const next = await run('ours', made.program, [LUXI, `--resume=${promised.journal}`, ...way]);
    // What is left out is told by the status, too.
    if (next.status !== (wayOn === '--skip-failed' ? EXIT.left : EXIT.done))
      throw new Error(`--resume ${wayOn ?? ''}: exit status ${next.status}\n${next.stdout}${next.stderr}`);
  }
  if (wayOn === '--skip-failed') return checkSkipped(promised);
  if (wayOn !== '--way-home') return checkArrival(promised, way.length);
  const home = textOf(await snapshot(`${made.name}-home`));
  check(`${made.name}: and all is where it was`, home === made.before ? undefined : home);
}

/** Two runs set out at the same moment: the second plans on what the first has left, and that is nothing. */
async function checkTwoAtOnce(execution: Execution): Promise<void> {
  const promised = await promise(execution);
  const runs = ['first', 'second'].map((name) => ({ ...promised, journal: `${SMALL_DISK}/${name}` }));
  const ends = await Promise.all(runs.map((one) => start(one).ended));
  check(
    `${promised.name}: two at once both end well`,
    ends.every(({ status }) => status === 0)
      ? undefined
      : ends.map(({ status, said }) => `${status} ${said}`).join('--\n'),
  );
  await checkArrival(runs.find(({ journal }) => hasBegun(journal, 'submitting'))!);
}

/**
 * All of them, or every second one from the given, in turns on plans that undo each other's work; the second
 * of these is carried out last.
 */
export async function checkDisturbances(
  executions: readonly Execution[],
  everySecondFrom?: 0 | 1,
): Promise<void> {
  mkdirSync(SMALL_DISK, { recursive: true });
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'small', SMALL_DISK]);
  let turn = 0;
  const next = (): Execution => executions[turn++ % executions.length]!;
  for (const [index, disturbance] of DISTURBANCES.entries()) {
    if (everySecondFrom !== undefined && index % 2 !== everySecondFrom) continue;
    await checkDisturbance(next(), disturbance);
    if (disturbance.wayOn === '--way-home') turn--;
  }
  await checkTwoAtOnce(next());
  await checkExecution(next());
}
