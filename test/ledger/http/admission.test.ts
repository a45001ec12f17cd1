import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { expect } from 'chai';
import { ApiError } from '../../../src/ledger/http/api-error.ts';
import type { Operation, Route } from '../../../src/ledger/http/route.ts';
import { type ApiServer, alsoOn, type ServerOptions } from '../../../src/ledger/http/server.ts';
import { answerOf } from '../../../src/ledger/http/work.ts';
import { promise } from '../../builders/promise.ts';
import { CERTIFICATE_FILE, KEY_FILE } from '../../htools/ganeti/play.ts';
import { serverOf as serverWith } from './server-of.ts';

const MOST_BYTES = 10;
const MANY = 'x'.repeat(8);
const PROXY = '10.0.0.1';

const operation = (access: Operation['access'], handle: Operation['handle']): Operation => ({
  id: 'one',
  summary: '',
  since: 0,
  success: 200,
  access,
  handle,
});
const asApiError = () => undefined;

const serverOf = (routes: readonly Route[], options: Partial<ServerOptions>): ApiServer =>
  serverWith({
    routes,
    perform: (one, request) => answerOf(one, request, { asApiError, mostAnswer: 100 }),
    latestMinor: 0,
    mostMinor: 0,
    bodyLimit: MOST_BYTES,
    bytesInFlight: MOST_BYTES,
    ...options,
  });

const many = () => Promise.resolve({ status: 200, text: [MANY] });
const OPEN: readonly Route[] = [{ path: '/open', operations: { GET: operation('open', many) } }];
const READ: readonly Route[] = [{ path: '/read', operations: { GET: operation('read', many) } }];

describe('bytes in flight', () => {
  it('bound what is asked and taken in, and keep back no word of what is done', async () => {
    const [arrival, leave] = [promise(), promise()];
    const waiting = async () => {
      arrival.keep();
      await leave.made;
      return { status: 204 };
    };
    const routes = [
      { path: '/slow', operations: { PUT: operation('write', waiting) } },
      { path: '/many', operations: { GET: operation('read', many), PUT: operation('write', many) } },
    ];
    const { app, admission } = serverOf(routes, {});
    const ask = async (method: 'GET' | 'PUT', url: string, payload?: string): Promise<number> => {
      const headers = { 'x-auth-token': 'admin', ...(payload && { 'content-type': 'text/plain' }) };
      return (await app.inject({ method, url, headers, ...(payload && { payload }) })).statusCode;
    };
    const first = ask('PUT', '/slow', MANY);
    await arrival.made;
    expect(await ask('PUT', '/slow', MANY), 'another body').to.equal(503);
    expect(await ask('GET', '/many'), 'a long answer').to.equal(503);
    expect(await ask('PUT', '/many'), 'what is done').to.equal(200);
    leave.keep();
    expect(await first).to.equal(204);
    expect(await ask('GET', '/many'), 'later').to.equal(200);
    expect(admission.heldBytes).to.equal(0);
    await app.close();
  });
});

describe('the rate of requests', () => {
  /** One request in ten seconds. */
  const RATE = { ratePerSecond: 0.1 };
  const ask = async ({ app }: ApiServer, url: string, from: string, headers = {}): Promise<number> =>
    (await app.inject({ url, remoteAddress: from, headers })).statusCode;

  it('is counted by address', async () => {
    const server = serverOf(OPEN, RATE);
    const statuses = [];
    for (const from of ['10.0.0.2', '10.0.0.2', '10.0.0.3']) statuses.push(await ask(server, '/open', from));
    expect(statuses).to.deep.equal([200, 429, 200]);
    await server.app.close();
  });

  it('is counted by token, from wherever it comes', async () => {
    const server = serverOf(READ, RATE);
    const headers = { 'x-auth-token': 'admin' };
    expect(await ask(server, '/read', '10.0.0.2', headers)).to.equal(200);
    expect(await ask(server, '/read', '10.0.0.3', headers)).to.equal(429);
    await server.app.close();
  });

  it('is counted by what a proxy says, where that is trusted, and by nobody else’s word', async () => {
    for (const trustedProxies of [[PROXY], []]) {
      const server = serverOf(OPEN, { ...RATE, trustedProxies });
      const from = (sender: string, client: string): Promise<number> =>
        ask(server, '/open', sender, { 'x-forwarded-for': client });
      const isTrusted = trustedProxies.length > 0;
      expect(await from(PROXY, '192.0.2.1')).to.equal(200);
      expect(await from(PROXY, '192.0.2.2')).to.equal(isTrusted ? 200 : 429);
      expect(await from(PROXY, '192.0.2.1')).to.equal(429);
      expect(await from('10.0.0.9', '192.0.2.3')).to.equal(200);
      expect(await from('10.0.0.9', '192.0.2.4')).to.equal(429);
      await server.app.close();
    }
  });
});

describe('connections', () => {
  it('are no more than are allowed', async () => {
    const { app } = serverOf(OPEN, { mostConnections: 1 });
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as { port: number };
    const first = connect(port, '127.0.0.1');
    await new Promise((resolve) => first.once('connect', resolve));
    const second = connect(port, '127.0.0.1');
    await new Promise((resolve) => second.once('close', resolve));
    expect(first.destroyed).to.equal(false);
    first.destroy();
    await app.close();
  });

  it('by another address have the limit and the certificate of the server', async () => {
    const other = '127.0.0.2';
    const { app } = serverOf(OPEN, {
      mostConnections: 1,
      tls: { cert: readFileSync(CERTIFICATE_FILE, 'utf8'), key: readFileSync(KEY_FILE, 'utf8') },
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    await alsoOn(app.server, [{ address: other }]);
    const { port } = app.server.address() as { port: number };
    const first = connectTls({ port, host: other, rejectUnauthorized: false });
    await once(first, 'secureConnect');
    const second = connect(port, other);
    await once(second, 'close');
    first.write('GET /open HTTP/1.1\r\nhost: localhost\r\nx-auth-token: admin\r\n\r\n');
    expect(String((await once(first, 'data'))[0])).to.match(/^HTTP\/1\.1 200 /);
    first.destroy();
    await app.close();
  });
});

describe('the log', () => {
  it('has a line for what the ledger is at fault for, and says where we are', async () => {
    const lines: string[] = [];
    const broken = async () => {
      throw new Error('the ledger is away');
    };
    const routes = [{ path: '/broken', operations: { GET: operation('open', broken) } }];
    const errorWith = async (known: () => ApiError | undefined): Promise<[number, string]> => {
      const perform: ServerOptions['perform'] = (one, request) =>
        answerOf(one, request, { asApiError: known, mostAnswer: 100 });
      const { app } = serverOf(routes, { perform, logError: (line) => lines.push(line) });
      const { statusCode } = await app.inject('/broken');
      return [statusCode, JSON.parse(lines.pop()!).error];
    };
    expect(await errorWith(() => new ApiError(503, 'later'))).to.deep.equal([
      503,
      'Error: the ledger is away',
    ]);
    const [status, error] = await errorWith(() => undefined);
    expect([status, error.split('\n')[0]]).to.deep.equal([500, 'Error: the ledger is away']);
    expect(error).to.match(/\n +at .*broken/);
  });
});
