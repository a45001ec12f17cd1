/**
 * Ahead of all tests: the programs that they run are built from the sources as they are now, by whatever
 * command the tests were started, and so is the one file that has all tests.
 */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, statfsSync } from 'node:fs';
import Module, { createRequire, SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import Mocha from 'mocha';
import { buildTests, ONE_FILE, TESTS } from './one-file.mjs';

const BUILD = fileURLToPath(new URL('../scripts/build.mjs', import.meta.url));
const FOLDER = 'EVENKEEL_TESTS_FOLDER';
/** Journals and databases wait for their disk at each step; here nobody waits. */
const IN_MEMORY = '/dev/shm';
const ROOM_BYTES = 2 ** 30;

function place() {
  if (process.env.TMPDIR !== undefined || !existsSync(IN_MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize < ROOM_BYTES ? tmpdir() : IN_MEMORY;
}

/** However this process ends, also by a signal. Servers that the workers had may take a moment to end. */
function removeAtTheEnd(folder) {
  const script = 'cat; for pause in 1 3 10; do sleep $pause; rm -rf "$1" && exit; done';
  const remover = spawn('sh', ['-c', script, 'sh', folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  remover.unref();
  remover.stdin.unref();
}

/** Mocha's workers have it from their parent. */
const isFirst = process.env[FOLDER] === undefined;

if (isFirst) {
  const { status } = spawnSync(process.execPath, [BUILD, '--programs'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the programs cannot be built, so nothing was tested');
  await buildTests();
  // Whatever tests leave in the temporary folder goes with this one, through which servers of other users go.
  const folder = mkdtempSync(join(place(), 'evk-'));
  chmodSync(folder, 0o711);
  removeAtTheEnd(folder);
  process.env[FOLDER] = folder;
  process.env.TMPDIR = folder;
  /** Journals of the executions in tests. */
  process.env.STATE_DIRECTORY = join(folder, 'state');
  mkdirSync(process.env.STATE_DIRECTORY);
  // Each process of Node would read them when it starts, for as long as it takes to start otherwise.
  delete process.env.NODE_EXTRA_CA_CERTS;
}

const require = createRequire(import.meta.url);
Module._extensions['.ts'] = (_, path) => require(ONE_FILE)[relative(TESTS, path)]();

let map;
function inSources(trace) {
  map ??= new SourceMap(JSON.parse(readFileSync(`${ONE_FILE}.map`, 'utf8')));
  return trace.replace(/\/\S*tests\.cjs:(\d+):(\d+)/g, (place, line, column) => {
    const { originalSource, originalLine, originalColumn } = map.findEntry(line - 1, column - 1);
    if (originalSource === undefined) return place;
    return `${join(dirname(ONE_FILE), originalSource)}:${originalLine + 1}:${originalColumn + 1}`;
  });
}

/**
 * The traces of failures name the sources. Node would do it for each trace that anything reads, as streams do
 * of all their errors, and the map takes each worker half a second.
 */
const { fail } = Mocha.Runner.prototype;
Mocha.Runner.prototype.fail = function (test, error, ...more) {
  if (typeof error?.stack === 'string') error.stack = inSources(error.stack);
  return fail.call(this, test, error, ...more);
};
