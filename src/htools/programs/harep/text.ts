/** What harep says: stdout as the stock program (byte contract), stderr what it left alone. */
import { encodeAnswer } from '../../../kit/json/ascii-json.ts';
import { showString } from '../../../kit/text/numbers.ts';
import { count } from '../../../kit/text/words.ts';
import { MS_PER_S } from '../../../kit/units.ts';
import type { Opcode } from '../../plan/opcodes.ts';
import type { RepairConflict, RepairState } from '../../planners/maintain/repair/repair-state.ts';
import type { RepairPolicy, RepairRecord, RepairType } from '../../planners/maintain/repair/repair-tags.ts';
import type { InstanceRepair, LeftAlone } from './repair-facts.ts';

const zoneIn = (locale: string, date: Date): string =>
  new Intl.DateTimeFormat(locale, { timeZoneName: 'short' })
    .formatToParts(date)
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';

/** Each locale knows the short names that are usual where it is spoken. */
function zoneName(date: Date): string {
  const [american, british] = [zoneIn('en-US', date), zoneIn('en-GB', date)];
  return american.startsWith('GMT') ? british : american;
}

/** @param seconds since 1970 */
function clockTime(seconds: number): string {
  const date = new Date(seconds * MS_PER_S);
  // Beyond what the calendar of the machine can tell.
  if (Number.isNaN(date.getTime())) return `${seconds}`;
  const [weekday, month, , , time] = date.toString().split(' ');
  const day = `${date.getDate()}`.padStart(2);
  return `${weekday} ${month} ${day} ${time} ${zoneName(date)} ${date.getFullYear()}`;
}

const STATE_NAMES: Readonly<Record<RepairState['state'], string>> = {
  healthy: 'Healthy',
  failed: 'Failure',
  pending: 'Pending repair',
  'needs-repair': 'Needs repair',
};

/** The stock program's names of the types, as its language has them. */
const TYPE_NAMES: Readonly<Record<RepairType, string>> = {
  'fix-storage': 'ArFixStorage',
  migrate: 'ArMigrate',
  failover: 'ArFailover',
  reinstall: 'ArReinstall',
};

/** For standard error. */
export const conflictText = (name: string, { newer, older }: RepairConflict['conflict']): string =>
  `when parsing auto-repair tags: An unfinished repair was found in instance ${name}: found tag ` +
  `${showString(newer)}, but older pending tag ${showString(older)}exists.`;

export const movingText = (name: string, from: RepairState['state'], to: RepairState['state']): string =>
  `Moving ${name} from ${showString(STATE_NAMES[from])} to ${showString(STATE_NAMES[to])}\n`;

export const addingText = (name: string, tag: string): string =>
  `>>> Adding the following tag to ${name}:\n${showString(tag)}\n`;

export const removingText = (name: string, tags: readonly string[]): string =>
  `>>> Removing the following tags from ${name}:\n${tags.map((tag) => `${showString(tag)}\n`).join('')}`;

export const executingText = (name: string, type: RepairType): string =>
  `Executing ${TYPE_NAMES[type]} repair on ${name}\n`;

/** The jobs that a dry run does not submit. */
export const jobsText = (jobs: readonly (readonly Opcode[])[]): string => `jobs: ${encodeAnswer(jobs)}\n`;

export const notPermittedText = (name: string, type: RepairType, upTo: RepairType): string =>
  `Not performing a repair of type ${TYPE_NAMES[type]} on ${name} because only repairs up to ${TYPE_NAMES[upTo]} are allowed\n`;

export function notRepairingText(name: string, policy: Exclude<RepairPolicy, { kind: 'enabled' }>): string {
  const until = (seconds: number | null): string =>
    seconds === null ? 'Forever' : `(Until ${clockTime(seconds)})`;
  const state = policy.kind === 'suspended' ? `ArSuspended ${until(policy.until)}` : 'ArNotEnabled';
  return `Not repairing ${name} because it's in state ${state}\n`;
}

const RULER = '---------------------\n';

export function countsText(repairs: readonly InstanceRepair[]): string {
  const names = repairs.map(({ current }) => STATE_NAMES[current.state]);
  const lines = [...new Set(names)]
    .sort()
    .map((name) => `${name}: ${names.filter((other) => other === name).length}\n`);
  return `${RULER}Instance status count\n${RULER}${lines.join('')}`;
}

const isoTime = (seconds: number): string =>
  Number.isFinite(seconds) && Math.abs(seconds) < 1e11
    ? new Date(seconds * MS_PER_S).toISOString().replace('.000Z', 'Z')
    : `${seconds}`;

const damageText = ({ damage }: InstanceRepair): string =>
  damage ? `offline: ${damage.offlineNodes.join(', ')}; ` : '';

const jobsOf = ({ jobs }: RepairRecord): string => (jobs.length > 0 ? `job ${jobs.join(', ')}` : 'no job');

export const OUT_OF_TIME = 'the time limit was reached';

const REASONS: Readonly<Record<LeftAlone, (repair: InstanceRepair) => string>> = {
  'not-enabled': () => 'no tag allows a repair',
  suspended: ({ allowed: policy }) => {
    const { until } = policy as Extract<RepairPolicy, { kind: 'suspended' }>;
    return `repairs are suspended${until === null ? '' : ` until ${isoTime(until)}`}`;
  },
  'not-permitted': ({ damage, allowed: policy }) =>
    `it needs ${damage!.repair}, and only repairs up to ${(policy as Extract<RepairPolicy, { kind: 'enabled' }>).upTo} are allowed`,
  'failed-before': ({ current }) =>
    `the repair of ${isoTime(current.record!.time)} (${current.record!.type}, ${jobsOf(current.record!)}) failed; ` +
    `another is made once this tag is removed: ${current.record!.tag}`,
  pending: ({ current: { record } }) =>
    record!.jobs.length > 0
      ? `${jobsOf(record!)} is under way (${record!.type})`
      : `a tag says that a repair is pending, and names no job: ${record!.tag}`,
  'hands-off': () => 'it is to be left alone (tag htools:hands-off)',
  busy: ({ job }) => `job ${job!.id} (${job!.does}) about it is not done`,
  'no-repair': ({ diskTemplate }) => `there is no repair for the disk template ${diskTemplate}`,
  drained: ({ damage }) =>
    `but ${damage!.offlineNodes.length === 1 ? 'it' : 'one of these'} is only drained, and a reinstallation would empty the disks there`,
  'out-of-time': () => OUT_OF_TIME,
  stopped: () => 'the run was stopped',
};

/** Instances not well about which nothing was done, and why; empty when there are none. */
export function leftAloneText(repairs: readonly InstanceRepair[]): string {
  const left = repairs.filter(({ leftAlone }) => leftAlone !== null);
  if (left.length === 0) return '';
  const lines = left.map(
    (repair) => `  ${repair.instance}: ${damageText(repair)}${REASONS[repair.leftAlone!](repair)}\n`,
  );
  return `Left alone: ${count(left.length, 'instance')}\n${lines.join('')}`;
}
