/**
 * Servers that are broken, or mean harm: each ends in a clear fault. One that went on would be ended by
 * mocha.
 */
import { createHash, X509Certificate } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { askMonitors } from '../../../src/htools/ganeti/mond/client.ts';
import { readTrust } from '../../../src/htools/ganeti/rapi/trust.ts';
import { type LoadOptions, loadSnapshot } from '../../../src/htools/sources/load-snapshot.ts';
import type { Fault, InputError } from '../../../src/kit/faults.ts';
import { newFolder } from '../../builders/folder.ts';
import {
  CERTIFICATE_FILE,
  EXPIRED_FILE,
  httpTalk,
  recordedLuxi,
  recordedRapi,
  withLuxi,
  withSocket,
  withTcp,
  withTls,
} from './play.ts';

const LIMITS = { connectSeconds: 10, answerSeconds: 10, maxBytes: 200_000 };
const WIRE = { limits: LIMITS, fingerprints: [] as string[] };
/** For servers that keep us waiting: to all others a busy machine may give longer. */
const HASTY = { ...WIRE, limits: { ...LIMITS, answerSeconds: 0.3001 } };

async function faultOf(options: LoadOptions): Promise<Fault> {
  try {
    await loadSnapshot(options);
  } catch (error) {
    return error as Fault;
  }
  throw new Error('no fault');
}

const overLuxi = (talk: (socket: Socket) => void, wire = WIRE): Promise<Fault> =>
  withSocket(talk, (path) => faultOf({ luxiSocket: path, wire }));

const answering = (bytes: string | Buffer) => (socket: Socket) => {
  socket.on('data', () => socket.write(bytes));
};

const endless = (socket: Socket): void => {
  const piece = Buffer.alloc(10_000, 'x');
  socket.on('error', () => {});
  const more = (): void => {
    if (socket.destroyed) return;
    socket.write(piece);
    setTimeout(more, 1);
  };
  socket.once('data', more);
};

describe('a hostile master daemon', () => {
  const stories: readonly (readonly [string, (socket: Socket) => void, RegExp, typeof WIRE?])[] = [
    ['never answers', () => {}, /no answer to Query within 0.3001 s/, HASTY],
    [
      'stops in the middle',
      answering('{"success":true,'),
      /half an answer \(16 bytes\) to Query within 0.3001 s/,
      HASTY,
    ],
    ['answers without end', endless, /the answer has no end/],
    [
      'answers in drops',
      (socket) => {
        const timer = setInterval(() => socket.write('x'), 50);
        socket.on('close', () => clearInterval(timer));
      },
      /half an answer .* within 0.3001 s/,
      HASTY,
    ],
    ['hangs up', (socket) => void socket.on('data', () => socket.end()), /closed without an answer/],
    [
      'hangs up in the middle',
      (socket) => void socket.on('data', () => socket.end('{"su')),
      /in the middle of an answer/,
    ],
    [
      'answers twice',
      answering('{"success":true,"result":1}\x03{"success":true}\x03'),
      /more than one answer/,
    ],
    [
      'speaks another language',
      answering('HTTP/1.1 400 Bad Request\x03'),
      /not one of a Ganeti master: HTTP/,
    ],
    ['answers with a list', answering('[1]\x03'), /not one of a Ganeti master/],
    ['answers with nothing', answering('\x03'), /it is empty/],
    ['nests without end', answering(`${'['.repeat(50_000)}\x03`), /not one of a Ganeti master/],
    [
      'says no in Latin-1',
      answering(
        Buffer.from(
          '{"success":false,"result":"Gr\xfc\xdfe\x1b[31m"}\x03'.replace('\x1b', '\\u001b'),
          'latin1',
        ),
      ),
      /refuses Query: Grüße\\u001b\[31m/,
    ],
    [
      'answers with other types',
      answering('{"success":true,"result":{"data":[[[0,1]]]}}\x03'),
      /row 1 does not have \d+ cells/,
    ],
    [
      'answers with a word',
      answering('{"success":true,"result":"later"}\x03'),
      /Cannot parse cluster info, not a JSON record/,
    ],
  ];
  for (const [title, talk, words, wire] of stories)
    it(`that ${title} ends in a clear fault`, async () => {
      const fault = await overLuxi(talk, wire);
      expect(fault.message).to.match(/^failed to load data, aborting: /);
      expect(fault.message).to.match(words);
      expect(fault.exitCode).to.equal(1);
    });

  it('with numbers beyond all measure is refused', async () => {
    const answer = recordedLuxi('healthy');
    for (const number of ['1e300', '-5', '99999999999999999999', '"many"', 'null', '[]', 'true']) {
      const fault = await withLuxi(
        (request) => answer(request).replace('[0,65536]', `[0,${number}]`),
        (path) => faultOf({ luxiSocket: path, wire: WIRE }),
      );
      expect(fault.message).to.include('node1.example.com');
    }
  });

  it('that is no socket, or nobody, is named', async () => {
    expect((await faultOf({ luxiSocket: CERTIFICATE_FILE, wire: WIRE })).message).to.match(
      /cannot connect to .*certificate\.pem/,
    );
    expect((await faultOf({ luxiSocket: `/${'x'.repeat(200)}`, wire: WIRE })).message).to.match(
      /path of the socket has 201 bytes/,
    );
  });

  it('that is gone for a moment is asked again', async () => {
    const answer = recordedLuxi('healthy');
    let connections = 0;
    const { snapshot } = await withSocket(
      (socket) => {
        if (connections++ === 0) return void socket.destroy();
        let text = '';
        socket.on('data', (piece) => {
          text += piece;
          if (!text.endsWith('\x03')) return;
          socket.write(`${answer(JSON.parse(text.slice(0, -1)))}\x03`);
          text = '';
        });
      },
      (path) => loadSnapshot({ luxiSocket: path, wire: WIRE }),
    );
    expect(snapshot.nodes).to.have.length(6);
  });
});

const rapi = (port: number, more: Partial<LoadOptions['wire']> = {}): LoadOptions => ({
  rapiAddress: `127.0.0.1:${port}`,
  wire: { ...WIRE, ...more },
});

describe('a hostile RAPI server', () => {
  it('is trusted by fingerprints only: all that are none are told', () => {
    expect(() => readTrust(undefined, ['zz', 'AB'.repeat(32), 'CD'], false)).to.throw(
      "'zz', 'CD' is not a SHA-256 fingerprint",
    );
  });

  const reply = (what: Parameters<typeof httpTalk>[0]) =>
    withTls(httpTalk(what), (port) => faultOf(rapi(port)));

  it('that says no is quoted, with its control characters escaped', async () => {
    const body = JSON.stringify({ code: 500, message: 'Internal\u001b[2J', explain: 'Queue full' });
    expect((await reply(() => ({ status: 500, body }))).message).to.match(
      /status 500: Internal\\u001b\[2J: Queue full/,
    );
    const forbidden = await reply(() => ({ status: 401, body: '{}' }));
    expect(forbidden.remedy).to.equal('give name and password in a file with --rapi-credentials');
  });

  it('that sends us elsewhere is not followed', async () => {
    const fault = await reply(() => ({ status: 302, headers: { Location: 'https://elsewhere/' }, body: '' }));
    expect(fault.message).to.match(/redirects elsewhere \(status 302\)/);
  });

  it('that answers without end, in part, not at all or not in HTTP ends in a clear fault', async () => {
    expect((await reply(() => ({ body: Buffer.alloc(LIMITS.maxBytes + 1) }))).message).to.include('no end');
    expect((await reply(() => ({ headers: { 'Content-Length': '1000' }, body: '[' }))).message).to.include(
      'cut after 1 bytes',
    );
    expect(
      (
        await withTls(
          () => {},
          (port) => faultOf(rapi(port, HASTY)),
        )
      ).message,
    ).to.match(/no answer within 0.3001 s/);
    expect(
      (
        await withTls(
          (socket) => void socket.end('220 mail\r\n'),
          (port) => faultOf(rapi(port)),
        )
      ).message,
    ).to.match(/not HTTP/);
    const spoken = await withTcp(
      (socket) => void socket.end('hello'),
      (port) => faultOf(rapi(port)),
    );
    expect(spoken.message).to.match(/TLS/);
    // What stock takes HOST:PORT for.
    expect(spoken.remedy).to.equal('check the port, or write http://');
    expect(
      (
        await withTcp(
          () => {},
          (port) => faultOf(rapi(port, { limits: { ...LIMITS, connectSeconds: 0.3001 } })),
        )
      ).message,
    ).to.match(/no TLS within 0.3001 s/);
  });

  it('with other than lists of objects is refused', async () => {
    for (const body of [
      '',
      '{',
      '{}',
      '[1]',
      '[[]]',
      '[{}]',
      '[{"name":3}]',
      'null',
      `${'['.repeat(5000)}`,
    ]) {
      const fault = await reply(() => ({ body }));
      expect(fault.exitCode).to.equal(1);
      expect(fault.message).to.match(/^failed to load data, aborting: https:/);
    }
  });

  it('with another certificate than the pinned one hears nothing, the password least of all', async () => {
    const heard: string[] = [];
    const folder = newFolder();
    const credentialsFile = join(folder, 'netrc');
    writeFileSync(credentialsFile, 'machine 127.0.0.1 login me password secret\n', { mode: 0o600 });
    const talk = httpTalk((request) => {
      heard.push(request.headers);
      return recordedRapi('healthy')(request);
    });
    await withTls(talk, async (port) => {
      const fault = await faultOf(rapi(port, { credentialsFile, fingerprints: ['AB'.repeat(32)] }));
      expect(fault.message).to.match(
        /not the server that is trusted: its certificate has the fingerprint [0-9A-F]{64}/,
      );
      expect(heard).to.deep.equal([]);
      const certificate = new X509Certificate(readFileSync(CERTIFICATE_FILE));
      const right = createHash('sha256').update(certificate.raw).digest('hex');
      const { snapshot } = await loadSnapshot(
        rapi(port, { credentialsFile, fingerprints: ['CD'.repeat(32), right] }),
      );
      expect(snapshot.nodes).to.have.length(6);
      const basic = `Authorization: Basic ${Buffer.from('me:secret').toString('base64')}`;
      expect(heard.every((headers) => headers.includes(basic))).to.equal(true);
      expect(heard).to.have.length(5);
      heard.length = 0;
      const refused = await faultOf(rapi(port, { credentialsFile }));
      expect(refused.message).to.match(
        /is not given the password: nobody vouches for its certificate \(self.signed/,
      );
      expect(refused.remedy).to.include('--rapi-fingerprint').and.include('--rapi-insecure');
      expect(heard).to.deep.equal([]);
      const says = httpTalk(() => ({ status: 401, body: '{}' }));
      const mistyped = await withTls(says, (other) =>
        faultOf(rapi(other, { credentialsFile, isInsecure: true })),
      );
      expect(mistyped.remedy).to.match(/^correct the name or the password/);
      await loadSnapshot(rapi(port, { credentialsFile, isInsecure: true }));
      await loadSnapshot(rapi(port, { credentialsFile, authoritiesFile: CERTIFICATE_FILE }));
      expect(heard.filter((headers) => headers.includes(basic))).to.have.length(10);
      // Without a password anybody is heard, as in the stock programs.
      await loadSnapshot(rapi(port, {}));
      const torn = await faultOf(rapi(port, { authoritiesFile: CERTIFICATE_FILE, isInsecure: true }));
      expect(torn.message).to.include('--rapi-insecure trusts any server');
      // The certificate stands behind itself, and carries this address.
      await loadSnapshot(rapi(port, { authoritiesFile: CERTIFICATE_FILE }));
      chmodSync(credentialsFile, 0o644);
      expect((await faultOf(rapi(port, { credentialsFile }))).message).to.match(
        /users other than its owner may read/,
      );
      const ofFolder = await faultOf(rapi(port, { credentialsFile: folder }));
      expect(ofFolder.message).to.include('is a directory');
    });
  });

  it('is told all that is wrong with its file of passwords, and none of its words', async () => {
    const folder = newFolder();
    const credentialsFile = join(folder, 'netrc');
    const faultsOf = async (text: string) => {
      writeFileSync(credentialsFile, text, { mode: 0o600 });
      const fault = (await faultOf(rapi(1, { credentialsFile }))) as InputError;
      expect(fault.problems.map(({ remedy }) => remedy).join()).to.include('write lines like');
      return fault.problems.map(({ line, problem }) => `${line}: ${problem}`);
    };
    const text = 'login me\nmachine a\n# b\n  login me pasword secret\nstray machine c password x\n\nmachine';
    expect(await faultsOf(text)).to.deep.equal([
      '1: word 1 comes before any "machine"',
      '2: this entry has no login or no password',
      '4: word 7 is none of machine, default, login, password, account',
      '5: word 9 is none of machine, default, login, password, account',
      '5: this entry has no login or no password',
      '7: the file ends in the middle of an entry',
    ]);
  });

  it('is told to have a new certificate where that has expired', () =>
    withTls(
      httpTalk(recordedRapi('healthy')),
      async (port) => {
        const { message, remedy } = await faultOf(rapi(port, { authoritiesFile: EXPIRED_FILE }));
        expect(message).to.match(/is not trusted: certificate has expired$/);
        expect(remedy).to.include('clock').and.include('renew-crypto');
        await loadSnapshot(rapi(port, {}));
      },
      'expired.pem',
    ));

  it('is not given a password over a line that is not encrypted, nor on the command line', async () => {
    const folder = newFolder();
    const credentialsFile = join(folder, 'netrc');
    writeFileSync(credentialsFile, 'default login me password secret\n', { mode: 0o600 });
    const fault = await faultOf({ rapiAddress: 'http://127.0.0.1:1', wire: { ...WIRE, credentialsFile } });
    expect(fault.message).to.include('not encrypted');
    const told = await faultOf({ rapiAddress: 'https://me:secret@host', wire: WIRE });
    expect(told.message).to.include('which everybody on this machine could read').and.not.include('secret');
  });
});

describe('monitoring daemons', () => {
  const report = (total: number): string =>
    JSON.stringify({
      name: 'cpu-avg-load',
      version: 'B',
      format_version: 1,
      timestamp: 1,
      category: null,
      kind: 0,
      data: { cpu_number: 1, cpus: [total], cpu_total: total },
    });

  it('are asked all at once, and one that is silent costs no more than the limit', async () => {
    const paths: string[] = [];
    const answers = await withTcp(
      httpTalk(({ path }) => {
        paths.push(path);
        return { body: report(1.5) };
      }),
      (port) => askMonitors(['127.0.0.1', 'localhost', 'no.such.host.invalid'], 'cpu-avg-load', LIMITS, port),
    );
    expect(paths).to.include('/1/report/default/cpu-avg-load');
    expect(answers.get('127.0.0.1')).to.deep.equal({ report: report(1.5) });
    expect(answers.get('no.such.host.invalid'))
      .to.have.property('failure')
      .that.includes('no.such.host.invalid');
  });
});
