/** What hplaced does on the wire beside answering: TLS, limits of rate, and a graceful end. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { newFolder } from '../../../builders/folder.ts';
import { CERTIFICATE_FILE, KEY_FILE } from '../../../htools/ganeti/play.ts';
import { runApart } from '../../../suite/run-built.ts';
import { RunningService } from './running.ts';

const portOf = (service: RunningService): number => Number(new URL(service.url).port);

/** A connection on which `text` was sent, and what came back until it was closed. */
function talk(port: number, text: string): { readonly socket: Socket; readonly answer: Promise<string> } {
  const socket = connect(port, '127.0.0.1', () => socket.write(text));
  const answer = new Promise<string>((resolve) => {
    let said = '';
    socket.on('data', (chunk) => {
      said += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(said));
  });
  return { socket, answer };
}

describe('hplaced with TLS', () => {
  const CERTIFICATE = ['--tls-cert', CERTIFICATE_FILE, '--tls-key', KEY_FILE];

  it('speaks TLS and nothing else', async () => {
    const service = await RunningService.start(...CERTIFICATE);
    try {
      expect(service.url).to.match(/^https:/);
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const options = {
          headers: { 'x-auth-token': 'admin' },
          ca: readFileSync(CERTIFICATE_FILE),
          // The certificate names its host; the tests reach it by address.
          checkServerIdentity: () => undefined,
        };
        const asked = request(`${service.url}/resource_providers`, options, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        asked.on('error', reject);
        asked.end();
      });
      expect(status).to.equal(200);
      const { answer } = talk(portOf(service), 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
      expect(await answer).not.to.match(/200/);
    } finally {
      expect(await service.stop()).to.equal(0);
    }
  });

  it('says what is wrong with a certificate', async () => {
    const folder = newFolder();
    const file = join(folder, 'no.pem');
    writeFileSync(file, 'a shopping list\n');
    const db = ['--db', join(folder, 'other.db'), '--listen', '127.0.0.1:0'];
    const fault = async (...words: string[]): Promise<string> => {
      const { status, stdout, stderr } = await runApart('hplaced', [...db, ...words]);
      expect([status, stdout]).to.deep.equal([status === 2 ? 2 : 1, '']);
      return stderr;
    };
    expect(await fault(...CERTIFICATE.slice(0, 2))).to.match(/--tls-cert and --tls-key belong together/);
    expect(await fault(...CERTIFICATE.slice(0, 3), join(folder, 'none'))).to.match(
      /--tls-key .*none: .*no such file/,
    );
    expect(await fault('--tls-cert', file, ...CERTIFICATE.slice(2))).to.match(
      /--tls-cert .*no\.pem.*\nMaybe /,
    );
    const empty = join(folder, 'empty.pem');
    writeFileSync(empty, '');
    expect(await fault('--tls-cert', empty, '--tls-key', empty)).to.match(/--tls-cert .*empty\.pem/);
  });
});

describe('hplaced with a limit of rate', () => {
  it('lets a burst pass, then tells each further request when to come again', async () => {
    const service = await RunningService.start('--rate', '1');
    try {
      const began = performance.now();
      const answers = await Promise.all(Array.from({ length: 40 }, () => service.call('GET', '/traits')));
      const seconds = (performance.now() - began) / 1000;
      const passed = answers.filter(({ status }) => status === 200).length;
      expect(passed).to.be.within(10, 10 + Math.ceil(seconds));
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused).to.have.length(40 - passed);
      for (const { headers, body } of refused) {
        expect(Number(headers.get('retry-after'))).to.equal(1);
        expect(body.errors[0]).to.include({ status: 429, title: 'Too Many Requests' });
      }
      await wait(1100);
      expect((await service.call('GET', '/traits')).status).to.equal(200);
    } finally {
      await service.stop();
    }
  });
});

describe('hplaced', () => {
  let service: RunningService;
  before(async () => {
    service = await RunningService.start();
  });
  // The last of these tests has done it, unless it failed.
  after(() => service.stop());

  it('makes no ledger where somebody else listens', async () => {
    const db = join(service.folder, 'second.db');
    const address = `127.0.0.1:${portOf(service)}`;
    const { status, stderr } = await runApart('hplaced', ['--listen', address, '--db', db]);
    expect(stderr).to.match(
      /^Error: cannot listen on .*EADDRINUSE.*\nMaybe choose another address or port\n$/,
    );
    expect(status).to.equal(2);
    expect(existsSync(db)).to.equal(false);
  });

  it('says who names no host as a path where what was made is to be found', async () => {
    const body = '{"name":"a"}';
    const head = ['x-auth-token: admin', 'content-type: application/json', `content-length: ${body.length}`];
    const { answer } = talk(
      portOf(service),
      `POST /resource_providers HTTP/1.0\r\n${head.join('\r\n')}\r\n\r\n${body}`,
    );
    expect(await answer).to.match(/^HTTP\/1.1 201 .+\r\nlocation: \/resource_providers\/[0-9a-f-]{36}\r\n/s);
  });

  it('at its end answers what has begun, takes nothing new, and ends with status 0', async () => {
    const body = JSON.stringify({ name: 'late' });
    const head = `POST /resource_providers HTTP/1.1\r\nhost: localhost\r\nx-auth-token: admin\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
    const { socket, answer } = talk(portOf(service), head + body.slice(0, 5));
    // Whoever asks after that is answered after its head was read.
    await service.call('GET', '/traits');
    await service.call('GET', '/traits');
    const ended = service.stop();
    // Until nothing new is taken.
    for (;;) {
      const probe = talk(
        portOf(service),
        'GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n',
      );
      if (!/^HTTP\/1\.1 200/.test(await probe.answer)) break;
      await wait(10);
    }
    socket.write(body.slice(5));
    expect(await answer).to.match(/^HTTP\/1\.1 201 /);
    expect(await ended).to.equal(0);
    expect(service.stderr).to.equal('');
  });
});
