/**
 * Draws options of a program at random, many of them with values that somebody might try in order to do harm.
 */
import type { OptionDefinition } from '../../../src/kit/cli/options/option.ts';
import { words } from '../../../src/kit/cli/options/words.ts';
import { PROGRAMS, type ProgramName } from '../../../src/suite/programs.ts';
import type { MadeCluster } from '../../generate/made-cluster.ts';
import type { Random } from '../../generate/random.ts';
import { HOSTILE_ARGUMENTS, HOSTILE_NAMES } from '../damage/hostile.ts';

/** Name that `-S` saves under, and files that programs write. */
export const SAVE_PREFIX = 'saved';
export const SCRIPT_FILE = 'commands.sh';
const EXPLAIN_FILE = 'explain.json';

/**
 * Where the cluster comes from is chosen elsewhere; threads are not started in the fuzzer's process, and its
 * colours are its own.
 */
const LEFT_OUT: readonly string[] = words(
  'textFile iallocatorFile simulate dynuFile mond mondData jobs color completion version help helpCompletion',
);
/** Whose texts are not read as numbers, names or fields. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  save: [SAVE_PREFIX],
  printCommands: [SCRIPT_FILE],
  explainFile: [EXPLAIN_FILE],
};
/** The same for each of these keys. */
const each = <Value>(keys: string, value: Value): Readonly<Record<string, Value>> =>
  Object.fromEntries(words(keys).map((key) => [key, value]));

/** Options that make a program do the work that is to be looked at. */
const LIKELY: Readonly<Record<string, number>> = {
  save: 0.4,
  printCommands: 0.6,
  evacuate: 0.5,
  maxLength: 0.7,
  whatIf: 0.2,
  // With a cluster from a file there is nothing to carry out: most end in a refusal.
  ...each(
    `exec execDryRun resume retry skipFailed wayHome journal noJournal parallel until calm wait worth config
     checkConfig history letRest ledger load rapiAddress luxiSocket rapiCredentials rapiCa rapiFingerprint
     rapiInsecure connectTimeout answerTimeout loadLabel loadUse loadWindow`,
    0.005,
  ),
};
const USUAL_CHANCE = 0.08;
/** Most command lines would be refused if any value could be one that somebody tries. */
const HOSTILE_LINES = 0.1;
const HOSTILE_SHARE = 0.3;
const SIZES = ['1g,1g,1', '10g,512m,2', '1t,64g,16', '20g,2g,1,2'];
const RATIOS = ['0', '0.1', '1', '4', '1e-9', '100'];
const COUNTS = ['0', '1', '2', '4', '4096'];
const SHORT_LENGTHS = ['0', '1', '2', '5', '-1'];
const FIELDS = ['name', 'fmem', 'ptags', 'peermap', 'nosuch', '+name', '+', '\u001b[1m', 'name,,fmem'];

/** A name of the cluster, a short form of one, or one that is none. */
function someName(cluster: MadeCluster, random: Random): string {
  if (random.chance(HOSTILE_SHARE)) return random.pick(HOSTILE_NAMES);
  const all = [...cluster.nodes, ...cluster.instances, ...cluster.groups].map(({ name }) => name);
  const name = all.length > 0 ? random.pick(all) : 'nobody';
  return random.chance(0.3) ? name.split('.')[0]! : name;
}

/** `INSTANCE`, `NODE` and `GROUP` stand for names of the cluster. */
// biome-ignore format: a list of words
const CHANGES = [
  'drain node NODE', 'drain node NODE NODE', 'drain group GROUP', 'undrain group GROUP', 'undrain node NODE', 'remove node NODE with-instances',
  'remove group GROUP with-instances', 'remove node NODE', 'add nodes 2 like NODE', 'add nodes 1 like NODE group=GROUP', 'resize node NODE memory=+4g cpus=+1',
  'resize node NODE memory=0', 'resize node NODE cpus=0', 'resize node NODE disk=-1g spindles=0', 'add instance x1 primary=NODE secondary=NODE memory=2g',
  'add instance x2 primary=NODE template=plain', 'add instance x3 primary=NODE like=INSTANCE', 'add instance x4 primary=NODE template=ext status=ADMIN_down',
  'remove instance INSTANCE', 'resize instance INSTANCE memory=+1g', 'resize instance INSTANCE disk=0 vcpus=100 spindles=0', 'load instance INSTANCE cpu=10',
  'move instance INSTANCE primary=NODE', 'move instance INSTANCE primary=NODE secondary=NODE', 'tag cluster +htools:iextags:team', 'tag group GROUP +x',
  'tag node NODE +htools:storagepool:external/nas', 'tag instance INSTANCE +htools:together:a', 'tag instance INSTANCE +htools:pinned:NODE',
  'tag instance INSTANCE +htools:sticky', 'policy group GROUP vcpu-ratio=0.5', 'policy group GROUP allocation=unallocable templates=plain', 'policy cluster templates=drbd',
  'reserve node NODE memory=2g disk=1g', 'weight metric free_mem_cv=0', 'weight metric offline_pri_cnt=0 n1_cnt=100',
];
/** What a user would write for options of whose kind nothing follows. */
const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  whatIf: CHANGES,
  reserve: words('memory=10% disk=5% memory=4g memory=10%,disk=5% memory=100% disk=100% memory=0%'),
  budget: words('10GiB 0GiB 30min 5migrations 0failovers 3moves 90% 50% 100% 2/h knee best'),
  price: words('migration=32 rewritten=2 downtime=0 job=0 migration=1,rewritten=1,downtime=1000,job=600'),
  tryMove: ['INSTANCE=NODE', 'INSTANCE=NODE:NODE'],
  tryRound: ['NODE=1', 'NODE=2', 'NODE=99'],
  loadLabel: ['instance', 'host'],
  loadWindow: ['90s', '7d'],
  exclusionTags: ['service', 'team,service', 'htools', ''],
  nodeTags: ['power:feed0', 'site', 'kernel:v1,power:feed1'],
  instanceTags: ['team:1', 'service:shop,team:2'],
  storagePool: ['external/nas', 'internal/lvm', 'external/nowhere'],
  group: ['GROUP'],
  selectGroups: ['GROUP', 'GROUP,GROUP'],
  excludeGroups: ['GROUP', 'GROUP,GROUP'],
  selectInstances: ['INSTANCE', 'INSTANCE,INSTANCE,INSTANCE'],
  excludeInstances: ['INSTANCE', 'INSTANCE,INSTANCE,INSTANCE'],
  offline: ['NODE'],
  restrictAllocationTo: ['NODE', 'NODE,NODE,NODE'],
  bandwidth: ['1', '1000'],
  seed: ['0', '7'],
  why: ['INSTANCE'],
  whyNode: ['NODE'],
  effort: ['0.001', '0.02'],
  searchTime: ['0.01'],
};

const filledIn = (words: string, { instances, nodes, groups }: MadeCluster, random: Random): string =>
  words.replace(/INSTANCE|NODE|GROUP/g, (kind) => {
    const list = kind === 'NODE' ? nodes : kind === 'GROUP' ? groups : instances;
    return list.length > 0 ? random.pick<{ readonly name: string }>(list).name : 'nobody';
  });

const amountOf = (kind: OptionDefinition['kind'], random: Random): string =>
  random.pick(kind === 'size' ? SIZES : kind === 'float' ? RATIOS : COUNTS);

/** What a user would write. */
function usualArgument(
  key: string,
  definition: OptionDefinition,
  cluster: MadeCluster,
  random: Random,
): string {
  const written = WRITTEN[key];
  if (written) return filledIn(random.pick(written), cluster, random);
  const { choices, kind } = definition;
  if (choices) return random.pick(choices);
  if (kind === 'size' || kind === 'float' || kind === 'integer') return amountOf(kind, random);
  return argumentOf(key, definition, cluster, random);
}

/** A value for an option that takes one. */
export function argumentOf(
  key: string,
  { kind, choices }: OptionDefinition,
  cluster: MadeCluster,
  random: Random,
): string {
  const files = FILES[key];
  if (files) return random.pick(files);
  if (key === 'maxLength' && random.chance(0.8)) return random.pick(SHORT_LENGTHS);
  if (choices && random.chance(0.8)) return random.pick(choices);
  switch (kind) {
    case 'fields':
      return random.pick(FIELDS);
    case 'text':
    case 'repeated':
      return someName(cluster, random);
    case 'names':
      return Array.from({ length: random.between(1, 4) }, () => someName(cluster, random)).join(',');
    default:
      return random.chance(HOSTILE_SHARE) ? random.pick(HOSTILE_ARGUMENTS) : amountOf(kind, random);
  }
}

/** A deep search starts threads unless it is told otherwise, and takes its time. */
const deep = (program: ProgramName): readonly string[] => [
  '--search=deep',
  ...(program === 'hail' ? [] : ['--effort=0.02']),
  ...('jobs' in PROGRAMS[program].options ? ['--jobs=1'] : []),
];
const evacuation = (program: ProgramName): readonly string[] =>
  program === 'hcompress' ? ['--evacuate'] : [];
const plan = (program: ProgramName): readonly string[] =>
  program === 'hroller' ? ['--plan'] : evacuation(program);
/** What options are refused without. */
const BESIDE: Readonly<Record<string, (program: ProgramName) => readonly string[]>> = {
  ...each('search effort seed searchTime budget bound', deep),
  ...each('printCommands firstJobGroup price bandwidth rebootCommand rebootTimeout', plan),
  ...each('save explainSteps all', evacuation),
  diff: () => ['--what-if=tag cluster +x'],
};

/** Options of `program` that go along with any source. A command line holds no NUL. */
export function optionList(program: ProgramName, cluster: MadeCluster, random: Random): string[] {
  const draw = random.chance(HOSTILE_LINES) ? argumentOf : usualArgument;
  const list: string[] = [];
  for (const [key, definition] of Object.entries(PROGRAMS[program].options)) {
    if (LEFT_OUT.includes(key) || definition.group === 'general') continue;
    if (!random.chance(LIKELY[key] ?? USUAL_CHANCE)) continue;
    const takesArgument =
      definition.argument === 'required' || (definition.argument === 'glued' && random.chance(0.7));
    list.push(...(BESIDE[key]?.(program) ?? []));
    if (key === 'search') continue;
    const value = takesArgument ? `=${draw(key, definition, cluster, random)}` : '';
    list.push(`--${definition.name}${value}`.replaceAll('\0', ''));
  }
  return list;
}
