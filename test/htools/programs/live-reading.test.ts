/**
 * The programs over LUXI, RAPI and text on the recorded cluster: the bytes of the stock programs, by all
 * three ways.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { rapiCluster } from '../../../src/htools/sources/rapi/rapi-cluster.ts';
import { newFolder } from '../../builders/folder.ts';
import { runApart } from '../../suite/run-built.ts';
import {
  httpTalk,
  LIVE,
  type Recorded,
  recordedLuxi,
  recordedRapi,
  withLuxi,
  withTls,
} from '../ganeti/play.ts';

const golden = (state: Recorded, name: string): string => readFileSync(join(LIVE, state, name), 'utf8');

/** Standard output of one command over each of the ways to the same cluster. */
async function overAllWays(state: Recorded, program: string, args: readonly string[]): Promise<string[]> {
  const run = async (...source: string[]): Promise<string> => {
    const { stdout, stderr } = await runApart(program, [...source, ...args]);
    return stdout + stderr;
  };
  const luxi = await withLuxi(recordedLuxi(state), (path) => run(`-L${path}`));
  const rapi = await withTls(httpTalk(recordedRapi(state)), (port) => run('-m', `127.0.0.1:${port}`));
  const folder = await run('-m', `file://${join(LIVE, state)}`);
  const text = await run('-t', join(LIVE, state, 'hscan.data'));
  return [luxi, rapi, folder, text];
}

const STATES = ['healthy', 'trouble'] as const;

describe('a live cluster', () => {
  it('is passed over by hscan where others are named, which it says', async () => {
    const folder = newFolder();
    const { status, stderr } = await runApart('hscan', [
      ...['-L/nowhere', '-d', folder, `file://${join(LIVE, 'healthy')}`],
    ]);
    expect(status).to.equal(0);
    expect(stderr).to.equal('Warning: --luxi is passed over: the clusters that are named are scanned\n');
  });

  for (const state of STATES) {
    it(`looks in hinfo as in the stock program, by every way (${state})`, async () => {
      const outputs = await overAllWays(state, 'hinfo', ['-v']);
      for (const output of outputs) expect(output).to.equal(golden(state, 'hinfo.txt'));
    });

    it(`is balanced as by the stock program, by every way (${state})`, async () => {
      const outputs = await overAllWays(state, 'hbal', ['-G', 'default', '-C']);
      for (const output of outputs) expect(output).to.equal(golden(state, 'hbal.txt'));
    });

    it(`is saved by hscan to the stock program's bytes (${state})`, async () => {
      const folder = newFolder();
      const { stdout, status } = await withLuxi(recordedLuxi(state), (path) =>
        runApart('hscan', [`-L${path}`, '-d', folder]),
      );
      expect(stdout).to.equal(golden(state, 'hscan.txt'));
      expect(status).to.equal(0);
      expect(readFileSync(join(folder, 'LOCAL.data'), 'utf8')).to.equal(golden(state, 'hscan.data'));
    });
  }

  it('is saved by hscan with what a KVM node keeps for itself in place of what it tells, as stock 3.1 does', async () => {
    const folder = newFolder();
    const recorded = recordedLuxi('healthy');
    await withLuxi(
      (request) => recorded(request).replace('"default_hypervisor":"fake"', '"default_hypervisor":"kvm"'),
      (path) => runApart('hscan', [`-L${path}`, '-d', folder]),
    );
    expect(readFileSync(join(folder, 'LOCAL.data'), 'utf8')).to.equal(golden('healthy', 'hscan-kvm.data'));
  });

  const state = 'trouble';
  for (const [program, ...args] of [
    ['hspace', '--machine-readable', '-l', '5'],
    ['hcheck', '--machine-readable'],
    ['hredist'],
    ['hcompress'],
    ['hspread'],
  ] as const)
    it(`says the same in ${program} by every way (${state})`, async () => {
      const [first, ...others] = await overAllWays(state, program, args);
      expect(first).to.not.match(/^Error/m);
      for (const other of others) expect(other).to.equal(first);
    });

  it('is refused while a node is silent, with the words of the stock programs', async () => {
    const overLuxi = await withLuxi(recordedLuxi('silent'), (path) => runApart('hinfo', [`-L${path}`]));
    expect(overLuxi.status).to.equal(1);
    expect(overLuxi.stdout).to.equal('');
    expect(overLuxi.stderr).to.include(
      "Node 'node2.example.com', error while reading attribute 'mtotal': No data for a field",
    );
    expect(overLuxi.stderr).to.include('Maybe ');
    const overRapi = await runApart('hinfo', ['-m', `file://${join(LIVE, 'silent')}`]);
    expect(overRapi.status).to.equal(1);
    expect(overRapi.stderr).to.include(
      "Node 'node2.example.com', error while parsing data: key 'mtotal': Unable to read Double",
    );
    expect(overRapi.stderr).to.include('Maybe ');
  });

  it('may have a node that tells nothing, where no instance may be on it', () => {
    const read = (name: string): string => readFileSync(join(LIVE, 'silent', `${name}.json`), 'utf8');
    const nodes = JSON.parse(read('nodes'));
    nodes[1].vm_capable = false;
    const answers = { groups: read('groups'), instances: read('instances'), info: read('info') };
    const cluster = rapiCluster({ ...answers, nodes: JSON.stringify(nodes) }, 'here');
    expect(cluster.nodes[1]).to.include({ name: 'node2.example.com', isOffline: true, totalMemMib: 0 });
  });

  it('is asked with a password only where that is allowed to any server, or the server is the right one', async () => {
    const folder = newFolder();
    const credentials = join(folder, 'netrc');
    writeFileSync(credentials, 'default login me password secret\n', { mode: 0o600 });
    await withTls(httpTalk(recordedRapi('healthy')), async (port) => {
      const source = ['-v', '-m', `127.0.0.1:${port}`, `--rapi-credentials=${credentials}`];
      const refused = await runApart('hinfo', source);
      expect([refused.status, refused.stdout]).to.deep.equal([1, '']);
      expect(refused.stderr).to.include('is not given the password').and.include('Maybe pin the certificate');
      for (const trust of ['--rapi-insecure', `--rapi-ca=${join(LIVE, 'tls', 'certificate.pem')}`])
        expect((await runApart('hinfo', [...source, trust])).stdout).to.equal(golden('healthy', 'hinfo.txt'));
    });
  });

  it('is only one at a time', async () => {
    for (const [flags, ...sources] of [
      ['-L, -m', '-L/x', '-m', 'y'],
      ['-L, -t', '-t', 'z', '-L/x'],
      ['-m, -t, -I', '-m', 'y', '-t', 'z', '-I', 'a'],
    ]) {
      const { status, stderr } = await runApart('hinfo', sources);
      expect(stderr).to.equal(
        'Error: Only one of the rapi, luxi, and data files options should be given.\n' +
          `Maybe leave out all but one of ${flags}\n`,
      );
      expect(status).to.equal(1);
    }
  });

  it('is found by GANETI_ROOTDIR when -L names no socket', async () => {
    const { stderr } = await runApart('hinfo', ['-L'], { GANETI_ROOTDIR: '/nowhere' });
    expect(stderr).to.include('/nowhere/var/run/ganeti/socket/ganeti-query');
  });
});

describe('hscan', () => {
  it('says of a silent node on standard output what the stock program says, and all on standard error', async () => {
    const source = `file://${join(LIVE, 'silent')}`;
    const overRapi = await runApart('hscan', ['--no-headers', '-d', tmpdir(), source]);
    expect(overRapi.status).to.equal(2);
    expect(overRapi.stdout).to.equal(
      `\nError for ${source}: failed to load data. Details:\n` +
        "Node 'node2.example.com', error while parsing data: key 'mtotal': Unable to read Double\n",
    );
    expect(overRapi.stderr).to.match(
      /^Error: .*file:.*silent: Node 'node2.*Unable to read Double\nMaybe its node daemon does not answer: /,
    );
    const overLuxi = await withLuxi(recordedLuxi('silent'), (path) =>
      runApart('hscan', [`-L${path}`, '--no-headers', '-d', tmpdir()]),
    );
    expect(overLuxi.stdout).to.equal(
      '\nError for LOCAL: failed to load data. Details:\n' +
        "Node 'node2.example.com', error while reading attribute 'mtotal': No data for a field\n",
    );
  });

  it('takes no empty name for a cluster', async () => {
    const { status, stderr } = await runApart('hscan', ['']);
    expect(stderr).to.include('the name of a cluster is empty');
    expect(status).to.equal(1);
  });

  it('saves no two clusters in one file', async () => {
    const { status, stderr } = await runApart('hscan', ['rack/a', 'rack_a', 'rack_a']);
    expect(stderr).to.include('rack/a and rack_a would both be saved as ');
    expect(status).to.equal(1);
  });

  it('shows the figures of a cluster that cannot be saved, and does not say that it could not be read', async () => {
    const { stdout, stderr, status } = await runApart('hscan', [
      '--no-headers',
      '-d/none',
      `file://${join(LIVE, 'healthy')}`,
    ]);
    expect(stdout).to.match(/healthy +6 +10 .* 9\.39215515\n$/);
    expect(stderr).to.match(/^Error: cannot write \/none\/file:.*\.data: there is no such folder/);
    expect(status).to.equal(2);
  });

  it('goes on behind a cluster that fails, and says so at the end', async () => {
    const folder = newFolder();
    const good = `file://${join(LIVE, 'healthy')}`;
    const { stdout, status } = await runApart('hscan', [
      '--no-headers',
      '-d',
      folder,
      'file:///nowhere',
      good,
    ]);
    expect(status).to.equal(2);
    const [empty, heading, ...rest] = stdout.split('\n');
    expect([empty, heading]).to.deep.equal(['', 'Error for file:///nowhere: failed to load data. Details:']);
    expect(rest.at(-2)).to.equal(`${good}     6    10     0     0 393216 370176   6656   6627 9.39215515`);
    expect(readFileSync(join(folder, `${good.replaceAll('/', '_')}.data`), 'utf8')).to.equal(
      golden('healthy', 'hscan.data'),
    );
  });
});
