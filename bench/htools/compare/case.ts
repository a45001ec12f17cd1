/** One comparison: a cluster, the files around it and a command line, all from a seed. */
import { makeCluster } from '../../generate/cluster.ts';
import type { MadeCluster } from '../../generate/made-cluster.ts';
import { makeOdd } from '../../generate/odd-figures.ts';
import { Random } from '../../generate/random.ts';
import { PLAIN_NAMES, STOCK_NAMES, withRarities } from '../../generate/rarities.ts';
import { withRepairTags } from '../../generate/repair-tags.ts';
import { REQUEST_TYPES, type RequestType } from '../../generate/request.ts';
import { randomShape, underMaintenance } from '../../generate/shape.ts';
import type { ProgramName } from '../../launchers.ts';
import { COMMAND_FILE, chooseOptions, SAVE_PREFIX } from './option-sets.ts';
import { chooseSource, RAPI_ADDRESS } from './sources.ts';

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

/** Share of the cases in which figures do not add up. */
const ODD_SHARE = 0.5;
/** Share of those that hold what clusters seldom have. */
const RARE_SHARE = 0.5;
/** What hscan saves its only cluster as. */
const SCANNED_FILES = [`${RAPI_ADDRESS.replaceAll('/', '_')}.data`, 'LOCAL.data'];
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

const MOVES: ReadonlySet<RequestType> = new Set(['relocate', 'node-evacuate', 'change-group']);

/** The case of a seed. The same seed and program give the same case on every machine. */
export function makeCase(program: ProgramName, seed: number): ComparisonCase {
  const random = new Random(seed, program);
  const requestType = REQUEST_TYPES[seed % REQUEST_TYPES.length]!;
  const isMove = program === 'hail' && MOVES.has(requestType);
  const shape = { ...randomShape(seed), ...(isMove && random.chance(0.6) ? underMaintenance(random) : {}) };
  // The stock program moves instances into groups whose policies refuse them; ours does not
  // (docs/reference/differences.md).
  const made = makeCluster(program === 'hsqueeze' ? { ...shape, groupCount: 1, splitShare: 0 } : shape);
  const rare = new Random(seed, 'rare');
  const whole = rare.chance(RARE_SHARE)
    ? withRarities(made, rare, program === 'hsqueeze' ? PLAIN_NAMES : STOCK_NAMES)
    : made;
  const cluster = program === 'harep' ? withRepairTags(whole, new Random(seed, 'repairs')) : whole;
  const odd = new Random(seed, 'odd');
  if (odd.chance(ODD_SHARE)) makeOdd(cluster, odd);
  const files = new Map<string, string>();
  const { args, stdin, isFromMessage } = chooseSource(program, { cluster, requestType, random, files });
  const options = chooseOptions(program, { cluster, random, files, isFromMessage });
  const limit = stepLimit(program, cluster, random);
  return {
    program,
    seed,
    args: [...args, ...limit, ...options],
    files,
    stdin,
    outputs: [
      ...(SAVE_SUFFIXES[program] ?? []).map((suffix) => `${SAVE_PREFIX}.${suffix}`),
      COMMAND_FILE,
      ...SCANNED_FILES,
    ],
  };
}
