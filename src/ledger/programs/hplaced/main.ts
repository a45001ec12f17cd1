/** hplaced: the HTTP service of the ledger that clients of Placement can use. */
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Server as TlsServer } from 'node:tls';
import { ExecutionError } from '../../../kit/faults.ts';
import { printErr, printOut } from '../../../kit/report/output.ts';
import { PODS } from '../../binding/schema/migrations.ts';
import { LATEST_MINOR } from '../../candidates/request/dialect.ts';
import { initLedger, type Ledger } from '../../claims/claim/ledger.ts';
import { newToken } from '../../http/door/tokens.ts';
import { logLine } from '../../http/log-line.ts';
import type { Gauge } from '../../http/metrics.ts';
import { makeServer } from '../../http/server.ts';
import { answerOf } from '../../http/work.ts';
import type { ProgramOptions } from '../../options/program-table.ts';
import { migrate } from '../../store/migrations.ts';
import { ledgerUrl } from '../shared/access/ledger-url.ts';
import { makeRoutes } from './routes/all.ts';
import { readAddress, requireDoor, tlsOf, whoMayAsk } from './service/door.ts';
import { asApiError } from './service/faults.ts';
import { serviceOn } from './service/service.ts';
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

/** Resolves when the process is asked to end. */
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
  const gauge = (name: string, help: string, value: number) => ({ name: `hplaced_${name}`, help, value });
  return [
    gauge('providers', 'Providers in the ledger.', row!.count),
    gauge('waiting_quick', 'Requests that wait for the quick thread.', waiting.quick),
    gauge('waiting_long', 'Requests that wait for a thread for long work.', waiting.long),
    gauge('held_bytes', 'Bodies and answers that are kept in memory.', heldBytes),
  ];
}

export async function main(options: ProgramOptions<'hplaced'>): Promise<number> {
  if (options.newToken !== undefined) {
    const { token, line } = newToken(options.newToken);
    printOut(`token: ${token}\nline:  ${line}\n`);
    return 0;
  }
  const address = readAddress(options.listen);
  requireDoor(options, address);
  let who = whoMayAsk(options);
  const tls = tlsOf(options);
  const url = ledgerUrl(options);
  const { ledger } = await initLedger(url, { now: Date.now, newRequest: randomUUID });
  try {
    await migrate(ledger.store, PODS, Date.now());
  } catch (error) {
    await ledger.store.close();
    throw error;
  }
  const log = (line: string): void => printErr(`${line}\n`);
  const fault = (what: string, error: unknown): void => {
    if (options.log !== 'none') log(logLine('error', { what, error: String(error) }));
  };
  const settings = {
    mostCandidates: options.maxCandidates,
    latestMinor: LATEST_MINOR,
    mostMinor: Number(options.maxVersion.slice('1.'.length)),
    isClosed: options.closed,
  };
  const mostAnswer = options.maxAnswer * MIB;
  const threads = await Threads.start(
    {
      ...settings,
      url,
      mostAnswer,
      longThreads: options.threads,
      longHeapMib: LONG_HEAP_MIB,
      workSeconds: options.workTime,
    },
    (error) => fault('a thread ended', error),
  );
  const service = serviceOn(ledger, settings);
  let metricsText = async (): Promise<string> => '';
  const { app, metrics, admission } = makeServer({
    routes: makeRoutes(service, () => metricsText()),
    authenticator: { callerOf: (token) => who.callerOf(token), challenge: who.challenge },
    latestMinor: service.latestMinor,
    mostMinor: service.mostMinor,
    perform: (operation, request, gone) =>
      operation.isAtDoor
        ? answerOf(operation, request, { asApiError, mostAnswer })
        : threads.perform(operation, request, gone),
    bodyLimit: options.maxBody * KIB,
    bytesInFlight: IN_FLIGHT * Math.max(mostAnswer, options.maxBody * KIB),
    timeoutSeconds: options.timeout,
    mostConnections: options.maxConnections,
    ratePerSecond: options.rate,
    isLocal: options.tokens === undefined && options.keystone === undefined,
    cors: options.cors ?? [],
    trustedProxies: options.trustedProxy ?? [],
    tls,
    logRequest: options.log === 'requests' ? log : undefined,
    logError: options.log === 'none' ? undefined : log,
    asApiError,
  });
  process.on('SIGHUP', () => {
    try {
      const context = tlsOf(options);
      who = whoMayAsk(options);
      if (context) (app.server as unknown as TlsServer).setSecureContext(context);
    } catch (error) {
      fault('tokens and certificates stay as they were', error);
    }
  });
  metricsText = async () => metrics.text(await gaugesOf(ledger, threads, admission.heldBytes));
  try {
    await app.listen(address);
  } catch (error) {
    await threads.close();
    await ledger.store.close();
    throw new ExecutionError(
      `cannot listen on ${options.listen}: ${(error as Error).message}`,
      'path' in address ? 'remove the file if nobody listens there' : 'choose another address or port',
    );
  }
  const place = placeOf(app.server.address()!, tls !== undefined);
  printOut(`hplaced listens on ${place} with ${ledger.store.name}\n`);
  const end = endAsked();
  // Read once before anybody asks, so that the first query is as quick as any.
  let isEnding = false;
  threads.run('warm-up').catch((error) => isEnding || fault('the ledger could not be read', error));
  let isExpiring = false;
  const expiry = setInterval(async () => {
    if (isExpiring) return;
    isExpiring = true;
    await threads
      .run('expire')
      .catch((error) => isEnding || fault('expired claims were not given back', error));
    isExpiring = false;
  }, EXPIRY_EVERY_MS);
  await end;
  isEnding = true;
  clearInterval(expiry);
  const force = setTimeout(() => app.server.closeAllConnections(), END_AFTER_MS);
  await app.close();
  clearTimeout(force);
  await threads.close();
  await ledger.store.close();
  return 0;
}
