/**
 * The Debian package in a clean root: no file of the host but a shell, dpkg and Node. Every program is run
 * from there. Needs root and Debian's dpkg-deb, and says so where they are missing.
 */
import { spawnSync } from 'node:child_process';
import {
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
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { PROGRAM_NAMES } from '../../src/suite/programs.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What maintainer scripts and launchers use. */
const TOOLS = ['/bin/sh', '/bin/rm', '/usr/bin/env', '/usr/bin/dpkg-divert', '/usr/bin/dpkg-query'];

const run = (command: string, words: readonly string[], cwd = ROOT) =>
  spawnSync(command, words, { cwd, encoding: 'utf8' });

describe('the Debian package', () => {
  let folder: string;
  let root: string;
  let file: string;

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

  const dpkg = (...words: string[]) =>
    run('dpkg', [`--root=${root}`, '--force-depends', '--log=/dev/null', ...words]);
  const inside = (...words: string[]) => run('chroot', [root, ...words]);

  before(function () {
    if (process.getuid?.() !== 0 || !existsSync('/usr/bin/dpkg-deb')) {
      console.log('    (skipped: needs root and dpkg-deb)');
      this.skip();
    }
    folder = mkdtempSync(join(tmpdir(), 'evenkeel-root-'));
    root = join(folder, 'root');
    const built = run(process.execPath, ['scripts/deb.mjs', '--out', folder]);
    expect(built.stderr).to.equal('');
    file = built.stdout.trim();
    for (const path of ['bin', 'tmp', 'proc', 'var/lib/dpkg/info', 'var/lib/dpkg/updates', 'dev'])
      mkdirSync(join(root, path), { recursive: true });
    for (const path of ['status', 'available', 'diversions'])
      writeFileSync(join(root, 'var/lib/dpkg', path), '');
    writeFileSync(join(root, 'dev/null'), '');
    for (const tool of TOOLS) bring(tool);
    bring(process.execPath, '/usr/local/bin/node');
    symlinkSync('/usr/local/bin/node', join(root, 'usr/bin/node'));
    // A file of the stock package, which must be kept.
    writeFileSync(join(root, 'usr/bin/hbal'), 'stock\n');
    const installed = dpkg('-i', file);
    expect(installed.status, installed.stderr).to.equal(0);
  });
  after(() => {
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  it('is small', () => {
    expect(statSync(file).size).to.be.below(4_000_000);
  });

  it('puts programs, pages, completion and the allocator in place', () => {
    const has = (path: string): boolean =>
      lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined;
    for (const name of PROGRAM_NAMES) {
      expect(has(`usr/bin/${name}`), name).to.equal(true);
      expect(has(`usr/share/man/man1/${name}.1.gz`), name).to.equal(true);
      expect(readFileSync(join(root, `usr/share/bash-completion/completions/${name}`), 'utf8')).to.include(
        name,
      );
      expect(has(`usr/share/zsh/vendor-completions/_${name}`), name).to.equal(true);
      expect(has(`usr/share/fish/vendor_completions.d/${name}.fish`), name).to.equal(true);
    }
    expect(readlinkSync(join(root, 'usr/lib/ganeti/iallocators/hail'))).to.equal('../../../bin/hail');
    const library = readdirSync(join(root, 'usr/lib/evenkeel'));
    expect(library).not.to.include('test');
    expect(library).to.include('schemas');
  });

  it('keeps compiled forms for the Node that is there', () => {
    expect(readdirSync(join(root, 'usr/lib/evenkeel/dist'))).to.include.members([
      'hail.cjs.cache',
      'hbal.cjs.cache',
    ]);
  });

  it('runs every program', () => {
    for (const name of PROGRAM_NAMES) {
      const { status, stdout, stderr } = inside(`/usr/bin/${name}`, '--version');
      expect(status, `${name}: ${stderr}`).to.equal(0);
      expect(stdout).to.match(new RegExp(`^${name} \\(evenkeel\\)`));
      expect(inside(`/usr/bin/${name}`, '--help').stdout).to.include('Usage:');
    }
    const data = '/usr/lib/evenkeel/testdata';
    const works: readonly [string, RegExp][] = [
      [`/usr/bin/hbal -t ${data}/small.data -C`, /Solution length=5/],
      [`/usr/lib/ganeti/iallocators/hail ${data}/small-allocate.json`, /"success":true/],
      [`/usr/bin/hspace -t ${data}/small.data`, /instances allocated/],
      [`/usr/bin/hinfo -t ${data}/super.data --groups`, /Health/],
      [`/usr/bin/hredist -t ${data}/super.data`, /Loaded 14 nodes/],
      [`/usr/bin/hclaim --db /tmp/ledger.db init`, /is ready/],
      [`/usr/bin/hbal -t ${data}/small.data --bound`, /Lower bound: no/],
    ];
    for (const [line, expected] of works) {
      const { stdout, stderr } = inside(...line.split(' '));
      expect(stdout, `${line}: ${stderr}`).to.match(expected);
    }
  });

  it('leaves the files of the stock package beside its own, and gives them back', () => {
    expect(readFileSync(join(root, 'usr/bin/hbal.ganeti'), 'utf8')).to.equal('stock\n');
    const removed = dpkg('-P', 'evenkeel');
    expect(removed.status, removed.stderr).to.equal(0);
    expect(readFileSync(join(root, 'usr/bin/hbal'), 'utf8')).to.equal('stock\n');
    expect(existsSync(join(root, 'usr/lib/evenkeel'))).to.equal(false);
    expect(existsSync(join(root, 'usr/lib/ganeti/iallocators/hail'))).to.equal(false);
    expect(readFileSync(join(root, 'var/lib/dpkg/diversions'), 'utf8')).to.equal('');
  });
});
