/**
 * `npm run mutate`: are the tests awake? Small mistakes are made in the model, the planners and the checker, one at a time, and
 * the tests must find each. Those that none finds are listed in docs/mutation-testing.md with the reason why they do not matter.
 *
 * Exit status: 0 when every mutant tried is found or known, 1 when some are not, 2 on a bad command line.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Random } from './generate/random.ts';
import { changeOf, isKnown, knownSurvivors } from './mutate/known-survivors.ts';
import { mutantsOf } from './mutate/mutants.ts';
import { TrialRoom } from './mutate/trial-room.ts';

const USAGE = `usage: npm run mutate -- [options]
  --files PREFIXES  source files or folders, separated by commas (default: src/model,src/planners,src/plan)
  --count N         mutants, drawn at random (default 100; 0 = all)
  --seed S          which ones (default 1)
  --seconds T       start no further mutant after so many seconds
  --timeout T       seconds for the tests of one mutant (default 60)
  --list            only list the mutants`;

function sourcesUnder(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`)
    .sort();
}

function main(): number {
  const { values } = parseArgs({
    options: {
      files: { type: 'string', default: 'src/model,src/planners,src/plan' },
      count: { type: 'string', default: '100' },
      seed: { type: 'string', default: '1' },
      seconds: { type: 'string', default: 'Infinity' },
      timeout: { type: 'string', default: '60' },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const [count, seed, seconds, timeout] = [values.count, values.seed, values.seconds, values.timeout].map(
    Number,
  );
  const files = values.files
    .split(',')
    .flatMap((prefix) => (prefix.endsWith('.ts') ? [prefix] : sourcesUnder(prefix)));
  const isSound = Number.isInteger(count) && Number.isInteger(seed) && seconds! > 0 && timeout! > 0;
  if (values.help || !isSound || files.length === 0) {
    console.log(USAGE);
    return values.help ? 0 : 2;
  }
  const all = files.flatMap((path) => mutantsOf(path, readFileSync(path, 'utf8')));
  const chosen = count === 0 ? all : new Random(seed!, 'mutants').sample(all, count!);
  if (values.list) {
    for (const mutant of chosen)
      console.log(`${mutant.path}:${mutant.line}: ${changeOf(mutant)}    ${mutant.text}`);
    return 0;
  }
  const survivors = knownSurvivors();
  const room = new TrialRoom(timeout!);
  const deadline = Date.now() + seconds! * 1000;
  const tally = { found: 0, known: 0, survived: 0 };
  try {
    for (const mutant of chosen) {
      if (Date.now() > deadline) break;
      if (isKnown(survivors, mutant)) tally.known++;
      else if (room.try(mutant.path, mutant.source, readFileSync(mutant.path, 'utf8')) === 'found')
        tally.found++;
      else {
        tally.survived++;
        console.log(`survived: ${mutant.path}:${mutant.line}: ${changeOf(mutant)}\n    ${mutant.text}`);
      }
    }
  } finally {
    room.close();
  }
  const { found, known, survived } = tally;
  console.log(
    `${found} found, ${known} known to survive, ${survived} survived, of ${all.length} mutants in ${files.length} files`,
  );
  return survived > 0 ? 1 : 0;
}

process.exitCode = main();
