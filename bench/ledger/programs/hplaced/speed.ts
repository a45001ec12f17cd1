/**
 * How quick candidate queries are over many hosts, asked over HTTP of a running hplaced.
 *
 *   npm run bench -- hplaced [--hosts 10000] [--short]
 *
 * Prints one JSON line a figure: milliseconds of wall clock as a client sees them, the median of several
 * runs, warm; and of the service's cpu. The first say what a user waits, but also what else the machine had
 * to do; the second hold whatever that was.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments } from '../../../arguments.ts';
import { median, rounded } from '../../../statistics.ts';
import { makeBigLedger } from './big-ledger.ts';
import { ServiceProcess } from './service-process.ts';

const USAGE = 'usage: npm run bench -- hplaced [--hosts N] [--short]';

const { values } = readArguments(USAGE, {
  hosts: { type: 'string', default: '10000' },
  short: { type: 'boolean', default: false },
});
const HOSTS = values.short ? 500 : Number(values.hosts);

/** Runs that do not count. */
const WARM_UP = 3;

interface Mark {
  readonly name: string;
  readonly query: string;
  readonly runs: number;
  /** Milliseconds that it may take; checked at the full size only. */
  readonly most: number;
  /** What the answer may be. */
  readonly statuses: readonly number[];
}

const TWO_GROUPS =
  'resources_C=VCPU:2,MEMORY_MB:4096&resources_G=VGPU:1&same_subtree=_C,_G&group_policy=none';
const MARKS: readonly Mark[] = [
  {
    name: 'two groups in one subtree, limit 50',
    query: `${TWO_GROUPS}&limit=50`,
    runs: 20,
    most: 20,
    statuses: [200],
  },
  { name: 'one class, limit 50', query: 'resources=VCPU:2&limit=50', runs: 20, most: 20, statuses: [200] },
  {
    name: 'none fits',
    query: 'resources_C=VCPU:33&resources_G=VGPU:1&group_policy=none',
    runs: 10,
    most: 200,
    statuses: [200],
  },
  { name: 'all candidates of one class', query: 'resources=VCPU:2', runs: 3, most: 2000, statuses: [200] },
  { name: 'all candidates of two groups', query: TWO_GROUPS, runs: 3, most: 2000, statuses: [200] },
];

/** Six groups on one host with 64 devices: 68 billion candidates. */
const WIDE_GROUPS = ['A', 'B', 'C', 'D', 'E', 'F'].map((name) => `resources_${name}=VGPU:1`).join('&');
const WIDE: readonly Mark[] = [
  {
    name: 'wide host, six groups, no limit',
    query: `${WIDE_GROUPS}&group_policy=isolate`,
    runs: 3,
    most: 1000,
    statuses: [400],
  },
  {
    name: 'wide host, six groups, limit 1000',
    query: `${WIDE_GROUPS}&group_policy=isolate&limit=1000`,
    runs: 5,
    most: 1000,
    statuses: [200],
  },
  {
    name: 'wide host, six groups that cannot be',
    query: `${WIDE_GROUPS.replaceAll(':1', ':5')}&group_policy=none`,
    runs: 5,
    most: 1000,
    statuses: [200],
  },
];

async function measure(service: ServiceProcess, mark: Mark, isFull: boolean): Promise<boolean> {
  const times: number[] = [];
  let bytes = 0;
  let status = 0;
  let cpuMs = 0;
  let candidates: number | undefined;
  for (let run = 0; run <= mark.runs + WARM_UP; run++) {
    if (run === WARM_UP + 1) cpuMs = service.cpuMs();
    const started = performance.now();
    const response = await service.get(`/allocation_candidates?${mark.query}`);
    const text = await response.text();
    // The first runs warm up.
    if (run > WARM_UP) times.push(performance.now() - started);
    bytes = text.length;
    status = response.status;
    if (run === 0 && status === 200)
      candidates = (JSON.parse(text) as { allocation_requests: unknown[] }).allocation_requests.length;
  }
  const ms = median(times);
  const isFine = mark.statuses.includes(status) && (!isFull || ms <= mark.most);
  console.log(
    JSON.stringify({
      name: mark.name,
      status,
      candidates,
      bytes,
      ms: rounded(ms, 1),
      serverCpuMs: Math.round((service.cpuMs() - cpuMs) / times.length),
      most: mark.most,
      isFine,
      rssMib: service.rssMib(),
    }),
  );
  return isFine;
}

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-speed-'));
let isFine = true;
try {
  for (const { file, shape, marks } of [
    { file: 'hosts.db', shape: { hosts: HOSTS, numaNodes: 2, devices: 4 }, marks: MARKS },
    { file: 'wide.db', shape: { hosts: 1, numaNodes: 1, devices: 64 }, marks: WIDE },
  ]) {
    const url = join(folder, file);
    const providers = await makeBigLedger(url, shape);
    const service = await ServiceProcess.start(['--db', url]);
    const started = performance.now();
    await (await service.get('/allocation_candidates?resources=VCPU:1&limit=1')).text();
    console.log(
      JSON.stringify({
        name: 'first answer after the start',
        providers,
        ms: Math.round(performance.now() - started),
      }),
    );
    for (const mark of marks) isFine = (await measure(service, mark, !values.short)) && isFine;
    await service.stop();
  }
} finally {
  rmSync(folder, { recursive: true });
}
process.exit(isFine ? 0 : 1);
