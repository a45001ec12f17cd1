import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { renameSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { makeBigLedger } from '../../../../bench/ledger/programs/hplaced/big-ledger.ts';
import { workerFile } from '../../../../src/htools/workers/pool/worker-file.ts';
import { mayEnd, newEndGate } from '../../../../src/kit/end-gate.ts';
import { NOBODY } from '../../../../src/ledger/http/exchange.ts';
import { parseQueryString } from '../../../../src/ledger/http/query-string.ts';
import type { Operation } from '../../../../src/ledger/http/route.ts';
import { type ThreadOptions, Threads } from '../../../../src/ledger/programs/hplaced/threads/threads.ts';
import { newFolder } from '../../../builders/folder.ts';
import { halved, runsOf } from '../../../builders/seeds.ts';
import { RunningService } from './running.ts';

const groups = (count: number): string =>
  Array.from({ length: count }, (_, k) => `resources_${k}=VGPU:1`).join('&');
/** Takes seconds on any machine: there are more groups than devices. */
const LONG = `/allocation_candidates?${groups(17)}&group_policy=isolate`;

describe('hplaced with requests that take long', () => {
  let folder: string;
  let service: RunningService;
  const start = (workSeconds: number): Promise<RunningService> =>
    RunningService.start(
      ...['--db', join(folder, 'ledger.db'), '--work-time', `${workSeconds}`],
      ...['--threads', '1', '--max-answer', '1'],
    );
  before(async () => {
    folder = newFolder();
    await makeBigLedger(join(folder, 'ledger.db'), { hosts: 200, numaNodes: 2, devices: 8 });
    // On a busy machine a new thread may take seconds to begin.
    service = await start(3600);
  });
  after(() => service.end());

  it('ends them when their time is over, and answers others meanwhile', async () => {
    const hasty = await start(1);
    let isOver = false;
    const long = hasty.call('GET', LONG).finally(() => {
      isOver = true;
    });
    while (!isOver)
      for (const path of ['/healthz', '/allocation_candidates?resources=VCPU:1&limit=5'])
        expect((await hasty.call('GET', path)).status, path).to.equal(200);
    const { status, body, headers } = await long;
    expect([status, body.errors[0].code]).to.deep.equal([503, 'hplaced.too_long']);
    expect(headers.get('retry-after')).to.equal('5');
    await hasty.end();
  });

  it('stops when their clients leave', async () => {
    const leave = (): Promise<unknown> =>
      fetch(service.url + LONG, {
        headers: { 'x-auth-token': 'admin', 'openstack-api-version': 'placement 1.39' },
        signal: AbortSignal.timeout(100),
      }).catch(() => undefined);
    // Threads that have just begun read the ledger; ended within SQLite they would take the service along.
    for (let turn = 0; turn < runsOf(halved(2)); turn++) await Promise.all(Array.from({ length: 20 }, leave));
    // With one thread and an hour each, those who left would be in the way for long.
    const { status, body } = await service.call('GET', '/hplaced/trees?limit=1');
    expect([status, body.total?.trees]).to.deep.equal([200, 200]);
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

/** A thread that tells of each native library whether its end was held off while that was loaded. */
const LOADING = `
  const { parentPort, workerData } = require('node:worker_threads');
  const load = process.dlopen;
  const held = [];
  process.dlopen = (...words) => {
    held.push(Atomics.load(workerData.gate, 0) === 1);
    return load.apply(process, words);
  };
  const request = { path: {}, query: [], body: Buffer.alloc(0) };
  const tell = () => parentPort.postMessage(held);
  require(workerData.file).default({ operation: 'none', request, gate: workerData.gate }).then(tell, tell);`;

describe('threads for what takes long', () => {
  it('are not ended while they load the library of the ledger, which would take the service along', async () => {
    const folder = newFolder();
    const url = join(folder, 'ledger.db');
    await makeBigLedger(url, { hosts: 1, numaNodes: 1, devices: 1 });
    const gate = newEndGate();
    const thread = new Worker(LOADING, {
      eval: true,
      execArgv: [],
      workerData: { file: workerFile('hplaced'), gate, url },
    });
    try {
      expect(await once(thread, 'message')).to.deep.equal([[true]]);
      expect(mayEnd(gate)).to.equal(true);
    } finally {
      await thread.terminate();
    }
  });

  describe('one at a time', () => {
    let folder: string;
    let threads: Threads;
    const start = async (limits: Pick<ThreadOptions, 'longHeapMib' | 'workSeconds'>): Promise<void> => {
      const url = join(folder, 'ledger.db');
      await makeBigLedger(url, { hosts: 10, numaNodes: 2, devices: 8 });
      threads = await Threads.start(
        {
          ...{ url, mostAnswer: 1e9, mostCandidates: 1e7, latestMinor: 39, mostMinor: 39, isClosed: false },
          ...{ longThreads: 1, ...limits },
        },
        () => {},
      );
    };
    const request = (query: string, path = {}) => ({
      ...{ minor: 39, path, query: parseQueryString(query).pairs, body: Buffer.alloc(0) },
      ...{ caller: NOBODY, requestId: 'r', accept: undefined, isVersioned: true, isQuick: false },
    });
    const ask = (query: string) =>
      threads.perform(
        { id: 'listCandidates', access: 'read', isLong: true } as Operation,
        request(query),
        new AbortController().signal,
      );
    const expectAnswer = async () =>
      expect(await ask('resources=VCPU:1&limit=3')).to.have.nested.property('reply.status', 200);
    beforeEach(() => {
      folder = newFolder();
    });
    afterEach(async () => {
      await threads.close();
    });

    it('are ended by what takes more memory than they may have, and replaced', async () => {
      await start({ longHeapMib: 32, workSeconds: 3600 });
      const large = await ask(`${groups(8)}&group_policy=none`);
      expect(large).to.have.nested.property('refusal.more.code', 'hplaced.too_large');
      await expectAnswer();
    });

    it('tell whose change they were at when they ended that nobody knows whether it was made', async () => {
      await start({ longHeapMib: 1024, workSeconds: 3600 });
      await threads.run('warm-up');
      const release = { id: 'removeAllocations', access: 'write' } as Operation;
      const answer = threads.perform(
        release,
        request('', { consumer_uuid: randomUUID() }),
        new AbortController().signal,
      );
      const { quick } = threads as unknown as { quick: { threads: Worker[] } };
      await quick.threads[0]!.terminate();
      expect(await answer).to.have.nested.property('refusal.more.code', 'hplaced.outcome_unknown');
      expect(await answer)
        .to.have.nested.property('refusal.trace')
        .that.match(/worker exited/);
      await expectAnswer();
    });

    it('open a ledger that was away as soon as it is back', async () => {
      await start({ longHeapMib: 1024, workSeconds: 3600 });
      const file = join(folder, 'ledger.db');
      renameSync(file, `${file}.away`);
      expect(await ask('resources=VCPU:1')).to.have.nested.property('refusal.status', 503);
      renameSync(`${file}.away`, file);
      await expectAnswer();
    });

    it('are ended when the time of a request is over, and replaced', async () => {
      await start({ longHeapMib: 1024, workSeconds: 1 });
      const long = await ask(LONG.split('?')[1]!);
      expect(long).to.have.nested.property('refusal.more.code', 'hplaced.too_long');
      // However long the next thread takes to begin.
      Object.assign(threads, { workSeconds: 3600 });
      await expectAnswer();
    });
  });
});
