/**
 * How quick the ledger is. Prints one JSON line a figure.
 *
 *   npm run bench-claims                          both databases
 *   npm run bench-claims -- --claims 500          fewer claims (short form)
 *   npm run bench-claims -- --dir /mnt/disk       files on that disk; the system's folder for temporary files otherwise
 *   npm run bench-claims -- --large               a ledger of 10,000 providers and a million allocations as well
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { PostgresServer, postgresPrograms } from '../../../test/store/postgres-server.ts';
import { largeLedger } from './large.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PROCESSES = 8;

const { values } = parseArgs({
  options: {
    claims: { type: 'string', default: '3000' },
    large: { type: 'boolean', default: false },
    dir: { type: 'string' },
  },
});
const claims = Number(values.claims);
const folder = mkdtempSync(join(values.dir ?? tmpdir(), 'evenkeel-bench-'));

export interface Figure {
  readonly name: string;
  readonly [field: string]: string | number;
}

const say = (figure: Figure): void => console.log(JSON.stringify(figure));

/** Runs a bundled file of this folder in its own process. @returns what it printed, as JSON. */
function run(
  file: string,
  words: readonly string[],
): Promise<{ count: number; seconds: number; cpuSeconds: number }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(folder, `${file}.cjs`), ...words], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_PATH: join(ROOT, 'node_modules') },
    });
    let out = '';
    child.stdout.on('data', (text) => {
      out += text;
    });
    child.on('exit', (status) =>
      status === 0 ? resolve(JSON.parse(out)) : reject(new Error(`${file}: exit ${status}`)),
    );
  });
}

let runs = 0;

async function several(file: string, url: string, processes: number, each: number): Promise<number> {
  const results = await Promise.all(
    Array.from({ length: processes }, (_, i) => run(file, [url, `w${++runs}-${i}`, String(each)])),
  );
  const count = results.reduce((sum, one) => sum + one.count, 0);
  return count / Math.max(...results.map(({ seconds }) => seconds));
}

for (const name of ['claimer', 'plain-postgres', 'plain-sqlite'])
  await build({
    entryPoints: [fileURLToPath(new URL(`${name}.ts`, import.meta.url))],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['@photostructure/sqlite', 'pg'],
    outfile: join(folder, `${name}.cjs`),
    logLevel: 'error',
  });
// The folder's modules are CommonJS, whatever the project's are.
writeFileSync(join(folder, 'package.json'), '{}');

const perSecond = (value: number): number => Math.round(value);

const file = join(folder, 'ledger.db');
const warm = await run('claimer', [file, 'first', String(claims)]);
// The disk sets the pace of whatever is durable: in the same minute, the smallest change that can be made.
const plainSqlite = await run('plain-sqlite', [join(folder, 'plain.db'), 'plain', String(claims)]);
say({
  name: 'claims, SQLite, one process',
  perSecond: perSecond(warm.count / warm.seconds),
  smallestChangesPerSecond: perSecond(plainSqlite.count / plainSqlite.seconds),
  cpuMicrosecondsEach: Math.round((warm.cpuSeconds / warm.count) * 1e6),
});
const one = await several('claimer', file, 1, claims);
const eight = await several('claimer', file, PROCESSES, Math.ceil(claims / PROCESSES));
say({
  name: 'claims, SQLite, 8 processes against 1',
  one: perSecond(one),
  eight: perSecond(eight),
  ratio: Number((eight / one).toFixed(2)),
});

const bin = postgresPrograms();
if (bin === undefined) say({ name: 'PostgreSQL', note: 'not installed' });
else {
  const server = await PostgresServer.start(bin, 'full');
  const url = await server.freshUrl();
  await run('claimer', [url, 'first', '200']);
  const ours: number[] = [];
  const plain: number[] = [];
  // By turns, so that both meet the same machine.
  for (let turn = 0; turn < 3; turn++) {
    ours.push(await several('claimer', url, 1, Math.ceil(claims / 4)));
    plain.push(await several('plain-postgres', url, 1, Math.ceil(claims / 4)));
  }
  const median = (list: readonly number[]): number => [...list].sort((a, b) => a - b)[1]!;
  say({
    name: 'claims, PostgreSQL, one process against a plain script',
    ours: perSecond(median(ours)),
    plain: perSecond(median(plain)),
    ratio: Number((median(ours) / median(plain)).toFixed(2)),
  });
  say({
    name: 'claims, PostgreSQL, 8 processes',
    perSecond: perSecond(await several('claimer', url, PROCESSES, Math.ceil(claims / PROCESSES))),
  });
  await server.remove();
}
if (values.large) for (const figure of await largeLedger(join(folder, 'large.db'))) say(figure);
rmSync(folder, { recursive: true, force: true });
