/**
 * The checks of `npm run check -- live`, inside the cluster's namespaces: every program over every way and
 * beside the stock one, in several states of the cluster; plans carried out, also over SIGKILL, and behind
 * changes; loads; hail as the allocator. Every check prints a line; the exit status is 1 when one fails.
 */
import { Random } from '../../generate/random.ts';
import { checkAllocator, checkInstalled } from './allocator.ts';
import { checkChange, checkExecution, checkRescue, type Execution } from './carried-out.ts';
import { LUXI, nodeName, output, type Role, setDaemon, setRole } from './cluster.ts';
import { checkDisturbances } from './disturbed.ts';
import { checkKills, MAINTAIN } from './kills.ts';
import { readLiveArguments } from './live-arguments.ts';
import { checkPower, checkReboots } from './maintenance.ts';
import { checkMonitoring } from './monitoring.ts';
import { checkRepairKills, checkRepairs } from './repair.ts';
import { conclude, part } from './report.ts';
import { checkSameWords, checkSilence } from './same.ts';
import { checkSoak } from './soak.ts';

const { short: isShort, seed: wantedSeed, parts, release } = readLiveArguments();
const seed = Number(wantedSeed ?? Math.floor(Date.now() / 1000));

const HEAL: Execution = ['hredist', 'redistributed'];
const BALANCE: Execution = ['hbal', 'balanced', '--all-groups'];
/** These two undo each other's work. */
const SPREAD: Execution = ['hspread', 'spread'];
const EMPTY: Execution = ['hcompress', 'compressed', '--evacuate'];
const KILLS = 100;
/** A run of harep is short, and has little to do once the repairs are under way. */
const REPAIR_KILLS = 15;

async function inRole(node: number, role: Role, work: () => Promise<void>): Promise<void> {
  setRole(node, role, true);
  try {
    await work();
  } finally {
    setRole(node, role, false);
  }
}

/** Two nodes are as nodes are in bad times. */
const inTrouble = (work: () => Promise<void>): Promise<void> =>
  inRole(3, 'drained', () => inRole(4, 'offline', work));

async function silence(): Promise<void> {
  const node = 6;
  setDaemon(node, 'noded', false);
  try {
    await checkSilence(nodeName(node), isShort);
  } finally {
    setDaemon(node, 'noded', true);
  }
}

/** On a cluster that cannot bear the loss of a node, so that all find something to do. */
const killed = (chains: readonly (readonly Execution[])[], kills: number): Promise<void> =>
  checkKills(chains, new Random(seed, 'live kills'), kills);

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

/** The nodes of an empty group can be spared. */
async function spared(): Promise<void> {
  await settle();
  await output('hcompress', LUXI, '--evacuate', '-X');
  await checkPower();
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
      disturbed: () => checkDisturbances([EMPTY, SPREAD], release === 'trixie' ? 1 : 0),
      installed: async () => checkInstalled(),
      killed: () => killed([[[...BALANCE, '-l', '2']]], 2),
    }
  : {
      healthy: () => checkSameWords('healthy', false),
      trouble: () => inTrouble(() => checkSameWords('trouble', false)),
      loads: checkMonitoring,
      silence,
      killed: () => killed([[BALANCE], [HEAL], [EMPTY, SPREAD], [MAINTAIN]], KILLS),
      healing: () => checkExecution(HEAL),
      disturbed: () => checkDisturbances([EMPTY, SPREAD]),
      changed: () => checkChange(BALANCE),
      balancing: () => checkExecution(BALANCE),
      installed: async () => checkInstalled(),
      reboots: checkReboots,
      emptying: () => checkExecution(EMPTY),
      power: spared,
      rescue: () => inTrouble(() => checkRescue(BALANCE)),
      repairs: repaired,
      'repairs-killed': () =>
        inRole(4, 'offline', () => checkRepairKills(new Random(seed, 'repairs'), REPAIR_KILLS)),
      spreading: () => checkExecution(SPREAD),
      allocator: asked,
    };
/** Only when it is asked for. */
const soak = (): Promise<void> => checkSoak(new Random(seed, 'soak'));
const chosen = parts?.split(',') ?? Object.keys(PARTS);

console.log(`live: seed ${seed}`);
for (const name of chosen) await part(name, name === 'soak' ? soak : PARTS[name]!);
process.exit(conclude());
