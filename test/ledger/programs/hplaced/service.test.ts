import { chmodSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect } from 'chai';
import { newFolder } from '../../../builders/folder.ts';
import { runApart } from '../../../suite/run-built.ts';
import { RunningService } from './running.ts';

const CONSUMER = '11111111-1111-4111-8111-111111111111';
const claimOf = (provider: string, amount: number, generation: number | null = null) => ({
  allocations: { [provider]: { resources: { VCPU: amount } } },
  consumer_generation: generation,
  project_id: 'shop',
  user_id: 'eve',
  consumer_type: 'INSTANCE',
});
/** A query that two groups answer only from 1.40 on, whatever the policy. */
const TWO = '/allocation_candidates?resources_A=VCPU:1&resources_B=VCPU:1';
const AT_1_40 = { 'openstack-api-version': 'placement 1.40' };

describe('hplaced', () => {
  let service: RunningService;
  let node: string;

  before(async () => {
    service = await RunningService.start();
    node = await service.provider('node1', { VCPU: 4 });
  });
  after(() => service.end());

  it('offers candidates, takes a claim, and offers what is left', async () => {
    const candidates = async (n: number): Promise<number> =>
      (await service.call('GET', `/allocation_candidates?resources=VCPU:${n}`)).body.allocation_requests
        .length;
    expect([await candidates(3), await candidates(5)]).to.deep.equal([1, 0]);
    expect((await service.call('PUT', `/allocations/${CONSUMER}`, claimOf(node, 3))).status).to.equal(204);
    expect([await candidates(1), await candidates(2)]).to.deep.equal([1, 0]);
    const refused = await service.call('PUT', `/allocations/${CONSUMER.replace('1', '2')}`, claimOf(node, 2));
    expect(refused.status).to.equal(409);
    expect(refused.body.errors[0].detail).to.include('3 of 4 are used, 2 more were asked');
    expect(
      (await service.call('PUT', `/allocations/${CONSUMER}`, claimOf(node, 2))).body.errors[0].code,
    ).to.equal('placement.concurrent_update');
    expect((await service.call('DELETE', `/allocations/${CONSUMER}`)).status).to.equal(204);
    expect(await candidates(4)).to.equal(1);
  });

  it('tells why a query has no answer', async () => {
    const { body } = await service.call('GET', '/hplaced/explain?resources=VCPU:5');
    expect(body.slots[0].dropped).to.include({ class: 0, room: 1 });
    expect(body.slots[0].nearest).to.deep.include({ provider: 'node1', step: 'room' });
    expect(body.changes).to.deep.equal([
      { parameter: 'resources', kind: 'at most', value: 'VCPU:4', example: { '': ['node1'] } },
    ]);
  });

  it('shows trees and history', async () => {
    const { body } = await service.call('GET', '/hplaced/trees?name=node');
    expect(body.trees[0].providers[0]).to.deep.include({
      name: 'node1',
      depth: 0,
      resources: { VCPU: { capacity: 4, used: 0 } },
    });
    const { changes, next } = (await service.call('GET', '/hplaced/history?limit=2')).body;
    expect(changes.map(({ action }: { action: string }) => action)).to.deep.equal(['release', 'claim']);
    expect(next).to.equal(changes[1].id);
    const all = (await service.call('GET', '/hplaced/history')).body.changes.length;
    expect((await service.call('GET', `/hplaced/history?limit=${all}`)).body.next).to.equal(null);
  });

  it('describes exactly the routes that it has', async () => {
    const { body } = await service.call('GET', '/openapi.json');
    const operations = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => [method.toUpperCase(), path] as const),
    );
    expect(operations.length).to.be.above(35);
    for (const [path, methods] of Object.entries(body.paths as Record<string, object>)) {
      const url = path
        .replace('{uuid}', node)
        .replace('{resource_class}', 'VCPU')
        .replace('{name}', 'VCPU')
        .replace('{consumer_uuid}', CONSUMER);
      // A method that no path has: the answer names those that there are.
      const { status, headers, body: refusal } = await service.call('PATCH', url);
      expect(refusal.errors[0].detail).to.equal('The method PATCH is not allowed for this resource.');
      expect([status, headers.get('allow')!.split(', ').sort()], path).to.deep.equal([
        405,
        Object.keys(methods)
          .map((method) => method.toUpperCase())
          .sort(),
      ]);
    }
    const ids = Object.values(body.paths as Record<string, Record<string, { operationId: string }>>).flatMap(
      (methods) => Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).to.equal(ids.length);
    // And nothing else is served.
    for (const path of [
      '/hplaced',
      '/resource_providers/',
      '//resource_providers',
      '/Traits',
      '/allocations',
      '/..%2f..%2fetc/passwd',
    ])
      expect((await service.call('GET', path)).status, path).to.be.oneOf([404, 405]);
  });

  it('is watched without a token', async () => {
    const health = await fetch(`${service.url}/healthz`);
    expect([health.status, await health.json()]).to.deep.equal([200, { status: 'ok', store: 'sqlite' }]);
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).to.match(/^hplaced_request_seconds_count\{operation="setAllocations",status="409"\} 2$/m);
    expect(metrics).to.match(/^hplaced_providers 1$/m);
  });

  it('lets nobody in without a token that may', async () => {
    const status = async (token: string | undefined, method = 'GET'): Promise<number> =>
      (
        await fetch(`${service.url}/resource_providers`, {
          method,
          headers: token === undefined ? {} : { 'x-auth-token': token },
        })
      ).status;
    expect([await status(undefined), await status('user'), await status('admin')]).to.deep.equal([
      401, 403, 200,
    ]);
  });

  it('does not speak 1.40', async () => {
    expect((await service.call('GET', TWO, undefined, AT_1_40)).status).to.equal(406);
  });

  /** What a service says to a text of its own, until it closes the connection. */
  const raw = (text: string): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.write(text));
      let answer = '';
      socket.on('data', (chunk) => {
        answer += chunk;
      });
      socket.on('close', () => resolve(answer));
    });

  it('is reached by names of its own machine only', async () => {
    const ask = (headers: string, line = 'GET /healthz'): Promise<string> =>
      raw(`${line} HTTP/1.1\r\nconnection: close\r\n${headers}\r\n\r\n`).then((said) => said.slice(9, 12));
    for (const host of ['localhost', 'LOCALHOST:80', '127.0.0.1:8778', '[::1]:8778', '127.1.2.3'])
      expect(await ask(`host: ${host}`), host).to.equal('200');
    for (const host of ['evil.example', '127.0.0.1.evil.example', '10.0.0.1', 'localhost.evil.example'])
      expect(await ask(`host: ${host}`), host).to.equal('403');
    const token = 'x-auth-token: admin\r\nopenstack-api-version: placement 1.39';
    for (const origin of ['https://evil.example', 'null'])
      expect(await ask(`host: localhost\r\norigin: ${origin}\r\n${token}`, 'PUT /traits/CUSTOM_A')).to.equal(
        '403',
      );
    const own = `host: localhost\r\norigin: http://localhost:8080\r\n${token}`;
    expect(await ask(own, 'PUT /traits/CUSTOM_A')).to.equal('201');
  });

  it('answers what is no HTTP, too large or too slow with documents', async () => {
    expect(await raw('nonsense\r\n\r\n')).to.match(
      /^HTTP\/1.1 400 Bad Request\r\n[\s\S]*"title":"Bad Request"/,
    );
    expect(await raw(`GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`)).to.match(
      /^HTTP\/1.1 431 /,
    );
    const large = `POST /resource_providers HTTP/1.1\r\nhost: localhost\r\nx-auth-token: admin\r\ncontent-type: application/json\r\ncontent-length: ${5 * 1024 * 1024}\r\n\r\n`;
    expect(await raw(large)).to.match(/^HTTP\/1.1 413 .*Request Entity Too Large/s);
  });
});

describe('hplaced whose ledger is broken', () => {
  it('tells once that nothing expires, and not each second', async () => {
    const service = await RunningService.start();
    try {
      const ledger = new DatabaseSync(join(service.folder, 'ledger.db'));
      ledger.exec('DROP TABLE allocation_ends');
      ledger.close();
      await wait(3500);
      expect(service.stderr.match(/expired claims were not given back/g)).to.have.length(1);
    } finally {
      await service.stop();
    }
  });
});

describe('hplaced that is told to speak 1.40 and to keep few candidates', () => {
  let service: RunningService;
  before(async () => {
    service = await RunningService.start('--max-version', '1.40', '--max-candidates', '100');
  });
  after(async () => {
    await service.stop();
  });

  it('speaks 1.40 where that is asked for', async () => {
    await service.provider('a', { VCPU: 2 });
    const answered = await service.call('GET', TWO, undefined, AT_1_40);
    expect(answered.body.allocation_requests).to.have.length(1);
    const isolated = await service.call('GET', `${TWO}&isolate=_A`, undefined, AT_1_40);
    expect(isolated.body.allocation_requests).to.have.length(0);
    expect((await service.call('GET', TWO)).status).to.equal(400);
    const latest = { 'openstack-api-version': 'placement latest' };
    const { headers } = await service.call('GET', '/', undefined, latest);
    expect(headers.get('openstack-api-version')).to.equal('placement 1.39');
  });

  it('says that a limit is needed before it runs out of memory', async () => {
    const host = await service.provider('host');
    for (let n = 0; n < 12; n++) await service.provider(`vf${n}`, { SRIOV_NET_VF: 4 }, host);
    const path =
      '/allocation_candidates?resources_A=SRIOV_NET_VF:1&resources_B=SRIOV_NET_VF:1&group_policy=isolate';
    const refused = await service.call('GET', path);
    expect([refused.status, refused.body.errors[0].detail]).to.deep.equal([
      400,
      'Too many candidates: the search was cut off in the tree of host after 101 candidates. A limit is needed, as in limit=100.',
    ]);
    expect((await service.call('GET', `${path}&limit=100`)).body.allocation_requests).to.have.length(100);
    // The lesser of both holds, whatever the limit.
    const wide = await service.call('GET', `${path}&limit=99999999999`);
    expect([wide.status, wide.body.errors[0].detail]).to.deep.equal([400, refused.body.errors[0].detail]);
  });
});

describe('hplaced with tokens', () => {
  const folder = newFolder();

  it('takes no file that others may read', async () => {
    const file = join(folder, 'tokens');
    writeFileSync(file, 'writer-writer-writer admin\n');
    chmodSync(file, 0o644);
    const words = ['--db', join(folder, 'other.db'), '--listen', '127.0.0.1:0', '--tokens', file];
    const { status, stderr } = await runApart('hplaced', words);
    expect(stderr).to.match(
      /users other than its owner may read the tokens in .*\(its mode is 0644\)\nMaybe run: chmod 600/,
    );
    expect(status).to.equal(2);
  });

  it('knows readers and administrators, and reads the file again on SIGHUP', async () => {
    const file = join(folder, 'readers');
    writeFileSync(file, 'reader-reader-reader reader\nwriter-writer-writer admin\n', { mode: 0o600 });
    const service = await RunningService.start('--tokens', file);
    const status = async (token: string, method: string): Promise<number> =>
      (await service.call(method, '/traits/CUSTOM_X', undefined, { 'x-auth-token': token })).status;
    try {
      expect(await status('writer-writer-writer', 'PUT')).to.equal(201);
      expect(await status('reader-reader-reader', 'GET')).to.equal(204);
      const refused = await service.call('PUT', '/traits/CUSTOM_X', undefined, {
        'x-auth-token': 'reader-reader-reader',
      });
      expect([refused.status, refused.body.errors[0].detail]).to.deep.equal([
        403,
        'Policy does not allow putTrait to be performed.',
      ]);
      expect(await status('admin', 'GET')).to.equal(401);
      writeFileSync(file, 'another-another-another admin\n');
      service.signal('SIGHUP');
      while ((await status('another-another-another', 'GET')) !== 204)
        await new Promise((resolve) => setTimeout(resolve, 10));
      expect(await status('writer-writer-writer', 'GET')).to.equal(401);
    } finally {
      await service.stop();
    }
  });
});
