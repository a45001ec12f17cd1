/**
 * What is fuzzed: each reader of outside data, with valid inputs to spoil and the programs that read such
 * files.
 */
import {
  DEFAULT_STATIC_KVM_NODE_MEMORY_MIB,
  prepareSnapshot,
} from '../../src/htools/cluster/prepare/prepare.ts';
import { parseIallocatorRequest } from '../../src/htools/sources/iallocator/iallocator.ts';
import { parseMonitoringFile } from '../../src/htools/sources/mond/mond.ts';
import { simulateCluster } from '../../src/htools/sources/simulate/simulate.ts';
import { parseText } from '../../src/htools/sources/text/text.ts';
import { parseDynamicUse } from '../../src/htools/sources/usage/dynamic-use.ts';
import { makeCluster } from '../generate/cluster.ts';
import { dynamicUseText, mondText } from '../generate/dynamic-use.ts';
import type { MadeCluster } from '../generate/made-cluster.ts';
import { Random } from '../generate/random.ts';
import { withRarities } from '../generate/rarities.ts';
import { iallocatorMessage, REQUEST_TYPES, randomRequest } from '../generate/request.ts';
import { randomShape, underMaintenance } from '../generate/shape.ts';
import { clusterText } from '../generate/text.ts';
import { addWishes } from '../generate/wish-tags.ts';
import type { AnyProgramName } from '../launchers.ts';
import type { InputKind } from './damage/mutate.ts';
import { jobsText, journalText, planText, readJobsText, readJournalText } from './jobs.ts';
import { luxiText, rapiText, readLuxiText, readRapiText } from './live.ts';

/**
 * How a program is started on a spoiled file: `spoiled` in the arguments is that file, `cluster.data` a valid
 * snapshot.
 */
export interface Launch {
  readonly program: AnyProgramName;
  readonly args: readonly string[];
}

export interface FuzzTarget {
  readonly name: string;
  readonly kind: InputKind;
  readonly valid: (cluster: MadeCluster, random: Random) => string;
  /** The reader; throws a Fault for a bad input. undefined where it is only reached through the programs. */
  readonly read?: ((bytes: Buffer) => unknown) | undefined;
  readonly launches: readonly Launch[];
}

export const SPOILED_FILE = 'spoiled';
export const VALID_SNAPSHOT = 'cluster.data';
/** What messages call the input. */
const SOURCE_NAME = 'input';

/** Nobody listens there: what is wrong with the journal is said before. */
/** A journal that reads well makes its reader wait for a master as long as it waits for an answer. */
const RESUME: Launch = {
  program: 'hbal',
  args: ['-L/nowhere', '--answer-timeout=1', `--resume=${SPOILED_FILE}`],
};

/** Valid inputs are made from this many different clusters. */
const SEED_CLUSTERS = 400;

export const TARGETS: readonly FuzzTarget[] = [
  {
    name: 'snapshot',
    kind: 'lines',
    valid: (cluster) => clusterText(cluster),
    read: (bytes) => prepareSnapshot(parseText(bytes, SOURCE_NAME), {}),
    launches: [
      { program: 'hbal', args: ['-t', SPOILED_FILE, '-l', '2'] },
      { program: 'hinfo', args: ['-t', SPOILED_FILE, '-v'] },
      { program: 'hcheck', args: ['-t', SPOILED_FILE, '-l', '1'] },
      { program: 'hspace', args: ['-t', SPOILED_FILE, '-l', '1'] },
      { program: 'hcompress', args: ['-t', SPOILED_FILE] },
      { program: 'hredist', args: ['-t', SPOILED_FILE] },
      { program: 'hspread', args: ['-t', SPOILED_FILE, '-l', '2'] },
      { program: 'hroller', args: ['-t', SPOILED_FILE, '-f'] },
      { program: 'hsqueeze', args: ['-t', SPOILED_FILE] },
      { program: 'harep', args: ['-t', SPOILED_FILE] },
    ],
  },
  {
    name: 'message',
    kind: 'json',
    valid: (cluster, random) =>
      iallocatorMessage(cluster, randomRequest(cluster, random.pick(REQUEST_TYPES), random)),
    read: (bytes) => parseIallocatorRequest(bytes, SOURCE_NAME, DEFAULT_STATIC_KVM_NODE_MEMORY_MIB),
    launches: [
      { program: 'hail', args: [SPOILED_FILE] },
      { program: 'hinfo', args: ['-I', SPOILED_FILE] },
      { program: 'hbal', args: ['-I', SPOILED_FILE, '-l', '2'] },
      { program: 'hcheck', args: ['-I', SPOILED_FILE, '-l', '1'] },
      { program: 'hspace', args: ['-I', SPOILED_FILE, '-l', '1'] },
      { program: 'hcompress', args: ['-I', SPOILED_FILE] },
      { program: 'hredist', args: ['-I', SPOILED_FILE] },
      { program: 'hspread', args: ['-I', SPOILED_FILE, '-l', '2'] },
    ],
  },
  {
    name: 'load',
    kind: 'lines',
    valid: dynamicUseText,
    read: (bytes) => parseDynamicUse(bytes, SOURCE_NAME),
    launches: [{ program: 'hbal', args: ['-t', VALID_SNAPSHOT, '-l', '0', '-U', SPOILED_FILE] }],
  },
  {
    name: 'monitoring',
    kind: 'json',
    valid: (cluster, random) => mondText(cluster, random, random.chance(0.3)),
    read: (bytes) => {
      parseMonitoringFile(bytes, SOURCE_NAME, 'node-total');
      parseMonitoringFile(bytes, SOURCE_NAME, 'per-instance');
    },
    launches: [
      {
        program: 'hbal',
        args: ['-t', VALID_SNAPSHOT, '-l', '0', '--mond=yes', `--mond-data=${SPOILED_FILE}`],
      },
    ],
  },
  { name: 'luxi', kind: 'json', valid: luxiText, read: readLuxiText, launches: [] },
  ...(['groups', 'nodes', 'instances', 'info'] as const).map(
    (resource): FuzzTarget => ({
      name: `rapi ${resource}`,
      kind: 'json',
      valid: () => rapiText(resource),
      read: (bytes) => readRapiText(resource, bytes),
      launches: [],
    }),
  ),
  { name: 'jobs', kind: 'json', valid: jobsText, read: readJobsText, launches: [] },
  { name: 'journal', kind: 'lines', valid: journalText, read: readJournalText, launches: [RESUME] },
  { name: 'plan of a journal', kind: 'json', valid: planText, read: readJournalText, launches: [RESUME] },
  {
    name: 'simulation',
    kind: 'words',
    valid: (_, random) => random.pick(['preferred,20,1t,32g,8', 'u,4,500G,16384,4,2', 'p,3,1,1,1,6,True']),
    // A command line cannot hold NUL bytes.
    read: (bytes) => simulateCluster([bytes.toString('utf8').replaceAll('\0', '')]),
    launches: [],
  },
];

const made = new Map<number, MadeCluster>();

/** The cluster that a case starts from. */
export function startingCluster(random: Random): MadeCluster {
  const seed = random.below(SEED_CLUSTERS);
  const known = made.get(seed);
  if (known) return known;
  // Extra columns are for the comparison; here every column must be one that the readers look at.
  const away = seed % 2 === 0 ? underMaintenance(new Random(seed, 'maintenance')) : {};
  const whole = makeCluster({ ...randomShape(seed), ...away, columns: 'full' });
  const cluster = seed % 4 === 0 ? whole : withRarities(whole, new Random(seed, 'rare'));
  if (seed % 3 === 0) addWishes(cluster, new Random(seed, 'wishes'));
  made.set(seed, cluster);
  return cluster;
}
