/**
 * Executions that are killed at random moments and resumed, there and back: every plan that has come to its
 * end is undone by `--way-home`, so that each program finds the same cluster again.
 */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import type { Random } from '../../generate/random.ts';
import {
  checkArrival,
  type Execution,
  eventsIn,
  type PlannedJob,
  type Promised,
  plansIn,
  promise,
} from './carried-out.ts';
import { addInstance, ganeti, LUXI, nodeName, pathOf, textOf } from './cluster.ts';
import { rebootCommand } from './maintenance.ts';
import { lastJob } from './queue.ts';
import { check } from './report.ts';

/** Time since a run was started, or since it began to send jobs. */
interface Moment {
  readonly isSending: boolean;
  readonly ms: number;
}

/** The last moments: while a run looks around; while jobs run; while it sends them, which is the worst. */
const MOMENTS: readonly Moment[] = [
  { isSending: false, ms: 2_500 },
  { isSending: false, ms: 12_000 },
  { isSending: true, ms: 150 },
];
const KILLS_EACH = 8;
const ARCHIVE_SHARE = 0.2;
/** So long a run looks for jobs that were on their way; here it is seen much sooner whether they arrive. */
const LOST_SECONDS = 310;
const LOST_MS = 8_000;

/** How much later it is for the next run, by the time since the machine was started. */
let passed = 0;

const REBOOTS = rebootCommand('reboot-kills');
export const MAINTAIN: Execution = [
  'hroller',
  '',
  ...'--plan -G default --ignore-non-redundant'.split(' '),
  `--reboot-command=${REBOOTS.command}`,
];
/** A reboot that a killed run has not begun is waited for all the same. */
const PATIENCE = { hroller: ['--reboot-timeout=30'] } as Readonly<Record<string, readonly string[]>>;

/** One way of an execution: to where its plan leads, or back. */
interface Leg extends Promised {
  readonly words: readonly string[];
  /** Which plan of the journal it is, from 0. */
  readonly plan: number;
}

const sendingsIn = (journal: string): number =>
  eventsIn(journal).filter(({ event }) => event === 'submitting').length;

const isBegun = ({ journal, plan }: Leg): boolean => plansIn(journal).length > plan;

/**
 * One run of a leg, killed at the moment unless it has ended by then.
 * @param way how to go on; undefined = as after a kill
 */
function strike(
  leg: Leg,
  way: string | undefined,
  moment: Moment | undefined,
): Promise<'killed' | 'lost' | 'late' | 'done'> {
  const { program, words, journal } = leg;
  const rest = isBegun(leg) ? [LUXI, `--resume=${journal}`, ...(way ? [way] : [])] : words;
  const all = [...rest, ...(PATIENCE[program] ?? [])];
  const command = ['--time', `--boottime=${passed}`, pathOf('ours', program), ...all];
  const child = spawn('unshare', command, { stdio: ['ignore', 'ignore', 'pipe'] });
  const killAfter = (ms: number) => setTimeout(() => child.kill('SIGKILL'), ms);
  let timer = moment?.isSending === false ? killAfter(moment.ms) : undefined;
  const sent = sendingsIn(journal);
  const look = setInterval(() => {
    if (moment?.isSending && timer === undefined && sendingsIn(journal) > sent) timer = killAfter(moment.ms);
  }, 5);
  let [stderr, isLost] = ['', false];
  child.stderr.on('data', (piece) => {
    stderr += piece;
    if (isLost || !stderr.includes('Looking in the queue')) return;
    isLost = true;
    clearTimeout(timer);
    timer = killAfter(LOST_MS);
  });
  return new Promise((resolve, reject) =>
    child.on('close', (status, signal) => {
      clearTimeout(timer);
      clearInterval(look);
      if (signal === 'SIGKILL') resolve(isLost ? 'lost' : 'killed');
      else if (status === 0) resolve('done');
      else if (/did not come back[\s\S]*--retry/.test(stderr)) resolve('late');
      else reject(new Error(`${program} ${all.join(' ')}: exit status ${status}\n${stderr}`));
    }),
  );
}

/** One leg to its end. @returns how many kills struck it */
async function checkLeg(leg: Leg, random: Random, most: number): Promise<number> {
  const jobBefore = lastJob();
  let [struck, failed] = [0, 0];
  let way: string | undefined;
  for (;;) {
    const { isSending, ms } = random.pick(MOMENTS);
    const moment = { isSending, ms: random.below(ms) };
    const end = await strike(leg, way, struck < most ? moment : undefined);
    if (end === 'done') break;
    way = end === 'late' ? '--retry' : undefined;
    if (end === 'late') failed++;
    if (end === 'lost') passed += LOST_SECONDS;
    // A kill before the plan was written down strikes no execution.
    if (end === 'killed' && isBegun(leg)) struck++;
    // By its age: asked for `all`, Ganeti 3 archives none.
    if (random.chance(ARCHIVE_SHARE)) ganeti('gnt-job', 'autoarchive', '0');
  }
  const { sets } = plansIn(leg.journal)[leg.plan]!.work;
  const wide = sets.filter((set) => set.length > 1).length;
  console.log(
    `live: ${leg.name}: ${struck} kills, ${wide} of ${sets.length} sets with several jobs${failed > 0 ? `, ${failed} tried again` : ''}`,
  );
  await checkArrival({ ...leg, jobBefore }, 0, leg.plan);
  if (leg.program === 'hroller') checkReboots(sets.flat());
  return struck;
}

/** None of the nodes was started anew twice. */
function checkReboots(jobs: readonly PlannedJob[]): void {
  const planned = jobs.filter(({ instance }) => instance === undefined).flatMap(({ nodes }) => nodes);
  const wanted = planned
    .map(({ name }) => name)
    .sort()
    .join('\n');
  const found = textOf(REBOOTS.calls).trim().split('\n').sort().join('\n');
  check(`${planned.length} nodes are rebooted, each once`, found === wanted ? undefined : found);
  rmSync(REBOOTS.calls);
}

/** Instances whose moves need not wait for one another. */
const FURNITURE: readonly (readonly [homes: string, memory: string])[] = [
  ['1:4', '3G'],
  ['2:3', '3G'],
  ['1:4', '2G'],
  ['2:3', '2G'],
  ['1:3', '4G'],
  ['2:4', '4G'],
];

/**
 * Carries plans out, and undoes them, until so many kills have struck.
 * @param chains executions that are carried out one upon the other, and undone from the last to the first
 */
export async function checkKills(
  chains: readonly (readonly Execution[])[],
  random: Random,
  kills: number,
): Promise<void> {
  const furniture = FURNITURE.map(([homes, memory], n) => {
    const name = `wide${n + 1}.example.com`;
    addInstance(name, memory, homes.split(':').map(Number).map(nodeName).join(':'));
    return name;
  });
  let struck = 0;
  const go = async (leg: Leg): Promise<void> => {
    struck += await checkLeg(leg, random, Math.min(KILLS_EACH, kills - struck));
  };
  for (const order = random.shuffled(chains); struck < kills; order.push(order.shift()!)) {
    const done: Promised[] = [];
    for (const execution of order[0]!) {
      const promised = await promise(execution);
      const { args, journal } = promised;
      await go({ ...promised, words: [LUXI, ...args, '-X', `--journal=${journal}`], plan: 0 });
      done.unshift(promised);
    }
    for (const promised of done.filter(({ before, end }) => end !== before)) {
      const { name, journal, before } = promised;
      const words = [LUXI, `--resume=${journal}`, '--way-home'];
      await go({ ...promised, name: `${name}-home`, end: before, words, plan: 1 });
    }
  }
  console.log(`live: ${struck} kills in all`);
  for (const name of furniture) ganeti('gnt-instance', 'remove', '-f', name);
}
