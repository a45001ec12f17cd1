/**
 * Commands of hclaim, drawn at random with words that somebody might try, and the files that some of them
 * read.
 */
import { CLAIM_COMMANDS } from '../../../src/ledger/options/claim-commands.ts';
import type { MadeCluster } from '../../generate/made-cluster.ts';
import type { Random } from '../../generate/random.ts';
import { clusterText } from '../../generate/text.ts';
import { HOSTILE_ARGUMENTS, HOSTILE_NAMES } from '../damage/hostile.ts';
import {
  type CommandCase,
  type CommandHabits,
  commandWords,
  HOSTILE_SHARE,
  nameOf,
  withoutNul,
} from './command-words.ts';

export const LEDGER_FILE = 'ledger.db';

const CLASSES = ['VCPU', 'MEMORY_MB', 'DISK_GB', 'CUSTOM_FPGA', 'NOSUCH'];

const className = (random: Random): string =>
  random.chance(HOSTILE_SHARE) ? random.pick(HOSTILE_NAMES) : random.pick(CLASSES);
const amount = (random: Random): string =>
  random.chance(HOSTILE_SHARE) ? random.pick(HOSTILE_ARGUMENTS) : String(random.between(0, 4096));

const named = (list: readonly { readonly name: string }[], random: Random): string =>
  nameOf(
    list.map(({ name }) => name),
    random,
  );

/** A word for an argument, by what the manual calls it. */
function wordFor(metavar: string, { nodes, instances }: MadeCluster, random: Random): string {
  const pairs = (between: string): string =>
    Array.from(
      { length: random.between(1, 3) },
      () => `${className(random)}${between}${amount(random)}`,
    ).join(',');
  if (metavar.startsWith('PROVIDER=')) return `${named(nodes, random)}=${pairs(':')}`;
  if (metavar.startsWith('CLASS=')) return `${className(random)}=${amount(random)}`;
  if (/PROVIDER|NAME/.test(metavar)) return named(random.chance(0.7) ? nodes : instances, random);
  if (/CLASS/.test(metavar)) return className(random);
  if (/TRAIT/.test(metavar)) return random.pick(['CUSTOM_A', 'HW_CPU_X86_AVX2', ...HOSTILE_NAMES]);
  return named(random.chance(0.7) ? instances : nodes, random);
}

/** A plan that moves some instances to other nodes. */
function planText({ nodes, instances }: MadeCluster, random: Random): string {
  const steps = random
    .sample(instances, Math.min(instances.length, 3))
    .map(({ name, primary, secondary }) => ({
      instance: name,
      from: { primary: nodes[primary]?.name ?? null, secondary: nodes[secondary]?.name ?? null },
      to: { primary: named(nodes, random), secondary: random.chance(0.5) ? named(nodes, random) : null },
    }));
  return JSON.stringify({ program: 'hbal', steps });
}

/** `watch` has no end of its own; a ledger is made before each case. */
const HABITS: CommandHabits = {
  commands: CLAIM_COMMANDS.filter(({ words }) => words !== 'watch' && words !== 'init'),
  database: LEDGER_FILE,
  wordFor,
  everywhere: ['json', 'actor', 'reason'],
  leftOut: ['moves'],
  isNeeded: (key, command) => key === 'consumer' && command.words === 'claim',
  usual: {},
};

/** @param file name of the file that holds the input */
export function ledgerCase(cluster: MadeCluster, random: Random, file: string): CommandCase {
  const command = random.pick(HABITS.commands);
  const words = commandWords(command, HABITS, cluster, random);
  const isPlan = command.words === 'plan';
  if (isPlan) words.push(`--moves=${file}`);
  else if (command.words === 'import' || (command.words === 'audit' && random.chance(0.5)))
    words.push(`--text-data=${file}`);
  return {
    words: withoutNul(words),
    input: isPlan ? planText(cluster, random) : clusterText(cluster),
    kind: isPlan ? 'json' : 'lines',
  };
}
