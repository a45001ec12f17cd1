/**
 * How quick requests are among 1,000 pods and 100,000 tenants with three rows of history each: over the
 * command line, beyond the start of a process, and over HTTP of a running hplaced.
 *
 *   npm run bench -- pods
 *   npm run bench -- pods --short        100 pods, 1,000 tenants: only whether it runs
 *   npm run bench -- pods --db FILE      leaves the database there, to look at
 *
 * Prints one JSON line a figure, in milliseconds: cpu time of whole processes (the least and the median of
 * several), wall clock of HTTP requests. Exit status 1 when a figure is above its mark (only at full size).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBook } from '../../../src/ledger/binding/book/book.ts';
import { select } from '../../../src/ledger/binding/book/select.ts';
import { readArguments } from '../../arguments.ts';
import { measure } from '../../measure.ts';
import { ServiceProcess } from '../programs/hplaced/service-process.ts';
import { fillBig } from './big-book.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const HBIND = join(ROOT, 'bin/hbind');
const MS = 1000;

const USAGE = 'usage: npm run bench -- pods [--short] [--db FILE]';

const { values } = readArguments(USAGE, {
  short: { type: 'boolean', default: false },
  db: { type: 'string' },
});
const pods = values.short ? 100 : 1000;
const tenants = values.short ? 1000 : 100_000;
const times = values.short ? 3 : 15;
const requests = values.short ? 20 : 400;

interface Figure {
  readonly name: string;
  /** Milliseconds. */
  readonly least: number;
  readonly median: number;
  readonly p99?: number;
  /** What the median may be; undefined: only for comparison. */
  readonly most?: number;
}

/** A tenant of a pod for general use. */
const general = (nth: number): string => `tenant${(nth * 5 + 1) % tenants}`;

let isFine = true;

function print(figure: Figure): void {
  console.log(JSON.stringify({ bench: 'pods', pods, tenants, ...figure }));
  if (!values.short && figure.most !== undefined && figure.median > figure.most) isFine = false;
}

const round = (ms: number): number => Math.round(ms * 100) / 100;
const at = (sorted: readonly number[], share: number): number =>
  round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!);

function figureOf(name: string, ms: readonly number[], most?: number): Figure {
  const sorted = [...ms].sort((a, b) => a - b);
  return {
    name,
    least: at(sorted, 0),
    median: at(sorted, 0.5),
    ...(ms.length >= 100 ? { p99: at(sorted, 0.99) } : {}),
    ...(most === undefined ? {} : { most }),
  };
}

/** Cpu milliseconds of the program with these words, run so many times. */
function runs(words: (run: number) => readonly string[]): readonly number[] {
  return Array.from({ length: times }, (_, run) => {
    const result = measure(HBIND, words(run), ROOT, 60);
    if (result?.exitCode !== 0) throw new Error(`hbind ${words(run).join(' ')} failed`);
    return result.cpuSeconds * MS;
  });
}

/** What the command line costs, and what of it is the start: `--version` reads the same file and ends. */
function commandLine(file: string): void {
  const start = figureOf(
    'start of a process',
    runs(() => ['--version']),
  );
  print(start);
  const beyond = (name: string, words: (run: number) => readonly string[], most?: number): void => {
    const { least, median } = figureOf(name, runs(words));
    print({
      name,
      least: round(least - start.least),
      median: round(median - start.median),
      ...(most === undefined ? {} : { most }),
    });
  };
  const select = (tenant: string, ...more: string[]) => ['--db', file, 'select', '--tenant', tenant, ...more];
  beyond('select that keeps, beyond the start', (run) => select(general(run * 37)), 30);
  beyond('select of a new tenant, beyond the start', (run) => select(`new${run}`), 30);
  beyond(
    'select that rebinds, beyond the start',
    // The first pod of each purpose is full: its tenants are the first ones.
    (run) => select(`tenant${run * pods}`, '--spec', 'class=c0'),
    30,
  );
  beyond('history of a tenant, beyond the start', () => ['--db', file, 'history', 'tenant5']);
}

/**
 * Cpu time of a request within a process that goes on, as hplaced does: what a busy machine does not change
 * much.
 */
async function inProcess(file: string): Promise<void> {
  const book = await openBook(file, () => Date.now());
  const ask = (tenant: string) => select(book, { tenant, az: '', specs: {}, need: {} }, { actor: 'bench' });
  const cpuOf = async (name: string, tenant: (nth: number) => string): Promise<void> => {
    const parts: number[] = [];
    for (let part = 0; part < 10; part++) {
      const begin = process.cpuUsage();
      for (let i = 0; i < requests / 10; i++) await ask(tenant(part * requests + i));
      const { user, system } = process.cpuUsage(begin);
      parts.push((user + system) / MS / (requests / 10));
    }
    print(figureOf(name, parts, 5));
  };
  try {
    for (let i = 0; i < 20; i++) await ask(general(i));
    await cpuOf('within a process: select that keeps, cpu', (nth) => general(nth * 263));
    await cpuOf('within a process: select of a new tenant, cpu', (nth) => `within${nth}`);
  } finally {
    await book.store.close();
  }
}

async function overHttp(file: string): Promise<void> {
  const service = await ServiceProcess.start(['--db', file, '--log', 'none', '--rate', '0']);
  const ask = async (tenant: string, status: number): Promise<number> => {
    const begin = performance.now();
    const answer = await service.send('POST', '/bindings', { tenant });
    await answer.text();
    const ms = performance.now() - begin;
    if (answer.status !== status) throw new Error(`${tenant}: status ${answer.status}`);
    return ms;
  };
  try {
    for (let i = 0; i < 50; i++) await ask(general(i * 11), 200);
    const empty: number[] = [];
    const kept: number[] = [];
    const bound: number[] = [];
    const late: number[] = [];
    for (let i = 0; i < requests; i++) {
      const begin = performance.now();
      await (await service.get('/')).text();
      empty.push(performance.now() - begin);
      kept.push(await ask(general(i * 257), 200));
      bound.push(await ask(`http${i}`, 201));
    }
    for (let i = 0; i < Math.min(50, requests); i++) {
      const usage = { memory: { total: 1000, used: 300 + i } };
      await (await service.send('PUT', `/pods/pod${(i % (pods - 1)) + 1}/usage`, { usage })).text();
      late.push(await ask(`late${i}`, 201));
    }
    print(figureOf('hplaced: a request that does nothing', empty));
    print(figureOf('hplaced: select that keeps', kept, 5));
    print(figureOf('hplaced: select of a new tenant, with its commit', bound, 5));
    print(figureOf('hplaced: select of a new tenant right after a pod changed', late, 5));
  } finally {
    await service.stop();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-pods-'));
try {
  const file = values.db ?? join(folder, 'pods.db');
  await fillBig(file, pods, tenants);
  commandLine(file);
  await inProcess(file);
  await overHttp(file);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = isFine ? 0 : 1;
