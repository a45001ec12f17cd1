/**
 * hplaced and a real Placement with the same hosts, asked the same by turns.
 *
 *   npm run bench -- placement [--hosts 5000] [--runs 5]
 *
 * Debian's python3-placement, mariadb-server, python3-pymysql and uwsgi-plugin-python3 are needed: Placement
 * is two processes of uwsgi on MariaDB. Hosts are of five providers each. Prints one JSON line a request:
 * medians of milliseconds as a client sees them, and of cpu, MariaDB's included.
 */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { severalAtOnce } from '../../../../src/kit/several.ts';
import { readArguments } from '../../../arguments.ts';
import { launcherOf } from '../../../launchers.ts';
import { median, rounded } from '../../../statistics.ts';
import { MariaDb, RealPlacement } from '../../moving/real-placement.ts';
import { makeBigLedger, uuidOf } from './big-ledger.ts';
import { ServiceProcess } from './service-process.ts';

const USAGE = 'usage: npm run bench -- placement [--hosts N] [--runs N]';
const { values } = readArguments(USAGE, {
  hosts: { type: 'string', default: '5000' },
  runs: { type: 'string', default: '5' },
});
const SHAPE = { hosts: Number(values.hosts), numaNodes: 2, devices: 1 };
const PROVIDERS_PER_HOST = 1 + SHAPE.numaNodes * (1 + SHAPE.devices);
const HEADERS = {
  'x-auth-token': 'admin',
  'openstack-api-version': 'placement 1.38',
  'content-type': 'application/json',
  // Placement's server closes after each answer, and resets whoever asks again at that moment.
  connection: 'close',
};

interface Side {
  readonly name: 'placement' | 'hplaced';
  readonly url: string;
  /** That it has used so far. */
  cpuMs(): number;
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

interface Case {
  readonly name: string;
  /** As many as this at the same time. */
  readonly clients?: number;
  /** Requests of a turn, of each side; cpu is counted in steps of 10 ms. */
  readonly count?: { readonly placement: number; readonly hplaced: number };
  /** @param n counts them */
  readonly request: (n: number) => Request;
}

const candidates = (query: string) => (): Request => ({
  method: 'GET',
  path: `/allocation_candidates?${query}`,
});
/** The first NUMA node of the n-th host. */
const numaOf = (n: number): string => uuidOf((n % SHAPE.hosts) * PROVIDERS_PER_HOST + 2);
const claim = (n: number): Request => ({
  method: 'PUT',
  path: `/allocations/${randomUUID()}`,
  body: {
    allocations: { [numaOf(n)]: { resources: { VCPU: 1, MEMORY_MB: 512 } } },
    project_id: 'p',
    user_id: 'u',
    consumer_generation: null,
    consumer_type: 'INSTANCE',
  },
});
const TWO_GROUPS =
  'resources_C=VCPU:2,MEMORY_MB:4096&resources_G=VGPU:1&same_subtree=_C,_G&group_policy=none';
const CLIENTS = 8;
const MANY = { placement: 40, hplaced: 40 };
const SLOW = { placement: 1, hplaced: 1 };
const SLOW_THERE = { placement: 1, hplaced: 40 };
const CASES: readonly Case[] = [
  { name: 'one class, limit 50', count: SLOW_THERE, request: candidates('resources=VCPU:2&limit=50') },
  { name: 'one class, all', count: SLOW, request: candidates('resources=VCPU:2') },
  {
    name: 'two groups in one subtree, limit 50',
    count: SLOW_THERE,
    request: candidates(`${TWO_GROUPS}&limit=50`),
  },
  { name: 'two groups in one subtree, all', count: SLOW, request: candidates(TWO_GROUPS) },
  { name: 'PUT of a new consumer', request: claim },
  { name: `PUTs of ${CLIENTS} clients`, clients: CLIENTS, request: claim },
  {
    name: 'GET of what a provider has given',
    request: (n) => ({ method: 'GET', path: `/resource_providers/${numaOf(n)}/allocations` }),
  },
  {
    name: 'GET of a provider by its name',
    request: (n) => ({ method: 'GET', path: `/resource_providers?name=host${String(n).padStart(5, '0')}` }),
  },
];

async function send(url: string, { method, path, body }: Request): Promise<string> {
  const response = await fetch(url + path, {
    method,
    headers: HEADERS,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}${path}: ${response.status} ${text.slice(0, 1000)}`);
  return text;
}

const middle = (numbers: readonly number[]): number => rounded(median(numbers), 1);

const sent = new Map<Side, number>();

/** @returns milliseconds of the clock and of cpu for each request, and how many candidates there were */
async function once(side: Side, { request, clients = 1, count: counts = MANY }: Case) {
  const count = counts[side.name];
  const first = sent.get(side) ?? 0;
  sent.set(side, first + count);
  const [cpuMs, started] = [side.cpuMs(), performance.now()];
  let answer = '';
  const numbers = Array.from({ length: count }, (_, k) => first + k);
  await severalAtOnce(clients, numbers, async (n) => {
    answer = await send(side.url, request(n));
  });
  const found = answer === '' ? undefined : JSON.parse(answer).allocation_requests?.length;
  return {
    ms: (performance.now() - started) / count,
    cpuMs: (side.cpuMs() - cpuMs) / count,
    found: found as number | undefined,
  };
}

/** Both by turns, after a turn that does not count. */
async function measure(one: Case, sides: readonly Side[]): Promise<void> {
  const runs = sides.map((side) => ({ side, all: [] as Awaited<ReturnType<typeof once>>[] }));
  for (let turn = 0; turn <= Number(values.runs); turn++)
    for (const { side, all } of runs) {
      const run = await once(side, one);
      if (turn > 0) all.push(run);
    }
  const founds = new Set(runs.flatMap(({ all }) => all.map(({ found }) => found)));
  if (founds.size > 1) throw new Error(`${one.name}: ${[...founds]} candidates`);
  const figures = runs.map(({ side, all }) => [
    side.name,
    { ms: middle(all.map(({ ms }) => ms)), cpuMs: middle(all.map(({ cpuMs }) => cpuMs)) },
  ]);
  console.log(JSON.stringify({ name: one.name, candidates: [...founds][0], ...Object.fromEntries(figures) }));
}

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-beside-'));
const mariadb = await MariaDb.start(join(folder, 'mariadb'));
try {
  const ledger = join(folder, 'ledger.db');
  const providers = await makeBigLedger(ledger, SHAPE);
  const database = mariadb.database('placement');
  const placement = await RealPlacement.start(join(folder, 'placement'), database);
  execFileSync(process.execPath, [launcherOf('hclaim')!, '--db', ledger, 'export', '--placement', database]);
  const service = await ServiceProcess.start(['--db', ledger]);
  console.log(JSON.stringify({ name: 'size', hosts: SHAPE.hosts, providers }));
  const sides: readonly Side[] = [
    {
      name: 'placement',
      url: placement.url,
      cpuMs: () => (placement.effort().cpuSeconds + mariadb.cpuSeconds()) * 1000,
    },
    { name: 'hplaced', url: service.url, cpuMs: () => service.cpuMs() },
  ];
  for (const one of CASES) await measure(one, sides);
  await service.stop();
  await placement.stop();
} finally {
  mariadb.stop();
  rmSync(folder, { recursive: true });
}
