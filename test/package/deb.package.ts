/**
 * The Debian packages in a clean root: no file of the host but a shell, dpkg and Node. Every program is run
 * from there. Needs root and Debian's dpkg-deb, and says so where they are missing. In real roots of Debian
 * 12 and 13 they are tried by `npm run check -- live`.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { COMMON_PAGES } from '../../src/suite/manual.ts';
import { PROGRAM_NAMES } from '../../src/suite/programs.ts';
import { tryPrograms } from './try-programs.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What maintainer scripts and launchers use. */
const TOOLS = [
  '/bin/sh',
  '/bin/rm',
  '/bin/ln',
  '/usr/bin/env',
  '/usr/bin/dpkg-divert',
  '/usr/bin/dpkg-query',
];
/** Those with programs. */
const PACKAGES = ['evenkeel', 'evenkeel-ledger', 'evenkeel-disk'];
const RUNTIME = 'evenkeel-runtime';
/** What they depend on: the host's, brought with the tools. */
const LIBRARIES = ['libc6', 'libstdc++6'];
const statusOf = (name: string): string =>
  `Package: ${name}\nStatus: install ok installed\nVersion: 2.36\nArchitecture: all\nMaintainer: nobody\nDescription: none\n`;

const run = (command: string, words: readonly string[], cwd = ROOT) =>
  spawnSync(command, words, { cwd, encoding: 'utf8' });

describe('the Debian packages', () => {
  let folder: string;
  let root: string;
  let filesBefore: readonly string[];

  /** Copies a program of the host with its libraries. */
  function bring(path: string, place = path): void {
    const put = (from: string, to: string): void => {
      if (existsSync(join(root, to))) return;
      mkdirSync(join(root, dirname(to)), { recursive: true });
      cpSync(realpathSync(from), join(root, to));
    };
    put(path, place);
    for (const library of run('ldd', [path]).stdout.match(/\/\S+/g) ?? []) put(library, library);
  }

  /** A program of the root that is none of ours. */
  function putScript(path: string, line: string): void {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), `#!/bin/sh\n${line}\n`);
    chmodSync(join(root, path), 0o755);
  }

  const fileOf = (name: string): string =>
    join(folder, readdirSync(folder).find((file) => file.startsWith(`${name}_`))!);
  const dpkg = (...words: string[]) => {
    const ran = run('dpkg', [`--root=${root}`, '--log=/dev/null', ...words]);
    expect(ran.status, ran.stderr).to.equal(0);
    return ran;
  };
  const inside = (...words: string[]) => run('chroot', [root, ...words]);
  /**
   * What is in the root but the notes of dpkg, with what it is: a link leads somewhere. Folders go when no
   * package has them, and here no other package has any.
   */
  const files = (): readonly string[] =>
    (readdirSync(root, { recursive: true }) as string[])
      .filter((path) => !path.startsWith('var/lib/dpkg') && !path.startsWith('tmp'))
      .filter((path) => !lstatSync(join(root, path)).isDirectory())
      .map(
        (path) =>
          `${path} ${lstatSync(join(root, path)).isSymbolicLink() ? readlinkSync(join(root, path)) : ''}`,
      )
      .sort();
  const has = (path: string): boolean => lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined;
  const nodeOfPackage = (): string => readlinkSync(join(root, 'usr/lib/evenkeel/node'));

  before(function () {
    if (process.getuid?.() !== 0 || !existsSync('/usr/bin/dpkg-deb')) {
      console.log('    (skipped: needs root and dpkg-deb)');
      this.skip();
    }
    folder = mkdtempSync(join(tmpdir(), 'evenkeel-root-'));
    root = join(folder, 'root');
    const built = run(process.execPath, ['scripts/packages/deb.mjs', '--out', folder]);
    expect(built.status, built.stderr).to.equal(0);
    for (const path of ['bin', 'tmp', 'proc', 'var/lib/dpkg/info', 'var/lib/dpkg/updates', 'dev'])
      mkdirSync(join(root, path), { recursive: true });
    for (const path of ['available', 'diversions']) writeFileSync(join(root, 'var/lib/dpkg', path), '');
    writeFileSync(join(root, 'var/lib/dpkg/status'), LIBRARIES.map(statusOf).join('\n'));
    for (const name of LIBRARIES) writeFileSync(join(root, `var/lib/dpkg/info/${name}.list`), '');
    writeFileSync(join(root, 'dev/null'), '');
    for (const tool of TOOLS) bring(tool);
    bring(process.execPath, '/usr/bin/node');
    // The stock programs, which must be kept.
    for (const path of ['usr/bin/hbal', 'usr/lib/ganeti/iallocators/hail'])
      putScript(path, 'echo "stock $HTOOLS $*"');
    filesBefore = files();
    dpkg('-i', ...PACKAGES.map(fileOf));
  });
  after(() => {
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  it('are small', () => {
    for (const name of PACKAGES) expect(statSync(fileOf(name)).size, name).to.be.below(3_000_000);
  });

  it('put programs, pages, completion and the allocator in place', () => {
    for (const name of PROGRAM_NAMES) {
      expect(has(`usr/bin/${name}`), name).to.equal(true);
      expect(has(`usr/share/man/man1/${name}.1.gz`), name).to.equal(true);
      const completion = `usr/share/bash-completion/completions/${name}`;
      expect(readFileSync(join(root, completion), 'utf8')).to.include(name);
      expect(has(`usr/share/zsh/vendor-completions/_${name}`), name).to.equal(true);
      expect(has(`usr/share/fish/vendor_completions.d/${name}.fish`), name).to.equal(true);
    }
    for (const page of COMMON_PAGES) expect(has(`usr/share/man/man7/${page}.7.gz`), page).to.equal(true);
    expect(readlinkSync(join(root, 'usr/lib/ganeti/iallocators/hail'))).to.equal('../../../bin/hail');
    const library = readdirSync(join(root, 'usr/lib/evenkeel'));
    expect(library).not.to.include('test');
    expect(library).to.include('schemas');
  });

  it('run under the Node that is there, and keep compiled forms for it', () => {
    expect(nodeOfPackage()).to.equal('/usr/bin/node');
    const compiled = readdirSync(join(root, 'usr/lib/evenkeel/dist'));
    expect(compiled).to.include.members(['hail.cjs.cache', 'hbal.cjs.cache']);
    const disk = readdirSync(join(root, 'usr/lib/evenkeel/node_modules/evenkeel-disk/dist'));
    expect(disk).to.include('hdisk.cjs.cache');
  });

  it('bring timers, and a file of options that the installed programs read', () => {
    for (const unit of ['evenkeel@.service', 'evenkeel@hbal.timer', 'evenkeel@hbal.service.d/figures.conf'])
      expect(has(`usr/lib/systemd/system/${unit}`), unit).to.equal(true);
    expect(has('usr/lib/evenkeel/mail-failure')).to.equal(true);
    expect(inside('/usr/bin/hbal', '--check-config').stdout).to.equal(
      '/etc/evenkeel/cluster.yaml: nothing is wrong\n',
    );
  });

  it('run every program', () => {
    const home = '/usr/lib/evenkeel';
    const places = {
      '%D': `${home}/testdata`,
      '%S': `${home}/node_modules/evenkeel-disk/testdata`,
      '%L': '/tmp/ledger.db',
    };
    tryPrograms(PROGRAM_NAMES, places, (name) => ['chroot', root, `/usr/bin/${name}`]);
    const hail = inside('/usr/lib/ganeti/iallocators/hail', `${places['%D']}/small-allocate.json`);
    expect(hail.stdout).to.match(/"success":true/);
  });

  it('leave the stock programs at hand, which go by the name that they are called by', () => {
    expect(inside('/usr/bin/hbal.ganeti', '-t', 'a b').stdout).to.equal('stock hbal -t a b\n');
    expect(inside('/usr/bin/hail.ganeti', 'file').stdout).to.equal('stock hail file\n');
    // Ganeti takes no name with a dot.
    expect(inside('/usr/lib/ganeti/iallocators/hail-ganeti', 'file').stdout).to.equal('stock hail file\n');
    const { status, stderr } = inside('/usr/bin/hspace.ganeti');
    expect(status).to.equal(1);
    expect(stderr).to.match(/^Error: there is no \/usr\/bin\/hspace.distrib.*\nMaybe install ganeti/);
  });

  it('take the Node of evenkeel-runtime while there is no other that is new enough', () => {
    bring(process.execPath, '/opt/node');
    putScript('usr/bin/node', 'echo v18.20.4');
    const { stderr } = inside('/usr/lib/evenkeel/configure');
    expect(stderr).to.include('there is no Node.js 20.19 or newer');
    const refused = inside('/usr/bin/hbal', '--version');
    expect({ status: refused.status, stdout: refused.stdout }).to.deep.equal({ status: 1, stdout: '' });
    expect(refused.stderr).to.match(/^Error: there is no Node.*\nMaybe install the package evenkeel-runtime/);
    // One of PATH, which not everybody has.
    const own = inside('/usr/bin/env', 'PATH=/opt', '/usr/bin/hbal', '--version');
    expect(own.stdout, own.stderr).to.include(`Node.js ${process.versions.node}`);

    dpkg('-i', fileOf(RUNTIME));
    expect(nodeOfPackage()).to.equal('/usr/lib/evenkeel-runtime/bin/node');
    const version = /_([\d.]+)-/.exec(fileOf(RUNTIME))![1];
    expect(inside('/usr/bin/hbal', '--version').stdout).to.include(`Node.js ${version}`);
    const needs = inside('/usr/bin/hbal', '-t', '/usr/lib/evenkeel/testdata/small.data');
    expect(needs.stdout).to.include('Solution length=5');

    dpkg('-P', RUNTIME);
    expect(nodeOfPackage()).to.equal('find-node');
    rmSync(join(root, 'usr/bin/node'));
    cpSync(join(root, 'opt/node'), join(root, 'usr/bin/node'));
    rmSync(join(root, 'opt'), { recursive: true });
  });

  it('leave nothing when they are purged, and give back what was put aside', () => {
    dpkg('-P', ...PACKAGES);
    expect(files()).to.deep.equal(filesBefore);
    expect(readFileSync(join(root, 'var/lib/dpkg/diversions'), 'utf8')).to.equal('');
  });
});
