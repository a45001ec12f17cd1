/** Commands of hclaim, drawn at random with words that somebody might try, and the files that some of them read. */
import { OPTIONS, type OptionKey } from '../../src/cli/options/option-table.ts';
import { CLAIM_COMMANDS } from '../../src/cli/subcommands/claim-commands.ts';
import type { CommandDefinition } from '../../src/cli/subcommands/command.ts';
import type { MadeCluster } from '../generate/made-cluster.ts';
import type { Random } from '../generate/random.ts';
import { clusterText } from '../generate/text.ts';
import { HOSTILE_ARGUMENTS, HOSTILE_NAMES } from './hostile.ts';
import type { InputKind } from './mutate.ts';
import { argumentOf } from './option-lists.ts';

export const LEDGER_FILE = 'ledger.db';

/** `watch` has no end of its own; a ledger is made before each case. */
const COMMANDS: readonly CommandDefinition[] = CLAIM_COMMANDS.filter(
  ({ words }) => words !== 'watch' && words !== 'init',
);
const CLASSES = ['VCPU', 'MEMORY_MB', 'DISK_GB', 'CUSTOM_FPGA', 'NOSUCH'];
const HOSTILE_SHARE = 0.1;
const OPTION_CHANCE = 0.25;
/** Options whose values are chosen by the command's file, or that look for servers. */
const LEFT_OUT: readonly OptionKey[] = [
  ...(['textData', 'iallocSource', 'simulate', 'moves', 'master', 'luxi'] as const),
  ...(['rapiCredentials', 'rapiCa', 'rapiFingerprint', 'connectTimeout', 'answerTimeout'] as const),
];
const EVERYWHERE: readonly OptionKey[] = ['json', 'actor', 'reason'];

const className = (random: Random): string =>
  random.chance(HOSTILE_SHARE) ? random.pick(HOSTILE_NAMES) : random.pick(CLASSES);
const amount = (random: Random): string =>
  random.chance(HOSTILE_SHARE) ? random.pick(HOSTILE_ARGUMENTS) : String(random.between(0, 4096));

function nameOf(list: readonly { readonly name: string }[], random: Random): string {
  if (list.length === 0 || random.chance(HOSTILE_SHARE)) return random.pick(HOSTILE_NAMES);
  return random.pick(list).name;
}

/** A word for an argument, by what the manual calls it. */
function wordFor(metavar: string, { nodes, instances }: MadeCluster, random: Random): string {
  const pairs = (between: string): string =>
    Array.from(
      { length: random.between(1, 3) },
      () => `${className(random)}${between}${amount(random)}`,
    ).join(',');
  if (metavar.startsWith('PROVIDER=')) return `${nameOf(nodes, random)}=${pairs(':')}`;
  if (metavar.startsWith('CLASS=')) return `${className(random)}=${amount(random)}`;
  if (/PROVIDER|NAME/.test(metavar)) return nameOf(random.chance(0.7) ? nodes : instances, random);
  if (/CLASS/.test(metavar)) return className(random);
  if (/TRAIT/.test(metavar)) return random.pick(['CUSTOM_A', 'HW_CPU_X86_AVX2', ...HOSTILE_NAMES]);
  return nameOf(random.chance(0.7) ? instances : nodes, random);
}

/** A plan that moves some instances to other nodes. */
function planText({ nodes, instances }: MadeCluster, random: Random): string {
  const steps = random
    .sample(instances, Math.min(instances.length, 3))
    .map(({ name, primary, secondary }) => ({
      instance: name,
      from: { primary: nodes[primary]?.name ?? null, secondary: nodes[secondary]?.name ?? null },
      to: { primary: nameOf(nodes, random), secondary: random.chance(0.5) ? nameOf(nodes, random) : null },
    }));
  return JSON.stringify({ program: 'hbal', steps });
}

export interface LedgerCase {
  readonly words: readonly string[];
  /** What the command reads, before it is spoiled. */
  readonly input: string;
  readonly kind: InputKind;
}

/** @param file name of the file that holds the input */
export function ledgerCase(cluster: MadeCluster, random: Random, file: string): LedgerCase {
  const command = random.pick(COMMANDS);
  const words: string[] = [`--db=${LEDGER_FILE}`, ...command.words.split(' ')];
  for (const { metavar, isOptional = false, isRepeated = false } of command.arguments) {
    const least = isOptional ? 0 : 1;
    const count = isRepeated ? random.between(least, 3) : random.between(least, 1);
    for (let i = 0; i < count; i++) words.push(wordFor(metavar, cluster, random));
  }
  for (const key of [...(command.options as readonly OptionKey[]), ...EVERYWHERE]) {
    if (LEFT_OUT.includes(key)) continue;
    if (!(key === 'consumer' && command.words === 'claim') && !random.chance(OPTION_CHANCE)) continue;
    const { name, argument } = OPTIONS[key];
    words.push(
      argument === 'required' ? `--${name}=${argumentOf(key, OPTIONS[key], cluster, random)}` : `--${name}`,
    );
  }
  const isPlan = command.words === 'plan';
  if (isPlan) words.push(`--moves=${file}`);
  else if (command.words === 'import' || (command.words === 'audit' && random.chance(0.5)))
    words.push(`--text-data=${file}`);
  return {
    // A command line holds no NUL.
    words: words.map((word) => word.replaceAll('\0', '')),
    input: isPlan ? planText(cluster, random) : clusterText(cluster),
    kind: isPlan ? 'json' : 'lines',
  };
}
