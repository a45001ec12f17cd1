/**
 * Commands of hbind, drawn at random with words that somebody might try, and the files that some of them
 * read.
 */
import { BINDING_COMMANDS } from '../../../src/ledger/options/binding-commands.ts';
import type { MadeCluster } from '../../generate/made-cluster.ts';
import type { Random } from '../../generate/random.ts';
import { clusterText } from '../../generate/text.ts';
import { HOSTILE_ARGUMENTS } from '../damage/hostile.ts';
import {
  type CommandCase,
  type CommandHabits,
  commandWords,
  HOSTILE_SHARE,
  nameOf,
  withoutNul,
} from './command-words.ts';

export const PODS_FILE = 'pods.db';

const TENANTS = ['t1', 't2', 'shop'];
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

/** A book is made before each case. */
const HABITS: CommandHabits = {
  commands: BINDING_COMMANDS.filter(({ words }) => words !== 'init'),
  database: PODS_FILE,
  wordFor,
  everywhere: ['json', 'actor', 'verbose'],
  leftOut: ['inputFile'],
  isNeeded: (key) => key === 'tenant',
  usual: {
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
  },
};

/** @param file name of the file that holds the input */
export function podCase(cluster: MadeCluster, random: Random, file: string): CommandCase {
  const command = random.pick(HABITS.commands);
  const words = commandWords(command, HABITS, cluster, random);
  const readsCluster = command.words === 'empty' || (command.words === 'usage' && random.chance(0.6));
  if (readsCluster) words.push(`--text-data=${file}`);
  else if (['usage', 'simulate'].includes(command.words)) words.push(`--file=${file}`);
  return {
    words: withoutNul(words),
    input: readsCluster
      ? clusterText(cluster)
      : command.words === 'simulate'
        ? events(cluster, random)
        : readings(cluster, random),
    kind: readsCluster ? 'lines' : 'json',
  };
}
