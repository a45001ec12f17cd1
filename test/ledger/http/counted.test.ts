import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { until } from '../../../bench/until.ts';
import type { Operation, Route } from '../../../src/ledger/http/route.ts';
import type { ApiServer } from '../../../src/ledger/http/server.ts';
import { answerOf } from '../../../src/ledger/http/work.ts';
import { serverOf } from './server-of.ts';

const MIB = 1 << 20;
/** More than the buffers of a connection hold. */
const LONG = ['x'.repeat(16 * MIB), 'x'.repeat(16 * MIB)];
const BODY_LIMIT = 1000;
const asApiError = () => undefined;

const route = (
  method: 'GET' | 'PUT',
  id: string,
  access: Operation['access'],
  handle: Operation['handle'],
): Route => ({
  path: `/${id}`,
  operations: { [method]: { id, summary: '', since: 0, success: 200, access, handle } },
});

const head = (line: string, ...more: readonly string[]): string =>
  [`${line} HTTP/1.1`, 'host: localhost', 'x-auth-token: quick', ...more, '', ''].join('\r\n');
const put = (path: string, body: string): string =>
  head(`PUT ${path}`, 'content-type: text/plain', `content-length: ${body.length}`) + body;
const last = (text: string): string => text.replace('\r\n', '\r\nconnection: close\r\n');
const CHUNKED = head('PUT /taken', 'content-type: text/plain', 'transfer-encoding: chunked');

describe('each request is counted once, and nothing of it stays', () => {
  let server: ApiServer;
  let port: number;
  /** Go on with what waits. */
  let waiting: (() => void)[] = [];
  const wait = () => new Promise<void>((resolve) => waiting.push(resolve));
  const goOn = (): void => {
    for (const go of waiting.splice(0)) go();
  };

  beforeEach(async () => {
    waiting = [];
    server = serverOf({
      routes: [
        route('GET', 'small', 'open', async () => ({ text: ['x'] })),
        route('GET', 'long', 'open', async () => ({ text: LONG })),
        route('PUT', 'taken', 'write', async () => ({ status: 204 })),
        route('PUT', 'waits', 'write', async () => {
          await wait();
          return { text: ['done'] };
        }),
      ],
      authenticator: {
        callerOf: async (name) => {
          if (name === 'slow') await wait();
          return { role: 'admin', name };
        },
      },
      perform: (operation, request) => answerOf(operation, request, { asApiError, mostAnswer: 64 * MIB }),
      latestMinor: 0,
      mostMinor: 0,
      bodyLimit: BODY_LIMIT,
      bytesInFlight: 128 * MIB,
    });
    await server.app.listen({ host: '127.0.0.1', port: 0 });
    port = (server.app.server.address() as { port: number }).port;
  });
  afterEach(async () => {
    goOn();
    await server.app.close();
  });

  /** A connection on which `text` was sent, and what comes back until it is closed. */
  function talk(text: string): { readonly socket: Socket; readonly answer: Promise<string> } {
    const socket = connect(port, '127.0.0.1', () => socket.write(text)).on('error', () => {});
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    const answer = once(socket, 'close').then(() => Buffer.concat(chunks).toString());
    return { socket, answer };
  }
  /** Sends it, and breaks the connection once so much waits. */
  async function leave(text: string, count = 0): Promise<void> {
    const { socket } = talk(text);
    await untilSo(() => waiting.length === count && running() > 0);
    socket.resetAndDestroy();
  }
  const untilSo = (isSo: () => boolean) =>
    until(20_000, async () => (isSo() ? undefined : server.metrics.text([])), 5);
  const running = (): number => Number(/^hplaced_requests_running (.*)$/m.exec(server.metrics.text([]))![1]);

  async function expectCounted(expected: Readonly<Record<string, number>>): Promise<void> {
    const look = () => ({
      running: running(),
      heldBytes: server.admission.heldBytes,
      counted: Object.fromEntries(
        [...server.metrics.text([]).matchAll(/_count\{operation="(.*)",status="(.*)"\} (.*)$/gm)].map(
          ([, operation, status, count]) => [`${operation} ${status}`, Number(count)],
        ),
      ),
    });
    const wanted = { running: 0, heldBytes: 0, counted: expected };
    await untilSo(() => JSON.stringify(look()) === JSON.stringify(wanted)).catch(() => {});
    expect(look()).to.deep.equal(wanted);
  }

  it('when it is answered, by whatever method and with whatever body', async () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND'])
      await talk(last(head(`${method} /small`))).answer;
    await talk(last(head('GET /nowhere'))).answer;
    await talk(head('GET /small').repeat(3) + last(put('/taken', 'x'))).answer;
    const large = 'x'.repeat(BODY_LIMIT + 1);
    await talk(last(put('/taken', large))).answer;
    await talk(`${CHUNKED}${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`).answer;
    await expectCounted({ 'none 404': 1, 'none 405': 4, 'small 200': 5, 'taken 204': 1, 'taken 413': 2 });
  });

  it('when its client waits longer than it may be silent; who sends nothing, or half of it, may not', async () => {
    server.app.server.setTimeout(300);
    const { answer } = talk(last(put('/waits', 'x')));
    await untilSo(() => waiting.length === 1);
    const silent = ['', head('GET /small').slice(0, -2)].map((text) => talk(text).answer);
    expect(await Promise.all(silent)).to.deep.equal(['', '']);
    goOn();
    expect(await answer).to.match(/^HTTP\/1\.1 200 .*done$/s);
    await expectCounted({ 'waits 200': 1 });
  });

  it('when it names no host, which its client is told, or expects what nobody knows', async () => {
    const nameless = last(head('GET /small')).replace(/^host:.*\r\n/im, '');
    expect(await talk(nameless).answer).to.match(/^HTTP\/1\.1 400 .*host header required/s);
    expect(await talk(nameless.replace('HTTP/1.1', 'HTTP/1.0')).answer).to.match(/^HTTP\/1\.1 200 /);
    expect(await talk(last(head('GET /small', 'expect: wonders'))).answer).to.match(/^HTTP\/1\.1 200 /);
    await expectCounted({ 'none 400': 1, 'small 200': 2 });
  });

  it('when it wants a way through to elsewhere, which its client is told there is none', async () => {
    const { answer } = talk(head('CONNECT elsewhere:443'));
    expect(await answer).to.match(/^HTTP\/1\.1 404 .*could not be found/s);
    await expectCounted({ 'none 404': 1 });
  });

  it('when its path cannot be decoded', async () => {
    await talk(last(head('GET /%zz'))).answer;
    await expectCounted({ 'none 400': 1 });
  });

  it('when its client leaves while it is at the door', async () => {
    await leave(put('/taken', 'x').replace('quick', 'slow'), 1);
    await untilSo(() => running() === 0);
    goOn();
    await expectCounted({ 'none 499': 1 });
  });

  it('when its client leaves amid the body', async () => {
    await leave(put('/taken', 'xx').slice(0, -1));
    await expectCounted({ 'taken 499': 1 });
  });

  it('when its client leaves while it is worked on', async () => {
    await leave(put('/waits', 'x'), 1);
    await untilSo(() => running() === 0);
    goOn();
    await expectCounted({ 'waits 499': 1 });
  });

  it('when its client leaves amid the answer', async () => {
    const { socket } = talk(head('GET /long'));
    await once(socket, 'data');
    socket.resetAndDestroy();
    await expectCounted({ 'long 499': 1 });
  });

  it('when it waits for the answers to those before it on a connection that breaks', async () => {
    await leave(put('/waits', 'x').repeat(20) + head('GET /long') + put('/waits', 'x'), 21);
    await untilSo(() => running() === 0);
    goOn();
    await expectCounted({ 'long 499': 1, 'waits 499': 21 });
  });

  it('when its body is no HTTP, which its client is told', async () => {
    const { socket, answer } = talk(CHUNKED);
    await untilSo(() => server.admission.heldBytes > 0);
    socket.write('many\r\n');
    expect(await answer).to.match(/^HTTP\/1\.1 400 .*not valid HTTP/s);
    await expectCounted({ 'taken 400': 1 });
  });

  it('when what follows is no HTTP, which its client is told afterwards', async () => {
    const { answer } = talk(`${put('/waits', 'x').repeat(2)}rubbish\r\n\r\n`);
    await untilSo(() => waiting.length === 2);
    goOn();
    expect(await answer).to.match(
      /^HTTP\/1\.1 200 .*done.*HTTP\/1\.1 200 .*done.*HTTP\/1\.1 400 .*not valid/s,
    );
    const afterLong = async (...more: readonly string[]): Promise<string> => {
      const { socket, answer: all } = talk(head('GET /long', ...more));
      await once(socket, 'data');
      socket.write('rubbish\r\n\r\n');
      return (await all).split('x'.repeat(32 * MIB))[1]!;
    };
    expect(await afterLong()).to.match(/^HTTP\/1\.1 400 .*not valid/s);
    // Such an answer says that it is the last.
    expect(await afterLong('transfer-encoding: chunked')).to.equal('');
    expect(await talk(`${last(put('/taken', 'x'))}rubbish`).answer).to.match(/^HTTP\/1\.1 204 [^{]*$/);
    await expectCounted({ 'long 200': 2, 'taken 204': 1, 'waits 200': 2 });
  });

  it('when it arrives at the last moment', async () => {
    const { socket, answer } = talk(head('GET /small').slice(0, -2));
    await untilSo(() => socket.bytesWritten > 0);
    await talk(last(head('GET /small'))).answer;
    const closed = server.app.close();
    await untilSo(() => !server.app.server.listening);
    socket.write('\r\n');
    expect(await answer).to.match(/^HTTP\/1\.1 200 .*connection: close/is);
    await closed;
    await expectCounted({ 'small 200': 2 });
  });
});
