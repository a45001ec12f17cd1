/** hplaced: the HTTP service of the ledger that clients of Placement can use. */
import type { AddressInfo } from 'node:net';
import { ExecutionError, UsageError } from '../../../kit/faults.ts';
import { readPrivate } from '../../../kit/files/read-private.ts';
import { printErr, printOut } from '../../../kit/report/output.ts';
import { PODS } from '../../binding/schema/migrations.ts';
import { LATEST_MINOR } from '../../candidates/request/dialect.ts';
import { initLedger, type Ledger } from '../../claims/claim/ledger.ts';
import { isLoopback } from '../../http/door/names.ts';
import { Tokens } from '../../http/door/tokens.ts';
import type { Gauge } from '../../http/metrics.ts';
import { makeServer } from '../../http/server.ts';
import { answerOf } from '../../http/work.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import { migrate } from '../../store/migrations.ts';
import { ledgerUrl } from '../shared/access/ledger-url.ts';
import { placementProtocol } from './protocol/placement.ts';
import { makeRoutes } from './routes/all.ts';
import { asApiError } from './service/faults.ts';
import { readAddress } from './service/listen-address.ts';
import { serviceOn } from './service/open-service.ts';
import { newUuid } from './service/service.ts';
import { tlsOf } from './service/tls.ts';
import { Threads } from './threads/threads.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
/** So many of the largest bodies and answers may be in memory at a time. */
const IN_FLIGHT = 4;
/** How often claims that nobody confirmed are looked for. */
const EXPIRY_EVERY_MS = 1_000;
/** How long answers that have begun may take once the end has come. */
const END_AFTER_MS = 10_000;

/** Resolves when the process is asked to end. */
const endAsked = (): Promise<string> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal));
  });

async function gaugesOf(ledger: Ledger, { waiting }: Threads, heldBytes: number): Promise<readonly Gauge[]> {
  const row = await ledger.store.read((session) =>
    session.get<{ count: number }>('SELECT count(*) AS count FROM resource_providers'),
  );
  return [
    { name: 'hplaced_providers', help: 'Providers in the ledger.', value: row!.count },
    { name: 'hplaced_waiting_quick', help: 'Requests that wait for the quick thread.', value: waiting.quick },
    {
      name: 'hplaced_waiting_long',
      help: 'Requests that wait for a thread for long work.',
      value: waiting.long,
    },
    { name: 'hplaced_held_bytes', help: 'Bodies and answers that are kept in memory.', value: heldBytes },
  ];
}

export async function main(options: ProgramOptions<'hplaced'>): Promise<number> {
  const address = readAddress(options.listen);
  const readTokens = (): Tokens =>
    options.tokens === undefined
      ? Tokens.open()
      : Tokens.parse(readPrivate(options.tokens, 'tokens'), options.tokens);
  if (options.tokens === undefined && !isLoopback(address.host))
    throw new UsageError(
      `--listen ${options.listen}: without --tokens anybody who reaches this address could change the ledger`,
      1,
      'name a file of tokens, or listen on 127.0.0.1',
    );
  let tokens = readTokens();
  const tls = tlsOf(options);
  const url = ledgerUrl(options);
  const { ledger } = await initLedger(url, { now: Date.now, newRequest: newUuid });
  try {
    await migrate(ledger.store, PODS, Date.now());
  } catch (error) {
    await ledger.store.close();
    throw error;
  }
  const log = (line: string): void => printErr(`${line}\n`);
  const fault = (what: string, error: unknown): void => {
    if (options.log !== 'none')
      log(JSON.stringify({ level: 'error', time: new Date().toISOString(), what, error: String(error) }));
  };
  process.on('SIGHUP', () => {
    try {
      tokens = readTokens();
    } catch (error) {
      fault('the tokens stay as they were', error);
    }
  });
  const settings = {
    mostCandidates: options.maxCandidates,
    latestMinor: LATEST_MINOR,
    mostMinor: Number(options.maxVersion.slice('1.'.length)),
  };
  const mostAnswer = options.maxAnswer * MIB;
  const threads = await Threads.start(
    { ...settings, url, mostAnswer, longThreads: options.threads, workSeconds: options.workTime },
    (error) => fault('a thread ended', error),
  );
  const service = serviceOn(ledger, settings);
  let metricsText = async (): Promise<string> => '';
  const { app, metrics, admission } = makeServer({
    routes: makeRoutes(service, () => metricsText()),
    authenticator: { callerOf: (token) => tokens.callerOf(token) },
    protocol: placementProtocol(service.latestMinor, service.mostMinor),
    perform: (operation, request, gone) =>
      operation.access === 'open'
        ? answerOf(operation, request, { asApiError, mostAnswer })
        : threads.perform(operation, request, gone),
    bodyLimit: options.maxBody * KIB,
    bytesInFlight: IN_FLIGHT * Math.max(mostAnswer, options.maxBody * KIB),
    timeoutSeconds: options.timeout,
    mostConnections: options.maxConnections,
    ratePerSecond: options.rate,
    isLocal: options.tokens === undefined,
    trustedProxies: options.trustedProxy ?? [],
    tls,
    logRequest: options.log === 'requests' ? log : undefined,
    logError: options.log === 'none' ? undefined : log,
    asApiError,
  });
  metricsText = async () => metrics.text(await gaugesOf(ledger, threads, admission.heldBytes));
  try {
    await app.listen({ host: address.host, port: address.port });
  } catch (error) {
    await threads.close();
    await ledger.store.close();
    throw new ExecutionError(
      `cannot listen on ${options.listen}: ${(error as Error).message}`,
      'choose another address or port',
    );
  }
  const bound = app.server.address() as AddressInfo;
  const host = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  printOut(
    `hplaced listens on ${tls ? 'https' : 'http'}://${host}:${bound.port} with ${ledger.store.name}\n`,
  );
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
