/**
 * Ganeti's own offline shell tests of its htools, with our programs in the places where its build puts the
 * stock ones.
 *
 *   npm run check -- shelltests CHECKOUT [PART...]
 *
 * CHECKOUT is a copy of the repository ganeti/ganeti, which is read and never copied; Debian's
 * shelltestrunner runs its tests. PART is the name of a test file without `htools-` and `.test` (hbal,
 * multi-group); without one, all of them run but those of the monitoring collector, which is no program of
 * ours. Exit status 1 when a test fails that is not listed here, or a listed one does not.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from '../../arguments.ts';

const BIN = fileURLToPath(new URL('../../../bin/', import.meta.url));
const MINUTES_10_MS = 600_000;
const NOT_OURS = 'mon-collector';

/**
 * Tests that want something else than we do, by file and number in it; docs/reference/differences.md has the
 * reasons.
 */
const DIFFERENT: Readonly<Record<string, readonly number[]>> = {
  balancing: [5],
  hroller: [11],
  'multi-group': [2, 3, 7, 8],
};

function leave(problem: string, remedy: string): never {
  console.error(`Error: ${problem}\nMaybe ${remedy}`);
  process.exit(2);
}

const USAGE = 'usage: npm run check -- shelltests CHECKOUT [PART...]';
const { positionals } = readArguments(USAGE, {}, Number.POSITIVE_INFINITY);
const [checkout, ...parts] = positionals;
if (checkout === undefined)
  leave(
    'no copy of ganeti/ganeti is named',
    'git clone https://github.com/ganeti/ganeti, then npm run check -- shelltests ganeti',
  );
const source = resolve(checkout, 'test/hs');
const testFiles = existsSync(join(source, 'shelltests')) ? readdirSync(join(source, 'shelltests')) : [];
const known = testFiles.flatMap((name) => /^htools-(.*)\.test$/.exec(name)?.[1] ?? []);
const missing = known.length === 0 ? 'test/hs/shelltests' : parts.find((part) => !known.includes(part));
if (missing !== undefined)
  leave(`${checkout} has no ${missing}`, 'name the top folder of a checkout of ganeti/ganeti');
if (spawnSync('shelltest', ['--version']).error)
  leave('shelltest is not installed', "install Debian's package shelltestrunner");

/**
 * The tests call ./test/hs/PROGRAM, and read test/data, from the top of a built tree: here is one, made of
 * links.
 */
const tree = mkdtempSync(join(tmpdir(), 'shelltests-'));
process.on('exit', () => rmSync(tree, { recursive: true, force: true }));
const place = join(tree, 'test/hs');
mkdirSync(join(place, 'shelltests'), { recursive: true });
symlinkSync(resolve(checkout, 'test/data'), join(tree, 'test/data'));
for (const name of ['offline-test.sh', 'cli-tests-defs.sh'])
  symlinkSync(join(source, name), join(place, name));
for (const program of readdirSync(BIN)) symlinkSync(join(BIN, program), join(place, program));
// The one binary that is all programs, by the environment variable HTOOLS.
symlinkSync(join(BIN, 'hbal'), join(place, 'hpc-htools'));
const chosen = parts.length > 0 ? parts : known.filter((part) => part !== NOT_OURS);
for (const part of chosen)
  symlinkSync(
    join(source, 'shelltests', `htools-${part}.test`),
    join(place, 'shelltests', `htools-${part}.test`),
  );

const { stdout, stderr, status } = spawnSync('bash', ['test/hs/offline-test.sh'], {
  cwd: tree,
  encoding: 'utf8',
  timeout: MINUTES_10_MS,
  maxBuffer: 2 ** 28,
});
const outcomes = [...stdout.matchAll(/^:.*htools-(.*)\.test:(\d+): \[(OK|Failed)\]$/gm)].map(
  ([, part, number, word]) => ({ part: part!, number: Number(number), isFine: word === 'OK' }),
);
if (outcomes.length === 0) {
  console.error(`${stdout}${stderr}\nshelltests: FAILED, no test came to a result (exit status ${status})`);
  process.exit(1);
}
const isDifferent = ({ part, number }: (typeof outcomes)[number]): boolean =>
  DIFFERENT[part]?.includes(number) ?? false;
const unexpected = outcomes.filter((outcome) => outcome.isFine === isDifferent(outcome));
if (unexpected.length > 0) console.error(stdout.slice(stdout.indexOf('Running shelltest')));
for (const { part, number, isFine } of unexpected)
  console.error(
    `shelltests: htools-${part}.test:${number} ${isFine ? 'passes, and is listed as different' : 'FAILED'}`,
  );
const passed = outcomes.filter(({ isFine }) => isFine).length;
console.log(
  `shelltests: ${outcomes.length} tests, ${passed} passed, ${outcomes.filter(isDifferent).length} differ on purpose, ${unexpected.length} unexpected`,
);
process.exit(unexpected.length === 0 ? 0 : 1);
