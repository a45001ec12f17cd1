import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeBigLedger } from '../../../../bench/ledger/programs/hplaced/big-ledger.ts';
import { RunningService } from './running.ts';

const groups = (count: number): string =>
  Array.from({ length: count }, (_, k) => `resources_${k}=VGPU:1`).join('&');
/** Takes seconds on any machine: there are more groups than devices. */
const LONG = `/allocation_candidates?${groups(17)}&group_policy=isolate`;

describe('hplaced with requests that take long', () => {
  let folder: string;
  let service: RunningService;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'evenkeel-threads-'));
    const url = join(folder, 'ledger.db');
    await makeBigLedger(url, { hosts: 200, numaNodes: 2, devices: 8 });
    service = await RunningService.start(
      '--db',
      url,
      '--work-time',
      '1',
      '--threads',
      '1',
      '--max-answer',
      '1',
    );
  });
  after(async () => {
    expect(await service.stop()).to.equal(0);
    expect(service.stderr).to.equal('');
    rmSync(folder, { recursive: true });
  });
  const statusOf = async (path: string): Promise<number> => (await service.call('GET', path)).status;

  it('ends them when their time is over, and answers others meanwhile', async () => {
    let isOver = false;
    const long = service.call('GET', LONG).finally(() => {
      isOver = true;
    });
    let answered = 0;
    while (!isOver) {
      expect(await statusOf('/healthz')).to.equal(200);
      expect(await statusOf('/allocation_candidates?resources=VCPU:1&limit=5')).to.equal(200);
      answered++;
    }
    expect(answered).to.be.above(5);
    const { status, body, headers } = await long;
    expect([status, body.errors[0].code]).to.deep.equal([503, 'hplaced.too_long']);
    expect(headers.get('retry-after')).to.equal('5');
    // The thread that was ended is replaced.
    expect((await service.call('GET', '/hplaced/trees?limit=1')).body.total.trees).to.equal(200);
  });

  it('stops when their clients leave', async () => {
    const leave = (): Promise<unknown> =>
      fetch(service.url + LONG, {
        headers: { 'x-auth-token': 'admin', 'openstack-api-version': 'placement 1.39' },
        signal: AbortSignal.timeout(100),
      }).catch(() => undefined);
    await Promise.all(Array.from({ length: 20 }, leave));
    // With one thread and a second each, those who left would be in the way for twenty seconds.
    expect(await statusOf('/hplaced/trees?limit=1')).to.equal(200);
  });

  it('refuses an answer that is too large, and streams one that is large', async () => {
    const all = await service.call('GET', '/allocation_candidates?resources=VGPU:1');
    expect([all.status, all.body.errors[0].code]).to.deep.equal([400, 'hplaced.answer_too_large']);
    const some = await service.call('GET', '/allocation_candidates?resources=VGPU:1&limit=900');
    expect([some.status, some.body.allocation_requests.length]).to.deep.equal([200, 900]);
    expect(Number(some.headers.get('content-length'))).to.be.above(200_000);
  });

  it('decides by the headers whether a body is read', async () => {
    const answered = await new Promise<string>((resolve) => {
      const head = 'POST /allocations HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n';
      // Nothing of the body is ever sent.
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () =>
        socket.write(`${head}content-length: 4000000\r\n\r\n`),
      );
      let said = '';
      socket.on('data', (chunk) => {
        said += chunk;
      });
      socket.on('close', () => resolve(said));
    });
    expect(answered).to.match(/^HTTP\/1\.1 401 .*connection: close/s);
  });
});

describe('hplaced without tokens', () => {
  it('is reached by names of its own machine only', async () => {
    const service = await RunningService.start();
    const ask = (headers: string, line = 'GET /healthz'): Promise<string> =>
      new Promise((resolve) => {
        const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () =>
          socket.write(`${line} HTTP/1.1\r\nconnection: close\r\n${headers}\r\n\r\n`),
        );
        let said = '';
        socket.on('data', (chunk) => {
          said += chunk;
        });
        socket.on('close', () => resolve(said.slice(9, 12)));
      });
    try {
      for (const host of ['localhost', 'LOCALHOST:80', '127.0.0.1:8778', '[::1]:8778', '127.1.2.3'])
        expect(await ask(`host: ${host}`), host).to.equal('200');
      for (const host of ['evil.example', '127.0.0.1.evil.example', '10.0.0.1', 'localhost.evil.example'])
        expect(await ask(`host: ${host}`), host).to.equal('403');
      const token = 'x-auth-token: admin\r\nopenstack-api-version: placement 1.39';
      for (const origin of ['https://evil.example', 'null'])
        expect(
          await ask(`host: localhost\r\norigin: ${origin}\r\n${token}`, 'PUT /traits/CUSTOM_A'),
        ).to.equal('403');
      const own = `host: localhost\r\norigin: http://localhost:8080\r\n${token}`;
      expect(await ask(own, 'PUT /traits/CUSTOM_A')).to.equal('201');
    } finally {
      await service.stop();
    }
  });
});
