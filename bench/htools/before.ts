/**
 * `npm run compare -- before FOLDER`: the programs as they are now against another build of them, on
 * generated clusters under random command lines, those of our own options included. Every byte that they
 * print or leave behind has to be the same.
 *
 * Exit status: 0 when nothing differs, 1 when something does, 2 on a bad command line.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments, refuse } from '../arguments.ts';
import { makeCluster } from '../generate/cluster.ts';
import type { MadeCluster } from '../generate/made-cluster.ts';
import { Random } from '../generate/random.ts';
import { iallocatorMessage, REQUEST_TYPES, randomRequest } from '../generate/request.ts';
import { randomShape } from '../generate/shape.ts';
import { makeSuperCluster, randomSuperShape } from '../generate/super-cluster.ts';
import { clusterText } from '../generate/text.ts';
import { addWishes } from '../generate/wish-tags.ts';
import { type AnyProgramName, launcherOf } from '../launchers.ts';
import { type RunResult, runProgram } from '../run-program.ts';
import { writeFiles } from './compare/write-files.ts';

/** `INSTANCE`, `NODE` and `GROUP` stand for names of the cluster; each option is taken by chance. */
const SHARED = ['-v', '-v -v', '-q', '-O NODE', '--reserve=memory=5%', '--what-if=drain node NODE'];
const MACHINES = ['--json', '--format=prometheus'];
const GROUPS = ['--machine-readable', '--html=page.html', '-S saved'];
const DEEP = ['--search=deep --effort=0.05', '--search=deep --effort=0.2 --seed=3'];
const QUESTIONS = ['--explain', '--why=INSTANCE', '--try=INSTANCE=NODE'];
const BALANCING = [
  '-l 3',
  '-E',
  '--no-disk-moves',
  '--no-instance-moves',
  '--ignore-soft-errors',
  '--exclusion-tags=service,team',
  '--min-gain=0.05',
  '--max-cpu=2',
  '--min-disk=0.1',
];
const WORDS: Readonly<Partial<Record<AnyProgramName, readonly string[]>>> = {
  hbal: [
    ...BALANCING,
    ...DEEP,
    ...QUESTIONS,
    ...MACHINES,
    '--budget=50GiB --effort=0.05',
    '--budget=1h --effort=0.05',
    '--budget=10migrations --effort=0.05',
    '--only-rules',
    '--search=deep --bound --effort=0.05',
    '-G GROUP',
    '--all-groups',
    '-S saved',
    '-p',
    '-C',
    '-Cscript.sh',
    '--html=page.html',
    '--print-instances',
    '--stock-figures',
  ],
  hcheck: [...BALANCING, ...MACHINES, '--no-simulation', '--lint'],
  hinfo: [...MACHINES, '--html=page.html', '--n1', '--groups', '--storage', '-p', '--print-instances'],
  hspace: [
    ...MACHINES,
    ...GROUPS,
    '-l 20',
    '--explain -l 20',
    '--disk-template=drbd',
    '--disk-template=plain',
    '--disk-template=diskless',
    '--disk-template=sharedfile',
    '--independent-groups',
    '--accept-existing-errors',
    '--no-capacity-checks',
    '--standard-alloc=10g,1g,1',
    '--tiered-alloc=100g,16g,4',
    '--after-balancing',
    '--max-cpu=2',
  ],
  hroller: [
    '--plan',
    '--explain',
    '--full-evacuation',
    '--offline-maintenance',
    '--json',
    '--one-step-only',
    '-G GROUP',
  ],
  hsqueeze: [
    '-C',
    '--json',
    '--exact',
    '--minimal-resources=1.5',
    '--target-resources=2.5',
    '-v',
    '-S saved',
  ],
  harep: ['--dry-run'],
  hredist: [...DEEP, ...QUESTIONS, ...MACHINES, ...GROUPS, '-C', '-G GROUP', '--max-cpu=2'],
  hcompress: [
    ...DEEP,
    ...MACHINES,
    '--all',
    '-G GROUP',
    '--machine-readable',
    '--html=page.html',
    '--evacuate',
    '--evacuate --all',
    ...[...QUESTIONS, '-C', '-S saved'].map((word) => `--evacuate ${word}`),
  ],
  hspread: [...DEEP, ...QUESTIONS, ...MACHINES, ...GROUPS, '-C', '--disk-moves', '--exclude-groups=GROUP'],
  hail: [
    '--search=deep',
    '--explain=why.txt',
    '-v',
    '-S saved',
    '--no-capacity-checks',
    '--ignore-soft-errors',
  ],
};
const ALL = Object.keys(WORDS) as AnyProgramName[];
const CLUSTER_FILE = 'cluster.data';
const REQUEST_FILE = 'request.json';
const SUPER_LIMITS = { groups: [2, 5], nodes: [3, 9] } as const;
/** Chances that a cluster has many groups, and that an option is taken. */
const SUPER_SHARE = 0.3;
/** How many clusters have rules as tags of instances. */
const WISH_SHARE = 0.3;
const OPTION_SHARE = 1.6;

const USAGE = `usage: npm run compare -- before FOLDER [options]
  FOLDER            the launchers (bin) of the other build
  --programs LIST   which programs (default: ${ALL.join(',')})
  --count N         command lines of each program (default 20)
  --seed S          first seed (default 1)
  --timeout T       seconds for one run (default 60)`;

export const OPTIONS = {
  programs: { type: 'string', default: ALL.join(',') },
  count: { type: 'string', default: '20' },
  seed: { type: 'string', default: '1' },
  timeout: { type: 'string', default: '60' },
} as const;

function filledIn(word: string, { instances, nodes, groups }: MadeCluster, random: Random): string {
  // Where there is none of a kind the name is of nothing.
  const anyOf = (list: readonly { readonly name: string }[]): string =>
    list.length > 0 ? random.pick(list).name : 'none';
  return word
    .replace('INSTANCE', () => anyOf(instances))
    .replace('NODE', () => anyOf(nodes))
    .replace('GROUP', () => anyOf(groups));
}

function commandLine(program: AnyProgramName, seed: number) {
  const random = new Random(seed, `before ${program}`);
  const isSuper = random.chance(SUPER_SHARE);
  const cluster = isSuper
    ? makeSuperCluster(randomSuperShape(seed, SUPER_LIMITS))
    : makeCluster(randomShape(seed));
  const ofWishes = new Random(seed, 'wishes');
  if (ofWishes.chance(WISH_SHARE)) addWishes(cluster, ofWishes);
  const files = new Map([[CLUSTER_FILE, clusterText(cluster)]]);
  if (program === 'hail') {
    const request = randomRequest(cluster, REQUEST_TYPES[seed % REQUEST_TYPES.length]!, random);
    files.set(REQUEST_FILE, iallocatorMessage(cluster, request, 'kvm'));
  }
  const choices = [
    ...WORDS[program]!,
    ...(program === 'hail' || program === 'harep' || program === 'hsqueeze' ? [] : SHARED),
  ];
  const chosen = choices.filter(() => random.chance(OPTION_SHARE / choices.length));
  const args = chosen.flatMap((words) =>
    (words.startsWith('--what-if') ? [words] : words.split(' ')).map((word) =>
      filledIn(word, cluster, random),
    ),
  );
  return { files, args: [...(program === 'hail' ? [REQUEST_FILE] : ['-t', CLUSTER_FILE]), ...args] };
}

type Outcome = RunResult & { readonly left: readonly (readonly [string, string])[] };

/** Runs a launcher in a folder of its own. */
async function runOne(
  path: string,
  { files, args }: ReturnType<typeof commandLine>,
  timeoutSeconds: number,
): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-before-'));
  try {
    writeFiles(folder, files);
    const result = await runProgram({ path, args, folder, timeoutSeconds });
    const left = readdirSync(folder)
      .sort()
      .map((name) => [name, readFileSync(join(folder, name), 'latin1')] as const);
    return { ...result, left };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What two runs differ in, as a word and the first lines that do. */
function differenceOf(before: Outcome, now: Outcome): string | undefined {
  if (before.exitCode !== now.exitCode) return `exit status ${before.exitCode}, now ${now.exitCode}`;
  const texts = (run: Outcome) =>
    new Map([['stdout', run.stdout], ['stderr', run.stderr], ...run.left] as [string, string][]);
  const old = texts(before);
  const fresh = texts(now);
  for (const name of new Set([...old.keys(), ...fresh.keys()])) {
    const a = old.get(name)?.split('\n') ?? [];
    const b = fresh.get(name)?.split('\n') ?? [];
    const line = a.findIndex((text, i) => text !== b[i]);
    if (line >= 0 || a.length !== b.length)
      return `${name}, line ${(line < 0 ? a.length : line) + 1}\n    before: ${a[line] ?? ''}\n    now:    ${b[line] ?? ''}`;
  }
  return undefined;
}

const { values, positionals } = readArguments(USAGE, OPTIONS, 1);
const programs = values.programs.split(',') as AnyProgramName[];
if (positionals.length === 0) refuse(USAGE, 'No folder is given');
let compared = 0;
let differing = 0;
let unended = 0;
for (const program of programs) {
  if (WORDS[program] === undefined) refuse(USAGE, `There is no program ${program} here`);
  const [old, ours] = [launcherOf(program, positionals[0]), launcherOf(program)];
  if (old === undefined || ours === undefined) refuse(USAGE, `There is no ${program} in ${positionals[0]}`);
  for (let i = 0; i < Number(values.count); i++) {
    const seed = Number(values.seed) + i;
    const trial = commandLine(program, seed);
    const [before, now] = await Promise.all(
      [old, ours].map((path) => runOne(path, trial, Number(values.timeout))),
    );
    if (before!.isTimedOut || now!.isTimedOut) {
      unended++;
      continue;
    }
    compared++;
    const difference = differenceOf(before!, now!);
    if (difference === undefined) continue;
    differing++;
    console.log(`different: seed ${seed}: ${program} ${trial.args.join(' ')}\n    ${difference}`);
  }
}
console.log(`${compared} command lines compared, ${differing} differ; ${unended} did not end in time`);
process.exitCode = differing > 0 ? 1 : 0;
