/**
 * `npm run check -- mutants`: are the tests awake? Small mistakes are made in the model, the planners and the
 * checker, one at a time, and the tests must find each. Those that none finds are listed in
 * bench/mutate/README.md with the reason why they do not matter.
 *
 * Exit status: 0 when every mutant tried is found or known, 1 when some are not, 2 on a bad command line.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { readArguments, refuse } from './arguments.ts';
import { Random } from './generate/random.ts';
import { tryMutants } from './mutate/campaign.ts';
import { changeOf, isKnown, knownSurvivors } from './mutate/known-survivors.ts';
import { type Mutant, mutantsOf } from './mutate/mutants.ts';
import { testOrder } from './mutate/test-order.ts';
import { TrialRoom } from './mutate/trial-room.ts';
import { withSwitches } from './mutate/with-switches.ts';

const USAGE = `usage: npm run check -- mutants [options]
  --files PREFIXES  source files or folders, separated by commas (default: src/htools/model,src/htools/planners,src/htools/plan)
  --count N         mutants, drawn at random (default 100; 0 = all)
  --seed S          which ones (default 1)
  --seconds T       try nothing further after so many seconds, as after Ctrl-C, and tell what was found until then
  --list            only list the mutants`;

function sourcesUnder(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`)
    .sort();
}

/**
 * Writes each file once, with the chosen mutants behind switches; a mutant's number is its place among them.
 */
function build(room: TrialRoom, chosen: readonly Mutant[]): void {
  for (const path of new Set(chosen.map((mutant) => mutant.path))) {
    const source = readFileSync(path, 'utf8');
    const numbers = mutantsOf(path, source).map((mutant) =>
      chosen.findIndex((other) => other.path === path && isDeepStrictEqual(other, mutant)),
    );
    room.put(
      path,
      withSwitches(path, source, (position) => (numbers[position]! < 0 ? undefined : numbers[position])),
    );
  }
}

async function main(): Promise<number> {
  const { values } = readArguments(USAGE, {
    files: { type: 'string', default: 'src/htools/model,src/htools/planners,src/htools/plan' },
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: 'Infinity' },
    list: { type: 'boolean', default: false },
  });
  const [count, seed, seconds] = [values.count, values.seed, values.seconds].map(Number);
  const files = values.files
    .split(',')
    .flatMap((prefix) => (prefix.endsWith('.ts') ? [prefix] : sourcesUnder(prefix)));
  const isSound = Number.isInteger(count) && Number.isInteger(seed) && seconds! > 0;
  if (!isSound) refuse(USAGE, 'Counts and seeds are whole numbers, and a run has some time');
  if (files.length === 0) refuse(USAGE, `There are no source files under ${values.files}`);
  const all = files.flatMap((path) => mutantsOf(path, readFileSync(path, 'utf8')));
  const drawn = count === 0 ? all : new Random(seed!, 'mutants').sample(all, count!);
  if (values.list) {
    for (const mutant of drawn)
      console.log(`${mutant.path}:${mutant.line}: ${changeOf(mutant)}    ${mutant.text}`);
    return 0;
  }
  const survivors = knownSurvivors();
  const chosen = drawn.filter((mutant) => !isKnown(survivors, mutant));
  const begun = Date.now();
  const passed = (): number => Math.round((Date.now() - begun) / 1000);
  const room = new TrialRoom();
  process.once('exit', () => room.close());
  let isOver = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      // A second one ends it at once.
      process.once(signal, () => process.exit(1));
      isOver = true;
    });
  build(room, chosen);
  room.build();
  const verdicts = await tryMutants({
    mutants: chosen,
    tests: testOrder([...new Set(chosen.map(({ path }) => path))]),
    folder: room.folder,
    isOver: () => {
      isOver ||= Date.now() > begun + seconds! * 1000;
      return isOver;
    },
    onFile: (test, left) => console.error(`${passed()} s: ${left} left after ${test}`),
    onTrouble: (message) => console.error(`Warning: ${message}`),
  });
  const survived = verdicts.flatMap(({ foundBy, reachedBy }, id) =>
    foundBy === undefined ? [{ ...chosen[id]!, reachedBy }] : [],
  );
  for (const mutant of survived)
    console.log(
      `survived: ${mutant.path}:${mutant.line}: ${changeOf(mutant)} (reached by ${mutant.reachedBy} tests)\n    ${mutant.text}`,
    );
  if (isOver) console.log('Time was up: of those that survived, the tests that were left may find some.');
  console.log(
    `${chosen.length - survived.length} found, ${drawn.length - chosen.length} known to survive, ${survived.length} survived, ` +
      `of ${all.length} mutants in ${files.length} files; ${passed()} s`,
  );
  return survived.length > 0 ? 1 : 0;
}

process.exitCode = await main();
