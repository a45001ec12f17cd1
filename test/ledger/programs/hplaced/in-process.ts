/**
 * The service's routes in the process of the test, on a ledger and a clock that the test has in its hands.
 */
import type { Ledger } from '../../../../src/ledger/claims/claim/ledger.ts';
import { answerOf } from '../../../../src/ledger/http/work.ts';
import { makeRoutes } from '../../../../src/ledger/programs/hplaced/routes/all.ts';
import { asApiError } from '../../../../src/ledger/programs/hplaced/service/faults.ts';
import { serviceOn as serviceWith } from '../../../../src/ledger/programs/hplaced/service/service.ts';
import { serverOf } from '../../http/server-of.ts';

const MINOR = 41;

export interface InProcess {
  /** Has it listen on a port of this machine. @returns its URL */
  listen(): Promise<string>;
  call(
    method: string,
    path: string,
    body?: unknown,
    version?: string,
    // biome-ignore lint/suspicious/noExplicitAny: documents of many forms
  ): Promise<{ status: number; headers: object; body: any }>;
  close(): Promise<void>;
}

export function serviceOn(ledger: Ledger): InProcess {
  const minors = { latestMinor: MINOR, mostMinor: MINOR };
  const service = serviceWith(ledger, { mostCandidates: 1000, ...minors, isClosed: false });
  const mostAnswer = 1 << 20;
  const { app } = serverOf({
    routes: makeRoutes(service, async () => ''),
    perform: (operation, request) => answerOf(operation, request, { asApiError, mostAnswer }),
    ...minors,
    bodyLimit: 1 << 20,
    bytesInFlight: 1 << 24,
    mostConnections: 100,
  });
  return {
    listen: () => app.listen({ host: '127.0.0.1', port: 0 }),
    async call(method, path, body, version = 'latest') {
      const response = await app.inject({
        method: method as 'GET',
        url: path,
        headers: {
          'x-auth-token': 'admin',
          'openstack-api-version': `placement ${version}`,
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
