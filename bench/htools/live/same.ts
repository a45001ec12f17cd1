/**
 * One cluster, read over every way by our programs and by the stock ones: the same bytes on standard output,
 * and the same exit status.
 */
import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { LUXI, type Maker, RAPI_HOST, type Ran, run, SCRATCH, snapshot, textOf } from './cluster.ts';
import { check } from './report.ts';

type Way = 'luxi' | 'rapi' | 'text';

interface Case {
  readonly words: readonly [program: string, ...args: string[]];
  /** There is no such program, or no such answer, in stock. */
  readonly isOursAlone?: true;
}

/** Exit statuses that are answers: there is something to be done. */
const FOUND: Readonly<Record<string, number>> = { hcheck: 1, hbal: 3 };

/** Ways that a program does not take, in stock as in ours. */
const NOT_TAKEN: Readonly<Record<string, readonly Way[]>> = { hsqueeze: ['rapi'], harep: ['rapi', 'text'] };

/** One of each program; run for every state. */
const CASES: readonly Case[] = [
  { words: ['hinfo', '-v', '--print-instances'] },
  { words: ['hbal', '-G', 'default', '-C', '-v', '-p'] },
  { words: ['hspace', '--machine-readable', '-l', '5'] },
  { words: ['hcheck', '--machine-readable'] },
  { words: ['hroller', '-f', '--print-moves'] },
  { words: ['hsqueeze', '-v'] },
  { words: ['harep', '--dry-run'] },
  // Stock moves instances into other groups.
  { words: ['hsqueeze', '-C'], isOursAlone: true },
  { words: ['hredist', '-C'], isOursAlone: true },
  { words: ['hcompress', '--evacuate', '-C'], isOursAlone: true },
  { words: ['hspread', '-C'], isOursAlone: true },
];

/** More of them, for the long form. */
const MORE_CASES: readonly Case[] = [
  { words: ['hinfo'] },
  { words: ['hbal', '-G', 'other', '-l', '3', '-v', '-v', '-v'] },
  { words: ['hbal', '-G', 'default', '-v', '--no-disk-moves'] },
  // Stock says nothing of instances that stay, and ends with 0.
  { words: ['hbal', '-G', 'default', '-E'], isOursAlone: true },
  { words: ['hbal', '-G', 'default', '--exclusion-tags=x', '-O', 'node2.example.com'] },
  { words: ['hspace', '-l', '3', '-v'] },
  { words: ['hspace', '--standard-alloc=10g,4g,2', '--disk-template=drbd', '--machine-readable'] },
  { words: ['hcheck', '-v'] },
  { words: ['hcheck', '--no-simulation', '--machine-readable'] },
  { words: ['hroller', '-G', 'default', '--offline-maintenance', '--print-moves', '-f'] },
  { words: ['hroller', '--ignore-non-redundant', '--no-headers', '-f'] },
  { words: ['hsqueeze', '-v', '--target-resources=1.2', '--minimal-resources=1.1'] },
  { words: ['hredist'], isOursAlone: true },
  { words: ['hcompress', '--all'], isOursAlone: true },
  { words: ['hspread', '-v'], isOursAlone: true },
];

/** Runs of programs at one time. */
const AT_ONCE = availableParallelism();

/** Does work of a list, several at a time, in no order. */
async function sideBySide(tasks: readonly (() => Promise<void>)[]): Promise<void> {
  const waiting = [...tasks];
  const lane = async (): Promise<void> => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) await task();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

const lineOf = ({ status, stdout, stderr }: Ran): string =>
  `exit status ${status}\n${stdout}${stdout.length > 0 ? '' : stderr}`;

/** Both say nothing else on standard output, and end alike. */
const isSame = (a: Ran, b: Ran): boolean => a.status === b.status && a.stdout === b.stdout;

async function checkCase(
  { words, isOursAlone }: Case,
  state: string,
  sources: Record<Way, string>,
): Promise<void> {
  const [program, ...args] = words;
  const ways = (Object.keys(sources) as Way[]).filter((way) => !NOT_TAKEN[program]?.includes(way));
  const makers: readonly Maker[] = isOursAlone ? ['ours'] : ['ours', 'stock'];
  const runs: { readonly name: string; readonly ran: Ran }[] = [];
  for (const way of ways)
    for (const maker of makers)
      runs.push({ name: `${maker} ${way}`, ran: await run(maker, program, [sources[way], ...args]) });
  const [first, ...others] = runs;
  const odd = others.find(({ ran }) => !isSame(ran, first!.ran));
  // Two that fail alike say nothing about the cluster.
  const { status, stdout } = first!.ran;
  const isAnswer = stdout.length > 0 && (status === 0 || status === FOUND[program]);
  const problem = odd
    ? `${first!.name}: ${lineOf(first!.ran)}-- ${odd.name}: ${lineOf(odd.ran)}`
    : isAnswer
      ? undefined
      : lineOf(first!.ran);
  check(
    `${state}: ${words.join(' ')}: the same ${runs.length} times (${runs.map(({ name }) => name).join(', ')})`,
    problem,
  );
}

/** hscan's table and files. */
async function checkScans(state: string): Promise<void> {
  const files: string[] = [];
  const tables: string[] = [];
  for (const maker of ['ours', 'stock'] as const)
    for (const [way, source] of [
      ['luxi', LUXI],
      ['rapi', RAPI_HOST],
    ] as const) {
      const folder = `${SCRATCH}/${state}-${maker}-${way}`;
      mkdirSync(folder, { recursive: true });
      const { status, stdout, stderr } = await run(maker, 'hscan', ['-p', '-d', folder, source]);
      if (status !== 0) throw new Error(`${maker} hscan ${source}: ${status} ${stdout}${stderr}`);
      files.push(textOf(`${folder}/${way === 'luxi' ? 'LOCAL' : RAPI_HOST}.data`));
      tables.push(
        stdout.replace(/\S+/g, (word) => (word === RAPI_HOST ? 'LOCAL' : word)).replace(/ +/g, ' '),
      );
    }
  const areSame = new Set(files).size === 1;
  check(
    `${state}: hscan writes the same file 4 times (ours and stock, -L and -m)`,
    areSame ? undefined : files.join('\n--\n'),
  );
  const areTablesSame = new Set(tables).size === 1;
  check(`${state}: and says the same of it`, areTablesSame ? undefined : tables.join('\n--\n'));
}

/** Every program over every way, in the state that the cluster has now. */
export async function checkSameWords(state: string, isShort: boolean): Promise<void> {
  await checkScans(state);
  const text = await snapshot(`${state}-text`);
  const sources = { luxi: LUXI, rapi: `-m${RAPI_HOST}`, text: `-t${text}` };
  const cases = isShort ? CASES : [...CASES, ...MORE_CASES];
  await sideBySide(cases.map((one) => () => checkCase(one, state, sources)));
}

/**
 * While a node is silent and not marked offline, nothing is loaded: every program says so, as the stock ones
 * do.
 */
export async function checkSilence(node: string, isShort: boolean): Promise<void> {
  const words: readonly (readonly [way: Way, source: string, told: string])[] = [
    ['luxi', LUXI, `Node '${node}', error while reading attribute 'mtotal': No data for a field`],
    ['rapi', `-m${RAPI_HOST}`, "key 'mtotal': Unable to read Double"],
  ];
  const cases = isShort ? CASES.filter(({ words: [name] }) => name !== 'hspread') : CASES;
  await sideBySide(
    cases.flatMap(({ words: [program, ...args], isOursAlone }) =>
      words
        .filter(([way]) => !NOT_TAKEN[program]?.includes(way))
        .map(([way, source, told]) => async () => {
          const makers: readonly Maker[] = isOursAlone ? ['ours'] : ['ours', 'stock'];
          const runs: Ran[] = [];
          for (const maker of makers) runs.push(await run(maker, program, [source, ...args]));
          const areRight = runs.every(
            ({ status, stdout, stderr }) => status === 1 && stdout === '' && stderr.includes(told),
          );
          check(
            `silent: ${program} over ${way} loads nothing and says why (${makers.join(' and ')})`,
            areRight ? undefined : runs.map(lineOf).join('--\n'),
          );
        }),
    ),
  );
}
