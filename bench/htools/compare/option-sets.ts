/** Which options each program is tried with, how often, and the files that they need. */
import { DISK_TEMPLATES } from '../../../src/htools/cluster/templates.ts';
import { dynamicUseText, mondText, withOddRows } from '../../generate/dynamic-use.ts';
import type { MadeCluster } from '../../generate/made-cluster.ts';
import type { Random } from '../../generate/random.ts';
import type { ProgramName } from '../../launchers.ts';

/** What an option may look at, and where it leaves the files it needs. */
export interface OptionContext {
  readonly cluster: MadeCluster;
  readonly random: Random;
  readonly files: Map<string, string>;
  /** Whether the cluster comes from an iallocator message, which may name a hypervisor. */
  readonly isFromMessage: boolean;
}

/** One option: how likely it is, and its tokens on the command line. */
interface OptionChoice {
  readonly chance: number;
  readonly tokens: (context: OptionContext) => readonly string[];
}

const UNKNOWN_NAME = 'nobody.example.com';
/** Name that `-S` saves under, and file that `-C` writes. */
export const SAVE_PREFIX = 'saved';
export const COMMAND_FILE = 'commands.sh';

// biome-ignore format: a list of words
const NODE_FIELDS = [
  'idx', 'name', 'fqdn', 'status', 'tmem', 'nmem', 'xmem', 'fmem', 'umem', 'imem', 'rmem', 'amem', 'tdsk', 'fdsk',
  'tcpu', 'ucpu', 'pcnt', 'scnt', 'plist', 'slist', 'pfmem', 'pfdsk', 'rcpu', 'cload', 'mload', 'dload', 'nload',
  'ptags', 'peermap', 'spindle_count', 'hi_spindles', 'inst_spindles',
];

const always =
  (...tokens: string[]): ((context: OptionContext) => readonly string[]) =>
  () =>
    tokens;
const oneOf =
  (option: string, values: readonly (string | number)[]): OptionChoice['tokens'] =>
  ({ random }) => [`${option}=${random.pick(values)}`];

const repeated =
  (token: string, most: number): OptionChoice['tokens'] =>
  ({ random }) =>
    Array.from({ length: random.between(1, most) }, () => token);

/** Full names, sometimes without their domain, rarely unknown ones. */
function someNames(all: readonly { readonly name: string }[], random: Random, most: number): string {
  const names = random
    .sample(all, random.between(1, most))
    .map(({ name }) => (random.chance(0.3) ? name.split('.')[0]! : name));
  if (names.length === 0 || random.chance(0.05)) names.push(UNKNOWN_NAME);
  return names.join(',');
}

const VERBOSITY: readonly OptionChoice[] = [
  { chance: 0.4, tokens: repeated('-v', 4) },
  { chance: 0.15, tokens: repeated('-q', 2) },
];

const OFFLINE: OptionChoice = {
  chance: 0.12,
  tokens: ({ cluster, random }) =>
    random.chance(0.05)
      ? ['-O', UNKNOWN_NAME]
      : random
          .sample(cluster.nodes, random.pick([1, 1, 1, 2, 3]))
          .flatMap(({ name }) => ['-O', random.chance(0.2) ? name.split('.')[0]! : name]),
};

const NODE_TABLE: readonly OptionChoice[] = [
  { chance: 0.12, tokens: always('-p') },
  {
    chance: 0.06,
    tokens: ({ random }) => [`-p${random.sample(NODE_FIELDS, random.between(1, 6)).join(',')}`],
  },
  {
    chance: 0.06,
    tokens: ({ random }) => [`--print-nodes=+${random.sample(NODE_FIELDS, random.between(1, 3)).join(',')}`],
  },
];

const INSTANCE_TABLE: OptionChoice = { chance: 0.12, tokens: always('--print-instances') };
const IGNORE_LOAD: OptionChoice = { chance: 0.08, tokens: always('--ignore-dynu') };

const LOAD_FILE: OptionChoice = {
  chance: 0.3,
  tokens: ({ cluster, random, files }) => {
    files.set('load.txt', withOddRows(dynamicUseText(cluster, random), random));
    return ['-U', 'load.txt'];
  },
};

const monitoring = (extra: readonly OptionChoice[]): OptionChoice => ({
  chance: 0.1,
  tokens: (context) => {
    const chosen = extra.flatMap((choice) =>
      context.random.chance(choice.chance) ? choice.tokens(context) : [],
    );
    const isXen = chosen.includes('--mond-xen');
    context.files.set('mond.json', mondText(context.cluster, context.random, isXen));
    return ['--mond=yes', '--mond-data=mond.json', ...chosen];
  },
});

const RATIOS: readonly OptionChoice[] = [
  { chance: 0.1, tokens: oneOf('--max-cpu', [0.5, 1, 2, 3.5, 16, '1e-300', '0x2', '1e12']) },
  { chance: 0.1, tokens: oneOf('--min-disk', [0.05, 0.2, 0.5, 0, 1, '(5e-2)']) },
];

/** Everything that hbal and hcheck share about choosing moves. */
const BALANCING: readonly OptionChoice[] = [
  { chance: 0.15, tokens: oneOf('--min-score', ['0', '1e-9', '0.5', '3', '100']) },
  { chance: 0.2, tokens: oneOf('--min-gain', [0, 0.001, 0.05, 0.5]) },
  { chance: 0.2, tokens: oneOf('--min-gain-limit', [0, 5, 1000]) },
  { chance: 0.15, tokens: always('--no-disk-moves') },
  { chance: 0.1, tokens: always('--no-instance-moves') },
  { chance: 0.15, tokens: always('-E') },
  { chance: 0.25, tokens: always('--ignore-soft-errors') },
  {
    chance: 0.15,
    tokens: oneOf('--exclusion-tags', ['service', 'team', 'service,team', 'none', '', 's', ',team']),
  },
  {
    chance: 0.08,
    tokens: ({ cluster, random }) => ['--select-instances', someNames(cluster.instances, random, 8)],
  },
  {
    chance: 0.08,
    tokens: ({ cluster, random }) => ['--exclude-instances', someNames(cluster.instances, random, 5)],
  },
  ...RATIOS,
  LOAD_FILE,
  IGNORE_LOAD,
  OFFLINE,
];

const SAVE: OptionChoice = { chance: 0.2, tokens: always('-S', SAVE_PREFIX) };

/** Only messages of KVM clusters care, but the option must be accepted everywhere. */
const STATIC_MEMORY: OptionChoice = {
  chance: 0.1,
  tokens: oneOf('--static-kvm-node-memory', [0, 1024, 4096, 8192]),
};

const MACHINE_READABLE: OptionChoice = {
  chance: 0.5,
  tokens: ({ random }) => [
    random.pick(['--machine-readable', '--machine-readable=yes', '--machine-readable=no']),
  ],
};

const NO_CAPACITY: OptionChoice = { chance: 0.4, tokens: always('--no-capacity-checks') };

const groupChoice: OptionChoice = {
  chance: 1,
  tokens: ({ cluster, random }) => {
    if (!random.chance(cluster.groups.length > 1 ? 0.85 : 0.1)) return [];
    if (random.chance(0.03)) return ['-G', 'no-such-group'];
    const group = random.pick(cluster.groups);
    return ['-G', random.chance(0.3) ? group.uuid : group.name];
  },
};

/**
 * Where some nodes are left out, stock names wrong ones when it evacuates the others fully
 * (docs/reference/differences.md).
 */
const FULL_EVACUATION_OR_FEWER_NODES: OptionChoice = {
  chance: 0.7,
  tokens: (context) => {
    const { cluster, random } = context;
    const isWhole = cluster.nodes.every(({ isOffline, isDrained }) => !isOffline && !isDrained);
    if (isWhole && random.chance(0.6)) return ['--full-evacuation'];
    if (random.chance(0.3)) return ['--skip-non-redundant'];
    if (random.chance(0.5)) return OFFLINE.tokens(context);
    const tags = [...new Set(cluster.nodes.flatMap((node) => node.tags)), 'none'];
    return ['--node-tags', tags.slice(0, random.between(1, 3)).join(',')];
  },
};

/** A group now and then; without one the program works on all of them. */
const groupOrAll: OptionChoice = { ...groupChoice, chance: 0.3 };

/** disk,memory,cpus of about the instances that are there. */
function allocationSpec({ cluster, random }: OptionContext): string {
  const model = cluster.instances.length > 0 ? random.pick(cluster.instances) : undefined;
  const cells: (string | number)[] = [
    random.chance(0.2) ? '2g' : Math.max(1, Math.round((model?.diskMib || 2048) * random.real(0.5, 2))),
    Math.max(1, Math.round((model?.memMib ?? 512) * random.real(0.8, 3))),
    random.between(1, 4),
  ];
  if (random.chance(0.2)) cells.push(random.between(0, 2));
  return cells.join(',');
}

/**
 * What ours is told on top, where it does more than stock unless asked not to
 * (docs/reference/differences.md).
 */
export const AS_STOCK: Readonly<Partial<Record<ProgramName, readonly string[]>>> = {
  hbal: ['--require-group', '--stock-figures'],
  hspace: ['--stock-figures'],
  hail: ['--stock-figures'],
  hsqueeze: ['--stock-figures'],
};

const OPTION_SETS: Readonly<Record<ProgramName, readonly OptionChoice[]>> = {
  hbal: [
    ...VERBOSITY,
    ...BALANCING,
    { chance: 0.15, tokens: always('--restricted-migration') },
    groupChoice,
    ...NODE_TABLE,
    INSTANCE_TABLE,
    monitoring([
      { chance: 0.3, tokens: always('--mond-xen') },
      { chance: 0.3, tokens: always('--exit-on-missing-mond-data') },
    ]),
    { chance: 0.25, tokens: always('-C') },
    { chance: 0.15, tokens: always(`-C${COMMAND_FILE}`) },
    { chance: 0.05, tokens: always('--first-job-group') },
    SAVE,
    STATIC_MEMORY,
  ],
  hinfo: [...VERBOSITY, ...NODE_TABLE, INSTANCE_TABLE, OFFLINE, IGNORE_LOAD, monitoring([]), STATIC_MEMORY],
  hcheck: [
    ...VERBOSITY,
    ...BALANCING,
    MACHINE_READABLE,
    { chance: 0.2, tokens: always('--no-simulation') },
    NO_CAPACITY,
  ],
  hail: [
    { chance: 0.2, tokens: repeated('-v', 3) },
    ...NODE_TABLE.map((choice) => ({ ...choice, chance: choice.chance / 2 })),
    SAVE,
    IGNORE_LOAD,
    { chance: 0.3, tokens: always('--ignore-soft-errors') },
    NO_CAPACITY,
    {
      chance: 0.15,
      tokens: ({ cluster, random }) => [
        `--restrict-allocation-to=${random
          .sample(cluster.nodes, random.between(1, cluster.nodes.length))
          .map((node) => node.name)
          .join(',')}`,
      ],
    },
    STATIC_MEMORY,
  ],
  hroller: [
    ...VERBOSITY,
    FULL_EVACUATION_OR_FEWER_NODES,
    groupOrAll,
    SAVE,
    STATIC_MEMORY,
    { chance: 0.8, tokens: always('-f') },
    { chance: 0.25, tokens: always('--offline-maintenance') },
    { chance: 0.5, tokens: always('--print-moves') },
    { chance: 0.25, tokens: always('--ignore-non-redundant') },
    { chance: 0.2, tokens: always('--one-step-only') },
    { chance: 0.15, tokens: always('--no-headers') },
  ],
  harep: [
    { chance: 0.4, tokens: always('--dry-run') },
    { chance: 0.4, tokens: oneOf('--job-delay', [0, 0.05, 2.5, 60]) },
    { chance: 0.2, tokens: always('--reason', 'night shift') },
  ],
  hscan: [
    { chance: 0.3, tokens: repeated('-v', 2) },
    { chance: 0.2, tokens: always('--no-headers') },
    ...NODE_TABLE,
    STATIC_MEMORY,
  ],
  hsqueeze: [
    { chance: 0.5, tokens: repeated('-v', 2) },
    { chance: 0.15, tokens: always('--no-headers') },
    { chance: 0.4, tokens: oneOf('--minimal-resources', [0, 0.1, 0.5, 1, 3]) },
    { chance: 0.6, tokens: oneOf('--target-resources', [0, 0.1, 0.5, 1, 3]) },
    { chance: 0.3, tokens: always('-C') },
    { chance: 0.2, tokens: always(`-C${COMMAND_FILE}`) },
    SAVE,
    STATIC_MEMORY,
  ],
  hspace: [
    ...VERBOSITY,
    ...NODE_TABLE.map((choice) => ({ ...choice, chance: choice.chance / 2 })),
    ...RATIOS,
    OFFLINE,
    MACHINE_READABLE,
    NO_CAPACITY,
    SAVE,
    STATIC_MEMORY,
    { chance: 0.5, tokens: oneOf('--disk-template', DISK_TEMPLATES) },
    { chance: 0.1, tokens: oneOf('--spindle-use', [0, 1, 2]) },
    { chance: 0.25, tokens: always('--independent-groups') },
    { chance: 0.3, tokens: always('--accept-existing-errors') },
    { chance: 0.6, tokens: (context) => ['--standard-alloc', allocationSpec(context)] },
    { chance: 0.75, tokens: (context) => ['--tiered-alloc', allocationSpec(context)] },
  ],
};

/** The tokens of one random set of options; files that they need are added to the context's. */
export function chooseOptions(program: ProgramName, context: OptionContext): string[] {
  return OPTION_SETS[program].flatMap((choice) =>
    context.random.chance(choice.chance) ? [...choice.tokens(context)] : [],
  );
}
