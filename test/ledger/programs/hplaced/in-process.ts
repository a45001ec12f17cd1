/** The service's routes in the process of the test, on a ledger and a clock that the test has in its hands. */
import { bookOn } from '../../../../src/ledger/binding/book/book.ts';
import { LedgerForest } from '../../../../src/ledger/candidates/records/ledger-forest.ts';
import type { Ledger } from '../../../../src/ledger/claims/claim/ledger.ts';
import { makeServer } from '../../../../src/ledger/http/server.ts';
import { Tokens } from '../../../../src/ledger/http/tokens.ts';
import { placementProtocol } from '../../../../src/ledger/programs/hplaced/protocol/placement.ts';
import { makeRoutes } from '../../../../src/ledger/programs/hplaced/routes/all.ts';
import { asApiError } from '../../../../src/ledger/programs/hplaced/service/faults.ts';

const MINOR = 41;

export interface InProcess {
  // biome-ignore lint/suspicious/noExplicitAny: documents of many forms
  call(method: string, path: string, body?: unknown): Promise<{ status: number; headers: object; body: any }>;
  close(): Promise<void>;
}

export function serviceOn(ledger: Ledger): InProcess {
  const service = {
    ledger,
    book: bookOn(ledger.store, ledger.now),
    forest: new LedgerForest(ledger.store, () => performance.now()),
    stepMode: 'strict',
    mostCandidates: 1000,
    latestMinor: MINOR,
    mostMinor: MINOR,
  } as const;
  const { app } = makeServer({
    routes: makeRoutes(service, () => ''),
    tokens: Tokens.open(),
    protocol: placementProtocol(MINOR, MINOR),
    bodyLimit: 1 << 20,
    timeoutSeconds: 10,
    ratePerSecond: 0,
    logRequest: undefined,
    logError: undefined,
    asApiError,
  });
  return {
    async call(method, path, body) {
      const response = await app.inject({
        method: method as 'GET',
        url: path,
        headers: {
          'x-auth-token': 'admin',
          'openstack-api-version': 'placement latest',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      });
      const { statusCode: status, headers, payload } = response;
      return { status, headers, body: payload === '' ? undefined : JSON.parse(payload) };
    },
    async close() {
      await app.close();
      await ledger.store.close();
    },
  };
}
