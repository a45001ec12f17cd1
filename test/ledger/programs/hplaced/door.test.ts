import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { request as ask } from 'node:http';
import { connect as connectTcp } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { expect } from 'chai';
import { newFolder } from '../../../builders/folder.ts';
import { CERTIFICATE_FILE, KEY_FILE } from '../../../htools/ganeti/play.ts';
import { runApart } from '../../../suite/run-built.ts';
import { FakeKeystone } from '../../http/fake-keystone.ts';
import { RunningService } from './running.ts';

const ID = 'req-11111111-2222-4333-8444-555555555555';

describe('the door of hplaced without tokens', () => {
  let service: RunningService;
  before(async () => {
    service = await RunningService.start('--log', 'requests', '--cors', 'https://portal.example');
  });
  after(async () => {
    expect(await service.stop()).to.equal(0);
  });

  it('keeps the id of a request, and answers and logs it', async () => {
    const idOf = async (given: string) =>
      (await service.call('GET', '/traits', undefined, { 'x-openstack-request-id': given })).headers.get(
        'x-openstack-request-id',
      );
    expect(await idOf(ID)).to.equal(ID);
    expect(await idOf('<script>')).to.match(/^req-[0-9a-f-]{36}$/);
    expect(service.stderr).to.include(`"request_id":"${ID}"`).and.not.to.include('script');
    const head = await fetch(`${service.url}/healthz`, { method: 'HEAD' });
    expect([head.status, await head.text()]).to.deep.equal([200, '']);
    expect((await service.call('HEAD', '/traits')).status).to.equal(405);
  });

  it('knows without a file of tokens no more than the names of trials', async () => {
    const statusOf = async (given: string) =>
      (await service.call('GET', '/traits', undefined, { 'x-auth-token': given })).status;
    const given = ['admin', 'admin:p1', 'user', 'gAAAAABsomebody-elses-token', 'admi'];
    expect(await Promise.all(given.map(statusOf))).to.deep.equal([200, 200, 403, 401, 401]);
    expect(service.stderr)
      .to.match(/"what":"unknown token"/)
      .and.not.to.include('gAAAAAB');
  });

  it('lets pages of named origins ask', async () => {
    const preflight = (origin: string) =>
      fetch(`${service.url}/traits`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'PUT' },
      });
    const allowed = await preflight('https://portal.example');
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).to.deep.equal([
      204,
      'https://portal.example',
    ]);
    expect(allowed.headers.get('access-control-allow-headers')).to.include('x-auth-token');
    const put = await service.call('PUT', '/traits/CUSTOM_A', undefined, {
      origin: 'https://portal.example',
    });
    expect([put.status, put.headers.get('access-control-allow-origin')]).to.deep.equal([
      201,
      'https://portal.example',
    ]);
    expect(put.headers.get('vary')).to.equal('openstack-api-version, origin');
    const other = await preflight('https://evil.example');
    expect([other.status, other.headers.get('access-control-allow-origin')]).to.deep.equal([401, null]);
  });
});

describe('the door of hplaced', () => {
  const folder = newFolder();

  /** A service with these words, for as long as `work` takes. */
  async function serving(words: string[], work: (service: RunningService) => Promise<void>): Promise<void> {
    const service = await RunningService.start(...words);
    try {
      await work(service);
    } finally {
      expect(await service.stop()).to.equal(0);
    }
  }

  it('makes tokens, knows them by their digests, and counts and logs those that are nobody’s', async () => {
    const { stdout } = await runApart('hplaced', ['--new-token', 'reader watcher 2099-01-01']);
    const [, token, line] = /^token: (\w+)\nline: {2}(.*)\n$/.exec(stdout)!;
    const file = join(folder, 'tokens');
    writeFileSync(file, `${line}\n`, { mode: 0o600 });
    await serving(['--tokens', file, '--closed'], async (service) => {
      const statusOf = async (path: string, given: string) =>
        (await service.call('GET', path, undefined, { 'x-auth-token': given })).status;
      expect(await statusOf('/traits', token!)).to.equal(200);
      expect(await statusOf('/traits', 'gAAAAABsomebody-elses-token')).to.equal(401);
      // What watches over the service may be for those who may read only.
      for (const path of ['/metrics', '/openapi.json']) {
        expect((await fetch(service.url + path)).status, path).to.equal(401);
        expect(await statusOf(path, token!), path).to.equal(200);
      }
      const metrics = await service.call('GET', '/metrics', undefined, { 'x-auth-token': token! });
      expect(metrics.body)
        .to.match(/^hplaced_unknown_tokens_total 1$/m)
        .and.to.match(/^hplaced_providers 0$/m);
      expect(service.stderr).to.match(/"what":"unknown token","client":"127.0.0.1"/);
      expect(service.stderr).not.to.include('gAAAAAB');
    });
  });

  it('serves a socket in the file system, also with a limit of rate', async () => {
    const path = join(folder, 'socket');
    await serving(['--listen', `unix:${path}`, '--rate', '1'], async (service) => {
      expect(service.url).to.equal(`unix:${path}`);
      const statusOf = () =>
        new Promise((resolve, reject) =>
          ask(
            {
              socketPath: path,
              path: '/resource_providers',
              headers: { host: 'localhost', 'x-auth-token': 'admin' },
            },
            (response) => {
              response.resume();
              resolve(response.statusCode);
            },
          )
            .on('error', reject)
            .end(),
        );
      const statuses = await Promise.all(Array.from({ length: 15 }, statusOf));
      expect([...new Set(statuses)]).to.deep.equal([200, 429]);
      expect(service.stderr).not.to.include('"error"');
    });
  });

  it('takes certificates anew on SIGHUP, and throws out who says nothing', async () => {
    const [certificate, key] = [join(folder, 'c.pem'), join(folder, 'k.pem')];
    copyFileSync(CERTIFICATE_FILE, certificate);
    copyFileSync(KEY_FILE, key);
    const words = ['--tls-cert', certificate, '--tls-key', key, '--request-timeout', '1'];
    await serving(words, async (service) => {
      const port = Number(new URL(service.url).port);
      const serial = (): Promise<string> =>
        new Promise((resolve) => {
          const socket = connectTls({ port, rejectUnauthorized: false }, () => {
            resolve(socket.getPeerCertificate().serialNumber);
            socket.destroy();
          });
        });
      const before = await serial();
      const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost'];
      execFileSync('openssl', [...made, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
      service.signal('SIGHUP');
      while ((await serial()) === before) await new Promise((resolve) => setTimeout(resolve, 20));
      const began = performance.now();
      await new Promise<void>((resolve) =>
        connectTcp(port, '127.0.0.1')
          .resume()
          .once('close', () => resolve()),
      );
      // Node's own limit is two minutes.
      expect(performance.now() - began).to.be.below(100_000);
    });
  });

  it('asks Keystone who holds a token', async () => {
    const fake = new FakeKeystone();
    const url = await fake.start();
    const file = join(folder, 'openrc');
    const end = { expires_at: '2099-01-01T00:00:00Z', user: { name: 'nova' } };
    fake.holders.set('of-nova', { ...end, roles: [{ name: 'service' }] });
    fake.holders.set('of-a-project', { ...end, roles: [{ name: 'reader' }], project: { id: 'p1' } });
    writeFileSync(file, 'export OS_USERNAME=placement\nOS_PASSWORD="secret"\nOS_PROJECT_NAME=service\n', {
      mode: 0o600,
    });
    try {
      const roles = join(folder, 'roles');
      writeFileSync(roles, 'service admin\nreader project\nauditor reader\n');
      fake.holders.set('of-an-auditor', { ...end, roles: [{ name: 'auditor' }] });
      const words = ['--keystone', `${url}/v3/`, '--keystone-credentials', file, '--keystone-roles', roles];
      await serving(words, async (service) => {
        const call = (path: string, token: string, method = 'GET') =>
          service.call(method, path, undefined, { 'x-auth-token': token });
        expect((await call('/traits/CUSTOM_A', 'of-nova', 'PUT')).status).to.equal(201);
        expect((await call('/usages?project_id=p1', 'of-a-project')).status).to.equal(200);
        expect((await call('/usages?project_id=p2', 'of-a-project')).status).to.equal(403);
        expect((await call('/usages?project_id=p1&project_id=p2', 'of-a-project')).status).to.equal(403);
        expect((await call('/traits', 'of-a-project')).status).to.equal(403);
        expect((await call('/traits', 'of-an-auditor')).status).to.equal(200);
        expect((await call('/traits/CUSTOM_B', 'of-an-auditor', 'PUT')).status).to.equal(403);
        const nobody = await call('/traits', 'of-nobody');
        expect([nobody.status, nobody.headers.get('www-authenticate')]).to.deep.equal([
          401,
          `Keystone uri="${url}"`,
        ]);
        await fake.stop();
        // What it said is believed on; of others nothing is known.
        expect((await call('/traits', 'of-nova')).status).to.equal(200);
        expect((await call('/traits', 'of-somebody')).status).to.equal(503);
        expect((await fetch(`${service.url}/healthz`)).status).to.equal(200);
      });
    } finally {
      await fake.stop().catch(() => {});
    }
  });

  it('says what is missing', async () => {
    const file = join(folder, 'empty');
    writeFileSync(file, 'OS_USERNAME=a\n', { mode: 0o600 });
    const { status, stderr } = await runApart('hplaced', [
      ...['--db', join(folder, 'none.db'), '--keystone', 'http://localhost:5000'],
      ...['--keystone-credentials', file],
    ]);
    expect(status).to.equal(2);
    expect(stderr).to.include('OS_PASSWORD: is missing').and.to.include('OS_PROJECT_NAME: is missing');
    const roles = await runApart('hplaced', ['--db', join(folder, 'none.db'), '--keystone-roles', file]);
    expect(roles.stderr).to.include('--keystone-roles belongs to --keystone');
  });

  const PROXIES = [
    'proxy1',
    '10.0.0.0/0',
    '10.0.0.0/33',
    '10.0.0.0/255.0.255.0',
    '::1/129',
    '::1/',
    '1.2.3.4/8/8',
  ];

  it('refuses proxies that are no addresses, and origins that are none', async () => {
    const { status, stderr } = await runApart('hplaced', [
      ...[
        '--db',
        join(folder, 'proxies.db'),
        '--listen',
        '127.0.0.1:0',
        '--trusted-proxy',
        `loopback,10.0.0.0/8,172.16.0.0/255.240.0.0,::1,fe80::/10,${PROXIES.join()}`,
      ],
    ]);
    expect(status).to.equal(2);
    expect(stderr).to.include(`--trusted-proxy: '${PROXIES.join("', '")}' is not an address\nMaybe `);
    const cors = await runApart('hplaced', [
      ...['--db', join(folder, 'proxies.db'), '--listen', '127.0.0.1:0'],
      ...['--cors', '*,https://portal.example,portal.example,https://b.example/'],
    ]);
    expect(`${cors.status} ${cors.stderr}`).to.match(
      /^2 .*--cors: 'portal\.example', 'https:\/\/b\.example\/' is not an origin\nMaybe /s,
    );
    expect(existsSync(join(folder, 'proxies.db'))).to.equal(false);
  });

  it('tells all that is wrong with its command line, each with a remedy', async () => {
    const { status, stderr } = await runApart('hplaced', [
      ...['--db', join(folder, 'wrong.db'), '--listen', 'x', '--keystone', 'x', '--keystone-roles', 'x'],
      ...['--tls-cert', 'x', '--trusted-proxy', 'x', '--cors', 'x'],
    ]);
    expect(status).to.equal(2);
    for (const words of ['--listen x: ', '--keystone and --keystone-credentials ', "--keystone: 'x' "])
      expect(stderr).to.include(`\n${words}`);
    for (const words of ['--tls-cert and --tls-key ', "--trusted-proxy: 'x' ", "--cors: 'x' "])
      expect(stderr).to.include(`\n${words}`);
    expect(stderr.match(/^Maybe /gm)).to.have.length(6);
    expect(existsSync(join(folder, 'wrong.db'))).to.equal(false);
  });
});
