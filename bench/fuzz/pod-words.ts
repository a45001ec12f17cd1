/** Commands of hbind, drawn at random with words that somebody might try, and the files that some of them read. */
import { OPTIONS, type OptionKey } from '../../src/cli/options/option-table.ts';
import { BINDING_COMMANDS } from '../../src/cli/subcommands/binding-commands.ts';
import type { CommandDefinition } from '../../src/cli/subcommands/command.ts';
import type { MadeCluster } from '../generate/made-cluster.ts';
import type { Random } from '../generate/random.ts';
import { clusterText } from '../generate/text.ts';
import { HOSTILE_ARGUMENTS, HOSTILE_NAMES } from './hostile.ts';
import type { InputKind } from './mutate.ts';
import { argumentOf } from './option-lists.ts';

export const PODS_FILE = 'pods.db';

/** A book is made before each case. */
const COMMANDS: readonly CommandDefinition[] = BINDING_COMMANDS.filter(({ words }) => words !== 'init');
const TENANTS = ['t1', 't2', 'shop'];
const HOSTILE_SHARE = 0.1;
const OPTION_CHANCE = 0.25;
/** Options whose values are chosen by the command's file, or that look for servers. */
const LEFT_OUT: readonly OptionKey[] = [
  ...(['textData', 'iallocSource', 'simulate', 'inputFile', 'master', 'luxi'] as const),
  ...(['rapiCredentials', 'rapiCa', 'rapiFingerprint', 'connectTimeout', 'answerTimeout'] as const),
];
const EVERYWHERE: readonly OptionKey[] = ['json', 'actor', 'verbose'];
/** What a user would write; other options have what the fuzzer draws for any program. */
const USUAL: Partial<Record<OptionKey, readonly string[]>> = {
  tenant: TENANTS,
  zone: ['A', 'B', ''],
  extraSpecs: ['resource=CAD Modeling', 'resource=GPU', 'x=1'],
  affinity: ['resource=CAD Modeling', 'none'],
  need: ['memory=1024', 'cpu=2', 'nosuch=1'],
  podWeight: ['1', '-2.5', 'none'],
  podCost: ['10', 'none'],
  threshold: ['0.5', 'memory=0.9', '1'],
  headroom: ['50', 'disk=1024'],
  reopen: ['0.8', 'none'],
  filters: ['state,exhausted', 'all-pods', 'az'],
  weigh: ['idle=1', 'age=2', 'cost=-1'],
  bindFor: ['1s', '90d'],
  window: ['7d', '1h'],
  diskTemplateForFit: ['drbd', 'plain'],
};

const nameOf = (names: readonly string[], random: Random): string =>
  names.length === 0 || random.chance(HOSTILE_SHARE) ? random.pick(HOSTILE_NAMES) : random.pick(names);

function wordFor(metavar: string, { groups }: MadeCluster, random: Random): string {
  if (metavar === 'SPEC') return random.chance(HOSTILE_SHARE) ? random.pick(HOSTILE_ARGUMENTS) : '1g,1g,1';
  const names = metavar === 'TENANT' ? TENANTS : groups.map(({ name }) => name);
  return nameOf(names, random);
}

const metric = (random: Random) => ({ total: random.between(0, 1000), used: random.between(0, 1000) });

const readings = ({ groups }: MadeCluster, random: Random): string =>
  JSON.stringify(
    Object.fromEntries(
      groups.map(({ name }) => [
        name,
        random.chance(0.2) ? null : { memory: metric(random), nova: { cpu: metric(random) } },
      ]),
    ),
  );

const events = ({ groups }: MadeCluster, random: Random): string =>
  Array.from({ length: random.between(1, 8) }, () => {
    const pod = nameOf(
      groups.map(({ name }) => name),
      random,
    );
    const drawn = random.fraction();
    if (drawn < 0.1) return { pod, state: random.pick(['open', 'maintenance', 'closed']) };
    if (drawn < 0.2) return { pod, usage: { memory: metric(random) } };
    return {
      at: '2026-01-01T08:00:00Z',
      tenant: random.pick(TENANTS),
      need: { memory: random.between(0, 500) },
    };
  })
    .map((event) => `${JSON.stringify(event)}\n`)
    .join('');

export interface PodCase {
  readonly words: readonly string[];
  /** What the command reads, before it is spoiled. */
  readonly input: string;
  readonly kind: InputKind;
}

/** @param file name of the file that holds the input */
export function podCase(cluster: MadeCluster, random: Random, file: string): PodCase {
  const command = random.pick(COMMANDS);
  const words: string[] = [`--db=${PODS_FILE}`, ...command.words.split(' ')];
  for (const { metavar, isOptional = false, isRepeated = false } of command.arguments) {
    const least = isOptional ? 0 : 1;
    const count = isRepeated ? random.between(least, 3) : random.between(least, 1);
    for (let i = 0; i < count; i++) words.push(wordFor(metavar, cluster, random));
  }
  for (const key of [...(command.options as readonly OptionKey[]), ...EVERYWHERE]) {
    if (LEFT_OUT.includes(key)) continue;
    if (key !== 'tenant' && !random.chance(OPTION_CHANCE)) continue;
    const { name, argument } = OPTIONS[key];
    const usual = USUAL[key];
    const value =
      usual && !random.chance(HOSTILE_SHARE)
        ? random.pick(usual)
        : argumentOf(key, OPTIONS[key], cluster, random);
    words.push(argument === 'required' ? `--${name}=${value}` : `--${name}`);
  }
  const readsCluster = command.words === 'empty' || (command.words === 'usage' && random.chance(0.6));
  if (readsCluster) words.push(`--text-data=${file}`);
  else if (['usage', 'simulate'].includes(command.words)) words.push(`--file=${file}`);
  return {
    // A command line holds no NUL.
    words: words.map((word) => word.replaceAll('\0', '')),
    input: readsCluster
      ? clusterText(cluster)
      : command.words === 'simulate'
        ? events(cluster, random)
        : readings(cluster, random),
    kind: readsCluster ? 'lines' : 'json',
  };
}
