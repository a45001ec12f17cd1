/**
 * The checks of `npm run check -- live`, inside the cluster's namespaces: every program over every way and
 * beside the stock one, in several states of the cluster; plans carried out, also over SIGKILL, and behind
 * changes; loads; hail as the allocator. Every check prints a line; the exit status is 1 when one fails.
 */

import { Random } from '../../generate/random.ts';
import { checkAllocator, checkInstalled } from './allocator.ts';
import { checkChange, checkExecution, checkKills, checkRescue, type Execution } from './carried-out.ts';
import { LUXI, nodeName, output, setDaemon, setRole } from './cluster.ts';
import { checkDisturbances } from './disturbed.ts';
import { readLiveArguments } from './live-arguments.ts';
import { checkPower, checkReboots } from './maintenance.ts';
import { checkMonitoring } from './monitoring.ts';
import { checkRepairs } from './repair.ts';
import { conclude, part } from './report.ts';
import { checkSameWords, checkSilence } from './same.ts';

const { short: isShort, seed: wantedSeed, parts } = readLiveArguments();
const seed = Number(wantedSeed ?? Math.floor(Date.now() / 1000));

const HEAL: Execution = ['hredist', 'redistributed'];
const BALANCE: Execution = ['hbal', 'balanced', '--all-groups'];
/** These two undo each other's work. */
const SPREAD: Execution = ['hspread', 'spread'];
const EMPTY: Execution = ['hcompress', 'compressed', '--evacuate'];
const KILLS = 20;
/** So that they strike many moments of several executions. */
const KILLS_EACH = 5;

/** Two nodes are as nodes are in bad times. */
async function inTrouble(work: () => Promise<void>): Promise<void> {
  setRole(3, 'drained', true);
  setRole(4, 'offline', true);
  try {
    await work();
  } finally {
    setRole(4, 'offline', false);
    setRole(3, 'drained', false);
  }
}

async function silence(): Promise<void> {
  const node = 6;
  setDaemon(node, 'noded', false);
  try {
    await checkSilence(nodeName(node), isShort);
  } finally {
    setDaemon(node, 'noded', true);
  }
}

/** Executions one after another until so many kills have struck them. */
async function killed(executions: readonly Execution[], kills: number): Promise<void> {
  const random = new Random(seed, 'live kills');
  for (let n = 0, struck = 0; struck < kills; n++)
    struck += await checkKills(
      executions[n % executions.length]!,
      random,
      Math.min(KILLS_EACH, kills - struck),
    );
}

/** Healed and balanced the cluster bears the loss of a node, as the later parts need it. */
async function settle(): Promise<void> {
  await output('hredist', LUXI, '-X');
  await output('hbal', LUXI, '--all-groups', '-X');
}

/** Repairs put instances where there is room. */
async function repaired(): Promise<void> {
  await inTrouble(() => checkRepairs(false));
  await settle();
}

async function asked(): Promise<void> {
  await settle();
  await checkAllocator();
}

/** What is done, in this order. */
const PARTS: Readonly<Record<string, () => Promise<void>>> = isShort
  ? {
      trouble: () => inTrouble(() => checkSameWords('trouble', true)),
      repairs: () => inTrouble(() => checkRepairs(true)),
      loads: checkMonitoring,
      silence,
      healing: () => checkExecution(HEAL),
      installed: async () => checkInstalled(),
      killed: () => killed([[...BALANCE, '-l', '2']], 1),
    }
  : {
      healthy: () => checkSameWords('healthy', false),
      trouble: () => inTrouble(() => checkSameWords('trouble', false)),
      loads: checkMonitoring,
      silence,
      healing: () => checkExecution(HEAL),
      changed: () => checkChange(BALANCE),
      balancing: () => checkExecution(BALANCE),
      installed: async () => checkInstalled(),
      reboots: checkReboots,
      emptying: () => checkExecution(EMPTY),
      power: checkPower,
      rescue: () => inTrouble(() => checkRescue(BALANCE)),
      repairs: repaired,
      spreading: () => checkExecution(SPREAD),
      disturbed: () => checkDisturbances([EMPTY, SPREAD]),
      // They are odd in number, and end with the group empty.
      killed: () => killed([SPREAD, EMPTY], KILLS),
      allocator: asked,
    };
const chosen = parts?.split(',') ?? Object.keys(PARTS);

console.log(`live: seed ${seed}`);
for (const name of chosen) await part(name, PARTS[name]!);
process.exit(conclude());
