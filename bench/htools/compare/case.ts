/** One comparison: a cluster, the files around it and a command line, all from a seed. */
import { makeCluster } from '../../generate/cluster.ts';
import type { MadeCluster } from '../../generate/made-cluster.ts';
import { Random } from '../../generate/random.ts';
import { iallocatorMessage, REQUEST_TYPES, type RequestType, randomRequest } from '../../generate/request.ts';
import { randomShape, underMaintenance } from '../../generate/shape.ts';
import { clusterText } from '../../generate/text.ts';
import type { ProgramName } from '../../launchers.ts';
import { COMMAND_FILE, chooseOptions, SAVE_PREFIX } from './option-sets.ts';
import { withPlainDisks } from './plain-disks.ts';

export interface ComparisonCase {
  readonly program: ProgramName;
  readonly seed: number;
  readonly args: readonly string[];
  /** Files to write into the folder that the program is started in. */
  readonly files: ReadonlyMap<string, string>;
  readonly stdin: string | undefined;
  /** Files that the program may leave behind; their bytes are compared too. */
  readonly outputs: readonly string[];
}

const CLUSTER_FILE = 'cluster.data';
/** Name of the iallocator message, where a case has one. */
export const REQUEST_FILE = 'request.json';
const SAVE_SUFFIXES: Readonly<Partial<Record<ProgramName, readonly string[]>>> = {
  hbal: ['original', 'balanced'],
  hail: ['pre-ialloc', 'post-ialloc'],
  hspace: ['tiered', 'standard'],
  hroller: ['original'],
  hsqueeze: ['original', 'squeezed'],
};

/** What one step costs the stock program: about this many seconds per instance and pair of nodes. */
const STOCK_STEP_SECONDS = 1.6e-6;
const STOCK_BUDGET_SECONDS = 1.2;

/** Largest number of steps for which the stock program stays within its budget. */
function affordableSteps(cluster: MadeCluster): number {
  const perStep = STOCK_STEP_SECONDS * cluster.instances.length * cluster.nodes.length ** 2;
  return Math.max(1, Math.floor(STOCK_BUDGET_SECONDS / Math.max(perStep, 1e-6)));
}

/**
 * Instances that stock hspace allocates within its budget; each costs it about as much as a step over the
 * nodes' pairs.
 */
const STOCK_ALLOCATION_SECONDS = 8e-5;

function stepLimit(program: ProgramName, cluster: MadeCluster, random: Random): string[] {
  if (program === 'hbal' || program === 'hcheck') {
    const most = affordableSteps(cluster);
    if (random.chance(0.15)) return ['-l', String(random.between(0, Math.min(most, 6)))];
    return most < cluster.instances.length * 2 ? ['-l', String(most)] : [];
  }
  const nodeCount = cluster.nodes.length;
  if (program !== 'hspace' || (nodeCount < 5 && random.chance(0.4))) return [];
  const most = Math.floor(STOCK_BUDGET_SECONDS / (STOCK_ALLOCATION_SECONDS * Math.max(1, nodeCount) ** 2));
  return ['-l', String(random.between(0, Math.min(25, most)))];
}

/**
 * Descriptions of empty clusters, one an option: policy, nodes, disk, memory, cpus and sometimes spindles.
 */
function simulation(random: Random): string[] {
  return Array.from({ length: random.between(1, 2) }, () => {
    const cells: (string | number)[] = [
      random.pick(['preferred', 'last_resort', 'p', 'a', 'u', 'unallocable']),
      random.between(0, 6),
      random.pick(['50g', '100G', 204800]),
      random.pick(['8g', '16G', 12345]),
      random.between(1, 8),
    ];
    if (random.chance(0.4)) cells.push(random.between(1, 6));
    if (cells.length === 6 && random.chance(0.4)) cells.push(random.pick(['True', 'False']));
    return `--simulate=${cells.join(',')}`;
  });
}

const MOVES: ReadonlySet<RequestType> = new Set(['relocate', 'node-evacuate', 'change-group']);

/** The case of a seed. The same seed and program give the same case on every machine. */
export function makeCase(program: ProgramName, seed: number): ComparisonCase {
  const random = new Random(seed, program);
  const requestType = REQUEST_TYPES[seed % REQUEST_TYPES.length]!;
  const isMove = program === 'hail' && MOVES.has(requestType);
  const shape = { ...randomShape(seed), ...(isMove && random.chance(0.6) ? underMaintenance(random) : {}) };
  // The stock program moves instances into groups whose policies refuse them; ours does not
  // (docs/differences.md).
  const cluster = makeCluster(program === 'hsqueeze' ? { ...shape, groupCount: 1, splitShare: 0 } : shape);
  const files = new Map<string, string>();
  const source: string[] = [];
  let stdin: string | undefined;
  const chosenSource = random.fraction();
  // hsqueeze takes no message.
  const isFromMessage = program === 'hail' || (program !== 'hsqueeze' && chosenSource < 0.12);
  const message = (): string =>
    iallocatorMessage(
      cluster,
      randomRequest(cluster, requestType, random),
      random.pick(['xen-pvm', 'kvm', 'fake']),
    );
  if (program === 'hail') {
    if (random.chance(0.1)) {
      stdin = message();
      source.push('-');
    } else {
      files.set(REQUEST_FILE, message());
      source.push(REQUEST_FILE);
    }
    if (random.chance(0.1)) {
      files.set(CLUSTER_FILE, clusterText(cluster));
      source.push('-t', CLUSTER_FILE);
    } else if (random.chance(0.03)) source.push(...simulation(random));
  } else if (isFromMessage) {
    files.set(REQUEST_FILE, withPlainDisks(message()));
    source.push('-I', REQUEST_FILE);
  } else if (program === 'hspace' && chosenSource < 0.4) source.push(...simulation(random));
  else {
    files.set(CLUSTER_FILE, clusterText(cluster));
    source.push('-t', CLUSTER_FILE);
  }
  const options = chooseOptions(program, { cluster, random, files, isFromMessage });
  const limit = stepLimit(program, cluster, random);
  return {
    program,
    seed,
    args: [...source, ...limit, ...options],
    files,
    stdin,
    outputs: [...(SAVE_SUFFIXES[program] ?? []).map((suffix) => `${SAVE_PREFIX}.${suffix}`), COMMAND_FILE],
  };
}
