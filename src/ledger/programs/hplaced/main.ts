/** hplaced: the HTTP service of the ledger that clients of Placement can use. */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type AddressInfo, createServer, isIP, isIPv4 } from 'node:net';
import { allSaid, refuse } from '../../../kit/cli/all-said.ts';
import { ExecutionError } from '../../../kit/faults.ts';
import { printErr, printOut } from '../../../kit/report/output.ts';
import { PODS } from '../../binding/schema/migrations.ts';
import { LATEST_MINOR } from '../../candidates/request/reading.ts';
import { initLedger, type Ledger } from '../../claims/claim/ledger.ts';
import { newToken } from '../../http/door/tokens.ts';
import { type Gauge, logLine } from '../../http/metrics.ts';
import { type ApiServer, alsoOn, makeServer } from '../../http/server.ts';
import { answerOf } from '../../http/work.ts';
import type { ProgramOptions } from '../../options/program-table.ts';
import { migrate } from '../../store/migrations.ts';
import { ledgerUrl } from '../shared/access/ledger-url.ts';
import { SURROUNDINGS } from '../shared/access/open-current-ledger.ts';
import { makeRoutes } from './routes/all.ts';
import { type Address, Door } from './service/door.ts';
import { asApiError } from './service/faults.ts';
import { type ServiceSettings, serviceOn } from './service/service.ts';
import { Threads } from './threads/threads.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
/** So many of the largest bodies and answers may be in memory at a time. */
const IN_FLIGHT = 4;
const LONG_HEAP_MIB = 1024;
/** How often claims that nobody confirmed are looked for. */
const EXPIRY_EVERY_MS = 1_000;
/** How long answers that have begun may take once the end has come. */
const END_AFTER_MS = 10_000;

type Options = ProgramOptions<'hplaced'>;
type App = ApiServer['app'];
type Fault = (what: string, error: unknown) => void;

const endAsked = (): Promise<string> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal));
  });

function placeOf(bound: AddressInfo | string, isTls: boolean): string {
  if (typeof bound === 'string') return `unix:${bound}`;
  const host = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  return `${isTls ? 'https' : 'http'}://${host}:${bound.port}`;
}

async function gaugesOf(ledger: Ledger, { waiting }: Threads, heldBytes: number): Promise<readonly Gauge[]> {
  const row = await ledger.store.read((session) =>
    session.get<{ count: number }>('SELECT count(*) AS count FROM resource_providers'),
  );
  return [
    ['providers', 'Providers in the ledger.', row!.count],
    ['waiting_quick', 'Requests that wait for the quick thread.', waiting.quick],
    ['waiting_long', 'Requests that wait for a thread for long work.', waiting.long],
    ['held_bytes', 'Bodies and answers that are kept in memory.', heldBytes],
  ];
}

const log = (line: string): void => printErr(`${line}\n`);

const settingsOf = ({ maxCandidates, maxVersion, closed }: Options): ServiceSettings => ({
  mostCandidates: maxCandidates,
  latestMinor: LATEST_MINOR,
  mostMinor: Number(maxVersion.slice('1.'.length)),
  isClosed: closed,
});

/** What a browser would say of a page: no path, no port that goes without saying. */
const isOrigin = (text: string): boolean =>
  text === '*' || text === 'null' || (URL.canParse(text) && [text, 'null'].includes(new URL(text).origin));

/** Networks that fastify knows by names. */
const NETWORKS = ['linklocal', 'loopback', 'uniquelocal'];

/** Whether fastify can tell by it whose X-Forwarded-For to believe: an address, or a network. */
function isProxy(text: string): boolean {
  const [address = '', width, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return NETWORKS.includes(text);
  if (width === undefined) return true;
  if (/^\d+$/.test(width)) return Number(width) >= 1 && Number(width) <= (family === 4 ? 32 : 128);
  const bits = width.split('.').map((octet) => Number(octet).toString(2).padStart(8, '0'));
  return family === 4 && isIPv4(width) && /^1+0*$/.test(bits.join(''));
}

/** @throws {UsageError} with all proxies that are no addresses, or pages' origins that are none */
function assertNeighbours({ trustedProxy = [], cors = [] }: Options): void {
  const proxies = trustedProxy.filter((text) => !isProxy(text)).join("', '");
  const pages = cors.filter((text) => !isOrigin(text)).join("', '");
  allSaid(
    refuse(
      proxies !== '',
      `--trusted-proxy: '${proxies}' is not an address`,
      'write addresses, or networks such as 10.0.0.0/8',
    ),
    refuse(
      pages !== '',
      `--cors: '${pages}' is not an origin`,
      'write https://portal.example, with nothing behind it, or *',
    ),
  );
}

function appFor(options: Options, door: Door, ledger: Ledger, threads: Threads): App {
  const settings = settingsOf(options);
  const mostAnswer = options.maxAnswer * MIB;
  const bodyLimit = options.maxBody * KIB;
  const metricsText = async (): Promise<string> =>
    metrics.text(await gaugesOf(ledger, threads, admission.heldBytes));
  const { app, metrics, admission } = makeServer({
    ...settings,
    routes: makeRoutes(serviceOn(ledger, settings), metricsText),
    authenticator: door,
    perform: (operation, request, gone) =>
      operation.isAtDoor
        ? answerOf(operation, request, { asApiError, mostAnswer })
        : threads.perform(operation, request, gone),
    bodyLimit,
    bytesInFlight: IN_FLIGHT * Math.max(mostAnswer, bodyLimit),
    timeoutSeconds: options.timeout,
    mostConnections: options.maxConnections,
    ratePerSecond: options.rate,
    isLocal: options.tokens === undefined && options.keystone === undefined,
    cors: options.cors ?? [],
    trustedProxies: options.trustedProxy ?? [],
    tls: door.tls,
    logRequest: options.log === 'requests' ? log : undefined,
    logError: options.log === 'none' ? undefined : log,
  });
  return app;
}

async function listening(attempt: Promise<unknown>, { listen }: Options, address: Address): Promise<void> {
  try {
    await attempt;
  } catch (error) {
    throw new ExecutionError(
      `cannot listen on ${listen}: ${(error as Error).message}`,
      'path' in address
        ? 'remove the file if nobody listens there, and see that its folder is there'
        : 'choose another address or port',
    );
  }
}

/** Ahead of the ledger, which is made or brought up to date only by who will serve it. */
async function assertFree(options: Options, address: Address): Promise<void> {
  const probe = createServer();
  await listening(once(probe.listen(address), 'listening'), options, address);
  await once(probe.close(), 'close');
}

/** Reads the ledger ahead of the first query; claims expire. @returns ends it */
function attend(threads: Threads, fault: Fault): () => void {
  let isEnding = false;
  /** What goes wrong, if anything. */
  const run = (task: 'warm-up' | 'expire'): Promise<string | undefined> =>
    threads.run(task).then(() => undefined, String);
  const tell: Fault = (what, error) => {
    if (error !== undefined && !isEnding) fault(what, error);
  };
  run('warm-up').then((trouble) => tell('the ledger could not be read', trouble));
  let isExpiring = false;
  let before: string | undefined;
  const expiry = setInterval(async () => {
    if (isExpiring) return;
    isExpiring = true;
    const trouble = await run('expire');
    // A ledger that is away all night is told of once, and not each second.
    if (trouble !== before) tell('expired claims were not given back', trouble);
    before = trouble;
    isExpiring = false;
  }, EXPIRY_EVERY_MS);
  return () => {
    isEnding = true;
    clearInterval(expiry);
  };
}

async function serve(options: Options, door: Door, ledger: Ledger): Promise<void> {
  const fault: Fault = (what, error) => {
    if (options.log !== 'none') log(logLine('error', { what, error: String(error) }));
  };
  const threads = await Threads.start(
    {
      ...settingsOf(options),
      url: ledgerUrl(options),
      mostAnswer: options.maxAnswer * MIB,
      longThreads: options.threads,
      longHeapMib: LONG_HEAP_MIB,
      workSeconds: options.workTime,
    },
    (error) => fault('a thread ended', error),
  );
  try {
    const app = appFor(options, door, ledger, threads);
    process.on('SIGHUP', () => {
      try {
        door.readAgain(app.server);
      } catch (error) {
        fault('tokens and certificates stay as they were', error);
      }
    });
    const { address } = door;
    // `localhost` may have an address of each family.
    const isName = 'host' in address && address.host === 'localhost';
    const [first, ...others] = isName ? await lookup(address.host, { all: true }) : [];
    await listening(app.listen(first ? { ...address, host: first.address } : address), options, address);
    await alsoOn(app.server, others);
    const place = placeOf(app.server.address()!, door.tls !== undefined);
    printOut(`hplaced listens on ${place} with ${ledger.store.name}\n`);
    const end = endAsked();
    const leave = attend(threads, fault);
    await end;
    leave();
    const force = setTimeout(() => app.server.closeAllConnections(), END_AFTER_MS);
    await app.close();
    clearTimeout(force);
  } finally {
    await threads.close();
  }
}

export async function main(options: Options): Promise<number> {
  if (options.newToken !== undefined) {
    const { token, line } = newToken(options.newToken);
    printOut(`token: ${token}\nline:  ${line}\n`);
    return 0;
  }
  const [door] = allSaid(
    () => new Door(options),
    () => assertNeighbours(options),
  );
  await assertFree(options, door.address);
  const { ledger } = await initLedger(ledgerUrl(options), SURROUNDINGS);
  try {
    await migrate(ledger.store, PODS, Date.now());
    await serve(options, door, ledger);
  } finally {
    await ledger.store.close();
  }
  return 0;
}
