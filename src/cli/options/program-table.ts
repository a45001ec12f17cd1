/**
 * The programs: what each is for, which options it takes (in the order of `--help-completion`, which is a contract for the
 * stock ones; ours follow them) and which arguments.
 */
import type { Completion } from './option.ts';
import type { OptionKey } from './option-table.ts';

/** Arguments that are not options. */
export interface Positionals {
  readonly metavar: string;
  readonly completion: Completion;
  readonly min: number;
  readonly max: number;
  /** Said (after "Error: ") when there are fewer than `min`, and when there are more than `max`. */
  readonly tooFew: string;
  readonly tooMany: string;
}

export interface ProgramDefinition {
  readonly summary: string;
  readonly options: readonly OptionKey[];
  readonly positionals: Positionals;
}

const NO_POSITIONALS: Positionals = {
  metavar: '',
  completion: 'none',
  min: 0,
  max: 0,
  tooFew: '',
  tooMany: "This program doesn't take any arguments.",
};

/** Every program ends its list with these, in this order. */
const GENERAL = ['version', 'help', 'helpCompletion'] as const satisfies readonly OptionKey[];

/** How live clusters are talked to, beyond the stock programs. */
const TALK = [
  'rapiCredentials',
  'rapiCa',
  'rapiFingerprint',
  'connectTimeout',
  'answerTimeout',
] as const satisfies readonly OptionKey[];

/** What healing groups and emptying them have in common. */
const GROUP_WORK = [
  'printCommands',
  'textData',
  'master',
  'luxi',
  'iallocSource',
  'offline',
  'staticKvmNodeMemory',
  'maxCpu',
  'minDisk',
  'exclusionTags',
  'save',
  'machineReadable',
  'quiet',
] as const satisfies readonly OptionKey[];

export const PROGRAMS = {
  hail: {
    summary: 'chooses nodes for Ganeti, as its instance allocator',
    options: [
      'printNodes',
      'save',
      'textData',
      'simulate',
      'verbose',
      'ignoreDynu',
      'mond',
      'mondXen',
      'ignoreSoftErrors',
      'noCapacityChecks',
      'restrictAllocationTo',
      'staticKvmNodeMemory',
      'allowIntergroup',
      'explainFile',
      'connectTimeout',
      'answerTimeout',
      'completion',
      ...GENERAL,
    ],
    positionals: {
      metavar: 'FILE',
      completion: 'file',
      min: 1,
      max: 1,
      tooFew: 'This program needs an input file.',
      tooMany: 'Only one argument is accepted (the input file)',
    },
  },
  hbal: {
    summary: 'balances a cluster: finds the steps that even out its nodes',
    options: [
      'printNodes',
      'printInstances',
      'printCommands',
      'textData',
      'evacMode',
      'restrictedMigration',
      'master',
      'luxi',
      'iallocSource',
      'firstJobGroup',
      'group',
      'maxLength',
      'verbose',
      'quiet',
      'offline',
      'staticKvmNodeMemory',
      'minScore',
      'maxCpu',
      'minDisk',
      'minGain',
      'minGainLimit',
      'noDiskMoves',
      'selectInstances',
      'noInstanceMoves',
      'ignoreSoftErrors',
      'dynuFile',
      'ignoreDynu',
      'mond',
      'mondData',
      'exitOnMissingMondData',
      'mondXen',
      'exclusionTags',
      'excludeInstances',
      'save',
      'allGroups',
      'requireGroup',
      'n1Guard',
      'jobs',
      ...TALK,
      'json',
      'color',
      'completion',
      ...GENERAL,
    ],
    positionals: NO_POSITIONALS,
  },
  hcheck: {
    summary: 'checks the health of a cluster and whether balancing would help it',
    options: [
      'textData',
      'noDiskMoves',
      'dynuFile',
      'ignoreDynu',
      'evacMode',
      'excludeInstances',
      'exclusionTags',
      'iallocSource',
      'noInstanceMoves',
      'luxi',
      'machineReadable',
      'maxCpu',
      'maxLength',
      'minDisk',
      'minGain',
      'minGainLimit',
      'minScore',
      'ignoreSoftErrors',
      'noSimulation',
      'offline',
      'quiet',
      'master',
      'selectInstances',
      'noCapacityChecks',
      'verbose',
      'jobs',
      ...TALK,
      'json',
      'color',
      'completion',
      ...GENERAL,
    ],
    positionals: NO_POSITIONALS,
  },
  hcompress: {
    summary: 'finds node groups that can be emptied and given back',
    options: [
      ...GROUP_WORK,
      'check',
      'evacuate',
      'all',
      'bandwidth',
      ...TALK,
      'json',
      'completion',
      ...GENERAL,
    ],
    positionals: NO_POSITIONALS,
  },
  hredist: {
    summary: 'heals node groups by moving instances to healthy ones',
    options: [...GROUP_WORK, 'bandwidth', ...TALK, 'json', 'completion', ...GENERAL],
    positionals: NO_POSITIONALS,
  },
  hspread: {
    summary: 'evens out load over the node groups of a cluster',
    options: [
      'printCommands',
      'textData',
      'master',
      'luxi',
      'iallocSource',
      'dynuFile',
      'ignoreDynu',
      'mond',
      'mondData',
      'exitOnMissingMondData',
      'mondXen',
      'maxLength',
      'minScore',
      'minGain',
      'minGainLimit',
      'selectInstances',
      'excludeInstances',
      'offline',
      'staticKvmNodeMemory',
      'maxCpu',
      'minDisk',
      'exclusionTags',
      'save',
      'machineReadable',
      'quiet',
      'diskMoves',
      'outlier',
      'bandwidth',
      ...TALK,
      'json',
      'completion',
      ...GENERAL,
    ],
    positionals: NO_POSITIONALS,
  },
  hinfo: {
    summary: 'shows the state of a cluster and its groups',
    options: [
      'printNodes',
      'printInstances',
      'textData',
      'master',
      'luxi',
      'iallocSource',
      'verbose',
      'quiet',
      'offline',
      'ignoreDynu',
      'mond',
      'mondData',
      'staticKvmNodeMemory',
      'groups',
      'storage',
      'n1',
      ...TALK,
      'json',
      'color',
      'completion',
      ...GENERAL,
    ],
    positionals: NO_POSITIONALS,
  },
  hspace: {
    summary: 'computes how many more instances a cluster can hold',
    options: [
      'printNodes',
      'textData',
      'diskTemplate',
      'spindleUse',
      'simulate',
      'master',
      'luxi',
      'iallocSource',
      'verbose',
      'quiet',
      'independentGroups',
      'acceptExistingErrors',
      'offline',
      'noCapacityChecks',
      'machineReadable',
      'maxCpu',
      'maxLength',
      'minDisk',
      'standardAlloc',
      'tieredAlloc',
      'save',
      'staticKvmNodeMemory',
      'storagePool',
      'explain',
      ...TALK,
      'json',
      'color',
      'completion',
      ...GENERAL,
    ],
    positionals: NO_POSITIONALS,
  },
  hscan: {
    summary: 'saves snapshots of live clusters, and shows each in a line',
    options: [
      'printNodes',
      'outputDir',
      'luxi',
      'verbose',
      'noHeaders',
      'staticKvmNodeMemory',
      ...TALK,
      'json',
      'color',
      'completion',
      ...GENERAL,
    ],
    positionals: {
      metavar: 'CLUSTER',
      completion: 'host',
      min: 0,
      max: Number.POSITIVE_INFINITY,
      tooFew: '',
      tooMany: '',
    },
  },
} as const satisfies Record<string, ProgramDefinition>;

export type ProgramName = keyof typeof PROGRAMS;

/** The programs, by name. */
export const PROGRAM_NAMES = Object.keys(PROGRAMS).sort() as readonly ProgramName[];

/** What `program` is. A plain function, so that callers see the general type and not the table's literals. */
export const programDefinition = (program: ProgramName): ProgramDefinition => PROGRAMS[program];
