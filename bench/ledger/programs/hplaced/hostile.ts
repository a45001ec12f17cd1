/**
 * Hostile HTTP against a hplaced with tokens: mutated requests, wrong tokens, path tricks, huge headers and
 * bodies, slow clients.
 *
 *   npm run fuzz -- hplaced [--count 20000] [--seed 1]
 *
 * Every answer must be one that the interface knows (no 5xx), nothing may change without the right token,
 * memory must stay flat, and in the end the service must answer as before. Prints one JSON line; ends with
 * status 1 when something is wrong.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments } from '../../../arguments.ts';
import { Random } from '../../../generate/random.ts';
import { makeBigLedger } from './big-ledger.ts';
import { mutatedRequest, TOKEN } from './hostile-requests.ts';
import { ServiceProcess } from './service-process.ts';

const USAGE = 'usage: npm run fuzz -- hplaced [--count N] [--seed S]';

const { values } = readArguments(USAGE, {
  count: { type: 'string', default: '20000' },
  seed: { type: 'string', default: '1' },
});
const COUNT = Number(values.count);
const AT_ONCE = 8;
const ANSWER_MS = 10_000;
/** Growth from after the first quarter to the end that a heap may show without leaking. */
const MOST_GROWTH_MIB = 64;
const DOCUMENTED = new Set([
  200, 201, 204, 400, 401, 403, 404, 405, 406, 408, 409, 411, 413, 414, 415, 417, 431, 501, 505,
]);

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-hostile-'));
const tokens = join(folder, 'tokens');
writeFileSync(tokens, `${TOKEN} admin\nreading-reading-reading reader\n`, { mode: 0o600 });
const url = join(folder, 'ledger.db');
await makeBigLedger(url, { hosts: 5, numaNodes: 2, devices: 2 });
const service = await ServiceProcess.start([
  '--db',
  url,
  '--tokens',
  tokens,
  '--request-timeout',
  '2',
  '--max-version',
  '1.41',
  '--max-body',
  '64',
]);
const port = Number(new URL(service.url).port);

const open = (): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.once('error', reject);
  });

/** Sends bytes and takes what comes back until the other side closes. */
async function exchange(bytes: Buffer): Promise<string> {
  const socket = await open();
  return new Promise((resolve) => {
    let answer = '';
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(finish, ANSWER_MS);
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
    });
    socket.on('close', finish);
    socket.on('error', finish);
    // Half of a connection closes: the request is over, whatever it announced.
    socket.end(bytes);
  });
}

const history = async (): Promise<number> => {
  const response = await fetch(`${service.url}/hplaced/history?limit=1`, {
    headers: { 'x-auth-token': TOKEN },
  });
  return ((await response.json()) as { changes: { id: number }[] }).changes[0]?.id ?? 0;
};

const troubles: string[] = [];
const statuses: Record<string, number> = {};
let changedByStrangers = 0;
let rssEarly = 0;

async function worker(first: number): Promise<void> {
  for (let n = first; n < COUNT; n += AT_ONCE) {
    const random = new Random(Number(values.seed) * 1_000_003 + n, 'hostile');
    const { bytes, isTrusted } = mutatedRequest(random);
    const answer = await exchange(bytes);
    // `100 Continue` is no answer yet.
    const status =
      /^HTTP\/1\.1 (\d{3}) /.exec(answer.replace(/^(HTTP\/1\.1 100 Continue\r\n\r\n)+/, ''))?.[1] ?? 'none';
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status !== 'none' && !DOCUMENTED.has(Number(status)))
      troubles.push(`seed ${values.seed}, ${n}: status ${status}: ${bytes.toString('latin1').slice(0, 300)}`);
    // Without the administrator's token nothing may be made, changed or removed.
    if (!isTrusted && (status === '201' || (status === '204' && !/^GET\b/i.test(bytes.toString('latin1'))))) {
      changedByStrangers++;
      troubles.push(`seed ${values.seed}, ${n}: somebody got in: ${bytes.toString('latin1').slice(0, 300)}`);
    }
    if (n === COUNT >> 2) rssEarly = service.rssMib();
  }
}

/**
 * Connections that send a byte now and then, or nothing. They must be thrown out, and others must be served
 * meanwhile.
 */
async function slowClients(): Promise<number> {
  const sockets = await Promise.all(Array.from({ length: 100 }, open));
  let closed = 0;
  const timers = sockets.map((socket, k) => {
    socket.resume();
    socket.on('close', () => closed++);
    socket.on('error', () => {});
    if (k % 2 === 0) socket.write('POST /allocations HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n');
    return setInterval(() => k % 2 === 0 && socket.writable && socket.write('x: y\r\n'), 500);
  });
  const started = performance.now();
  const health = await fetch(`${service.url}/healthz`);
  if (health.status !== 200 || performance.now() - started > 1000)
    troubles.push('slow clients keep others from being served');
  const end = performance.now() + 40_000;
  while (closed < sockets.length && performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 200));
  for (const timer of timers) clearInterval(timer);
  for (const socket of sockets) socket.destroy();
  return closed;
}

const before = await history();
await Promise.all(Array.from({ length: AT_ONCE }, (_, k) => worker(k)));
const thrownOut = await slowClients();
if (thrownOut < 100) troubles.push(`${100 - thrownOut} slow clients were not thrown out`);
const rssLate = service.rssMib();
if (rssLate - rssEarly > MOST_GROWTH_MIB) troubles.push(`memory grew from ${rssEarly} to ${rssLate} MiB`);
const after = await history();
const end = await service.stop();
// That strangers knocked is said; anything else is a fault.
const faults = service.stderr.split('\n').filter((line) => !/^$|"what":"unknown token"/.test(line));
if (end !== 0 || faults.length > 0)
  troubles.push(`ended with status ${end}: ${faults.join('\n').slice(0, 1000)}`);
rmSync(folder, { recursive: true });
for (const text of troubles.slice(0, 5)) console.error(text);
console.log(
  JSON.stringify({
    name: 'hostile',
    count: COUNT,
    seed: Number(values.seed),
    statuses,
    changes: after - before,
    changedByStrangers,
    slowClientsThrownOut: thrownOut,
    rssMib: { early: rssEarly, late: rssLate },
    troubles: troubles.length,
  }),
);
process.exit(troubles.length > 0 ? 1 : 0);
