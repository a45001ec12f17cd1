/** hplaced: the HTTP service of the ledger that clients of Placement can use. */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createSecureContext } from 'node:tls';
import { ExecutionError, UsageError } from '../../../kit/faults.ts';
import { readPrivate } from '../../../kit/files/read-private.ts';
import { printErr, printOut } from '../../../kit/report/output.ts';
import { bookOn } from '../../binding/book/book.ts';
import { PODS } from '../../binding/schema/migrations.ts';
import { LedgerForest } from '../../candidates/records/ledger-forest.ts';
import { LATEST_MINOR } from '../../candidates/request/dialect.ts';
import { expireDue } from '../../claims/claim/expiry.ts';
import { initLedger } from '../../claims/claim/ledger.ts';
import { makeServer } from '../../http/server.ts';
import { Tokens } from '../../http/tokens.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import { migrate } from '../../store/migrations.ts';
import { ledgerUrl } from '../shared/access/ledger-url.ts';
import { placementProtocol } from './protocol/placement.ts';
import { makeRoutes } from './routes/all.ts';
import { asApiError } from './service/faults.ts';
import { isLoopback, readAddress } from './service/listen-address.ts';
import { newUuid, type Service } from './service/service.ts';

const KIB = 1024;
/** How often claims that nobody confirmed are looked for. */
const EXPIRY_EVERY_MS = 1_000;
/** How long answers that have begun may take once the end has come. */
const END_AFTER_MS = 10_000;

function readFile(option: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ExecutionError(
      `--${option} ${file}: ${(error as Error).message}`,
      'check the name and the rights of the file',
    );
  }
}

function tlsOf({ tlsCert, tlsKey }: ProgramOptions<'hplaced'>): { cert: string; key: string } | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new UsageError('--tls-cert and --tls-key belong together', 1, 'name both, or neither');
  const tls = { cert: readFile('tls-cert', tlsCert), key: readFile('tls-key', tlsKey) };
  try {
    createSecureContext(tls);
  } catch (error) {
    throw new ExecutionError(
      `--tls-cert ${tlsCert}, --tls-key ${tlsKey}: ${(error as Error).message}`,
      'name a certificate and its own key, both in PEM form',
    );
  }
  return tls;
}

/** Resolves when the process is asked to end. */
const endAsked = (): Promise<string> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal));
  });

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
  const { ledger } = await initLedger(ledgerUrl(options), { now: Date.now, newRequest: newUuid });
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
  const service: Service = {
    ledger,
    book: bookOn(ledger.store, Date.now),
    forest: new LedgerForest(ledger.store, () => performance.now()),
    stepMode: 'strict',
    mostCandidates: options.maxCandidates,
    latestMinor: LATEST_MINOR,
    mostMinor: Number(options.maxVersion.slice('1.'.length)),
  };
  let metricsText = (): string => '';
  const gauges = () => [
    { name: 'hplaced_providers', help: 'Providers held in memory.', value: service.forest.size },
  ];
  const { app, metrics } = makeServer({
    routes: makeRoutes(service, () => metricsText()),
    tokens: { callerOf: (token) => tokens.callerOf(token) },
    protocol: placementProtocol(service.latestMinor, service.mostMinor),
    bodyLimit: options.maxBody * KIB,
    timeoutSeconds: options.timeout,
    ratePerSecond: options.rate,
    tls,
    logRequest: options.log === 'requests' ? log : undefined,
    logError: options.log === 'none' ? undefined : log,
    asApiError,
  });
  metricsText = () => metrics.text(gauges());
  try {
    await app.listen({ host: address.host, port: address.port });
  } catch (error) {
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
  const expiry = setInterval(() => {
    expireDue(ledger).catch((error) => fault('expired claims were not given back', error));
  }, EXPIRY_EVERY_MS);
  // Read once before anybody asks, so that the first query is as quick as any.
  service.forest.fresh().catch((error) => fault('the ledger could not be read', error));
  await end;
  clearInterval(expiry);
  const force = setTimeout(() => app.server.closeAllConnections(), END_AFTER_MS);
  await app.close();
  clearTimeout(force);
  await ledger.store.close();
  return 0;
}
