/** A server for tests: everybody is an administrator, nothing is logged, and nothing else is limited. */
import { OPEN } from '../../../src/ledger/http/door/tokens.ts';
import { type ApiServer, makeServer, type ServerOptions } from '../../../src/ledger/http/server.ts';

type Decided = 'routes' | 'perform' | 'latestMinor' | 'mostMinor' | 'bodyLimit' | 'bytesInFlight';

export const serverOf = (options: Pick<ServerOptions, Decided> & Partial<ServerOptions>): ApiServer =>
  makeServer({
    authenticator: OPEN,
    timeoutSeconds: 10,
    mostConnections: 10,
    trustedProxies: [],
    isLocal: true,
    cors: [],
    ratePerSecond: 0,
    logRequest: undefined,
    logError: undefined,
    ...options,
  });
