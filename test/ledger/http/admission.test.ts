import { expect } from 'chai';
import { Tokens } from '../../../src/ledger/http/door/tokens.ts';
import type { Operation } from '../../../src/ledger/http/route.ts';
import { makeServer } from '../../../src/ledger/http/server.ts';
import { answerOf } from '../../../src/ledger/http/work.ts';
import { placementProtocol } from '../../../src/ledger/programs/hplaced/protocol/placement.ts';

const MOST_BYTES = 10;
const MANY = 'x'.repeat(8);

describe('bytes in flight', () => {
  it('bound what is asked and taken in, and keep back no word of what is done', async () => {
    let letGo = (): void => {};
    const slow = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let arrived = (): void => {};
    const isHeld = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const operation = (access: Operation['access'], handle: Operation['handle']): Operation => ({
      id: 'one',
      summary: '',
      since: 0,
      success: 200,
      access,
      handle,
    });
    const many = () => Promise.resolve({ status: 200, text: [MANY] });
    const waiting = async () => {
      arrived();
      await slow;
      return { status: 204 };
    };
    const asApiError = () => undefined;
    const { app, admission } = makeServer({
      routes: [
        { path: '/slow', operations: { PUT: operation('write', waiting) } },
        { path: '/many', operations: { GET: operation('read', many), PUT: operation('write', many) } },
      ],
      authenticator: Tokens.open(),
      perform: (one, request) => answerOf(one, request, { asApiError, mostAnswer: 100 }),
      protocol: placementProtocol(0, 0),
      bodyLimit: MOST_BYTES,
      bytesInFlight: MOST_BYTES,
      timeoutSeconds: 10,
      mostConnections: 10,
      trustedProxies: [],
      isLocal: true,
      cors: [],
      ratePerSecond: 0,
      logRequest: undefined,
      logError: undefined,
      asApiError,
    });
    const ask = async (method: 'GET' | 'PUT', url: string, payload?: string): Promise<number> => {
      const headers = { 'x-auth-token': 'admin', ...(payload && { 'content-type': 'text/plain' }) };
      return (await app.inject({ method, url, headers, ...(payload && { payload }) })).statusCode;
    };
    const first = ask('PUT', '/slow', MANY);
    await isHeld;
    expect(await ask('PUT', '/slow', MANY), 'another body').to.equal(503);
    expect(await ask('GET', '/many'), 'a long answer').to.equal(503);
    expect(await ask('PUT', '/many'), 'what is done').to.equal(200);
    letGo();
    expect(await first).to.equal(204);
    expect(await ask('GET', '/many'), 'later').to.equal(200);
    expect(admission.heldBytes).to.equal(0);
    await app.close();
  });
});
