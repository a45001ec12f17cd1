/**
 * The package as a user gets it: packed, installed without a network, run, imported and compiled against.
 * `npm run test-package` runs this; it is no part of `npm test`, since packing builds everything anew.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { PROGRAM_NAMES } from '../../src/suite/programs.ts';
import { CONSUMER, CONSUMER_PRINTS } from './consumer.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

const CONSUMER_CONFIG = {
  compilerOptions: {
    target: 'ES2023',
    module: 'NodeNext',
    strict: true,
    exactOptionalPropertyTypes: true,
    typeRoots: [join(ROOT, 'node_modules/@types')],
    types: ['node'],
  },
  files: ['consumer.ts'],
};

const MOST_BYTES = 13_000_000;
/** Processor time: by the clock, a busy machine takes many times what an idle one does. */
const MOST_CPU_SECONDS = 10;

describe('the package', () => {
  let folder: string;
  let installed: string;
  let packedFile: string;
  let installCpuSeconds: number;

  const run = (command: string, words: readonly string[], cwd = folder): string => {
    const { status, stdout, stderr, error } = spawnSync(command, words, { cwd, encoding: 'utf8' });
    if (status !== 0)
      expect.fail(`${command} ${words.join(' ')}: exit ${status}\n${error ?? ''}${stdout}${stderr}`);
    return stdout;
  };
  const keptForms = (): readonly string[] =>
    readdirSync(join(installed, 'dist')).filter((name) => name.endsWith('.cache'));

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'evenkeel-package-'));
    const packed = run('npm', ['pack', '--silent', '--pack-destination', folder], ROOT)
      .trim()
      .split('\n')
      .at(-1)!;
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
    packedFile = join(folder, packed);
    const install = ['install', '--offline', '--cache', join(folder, 'empty-cache'), ...quiet, packedFile];
    const times = run('bash', ['-c', 'TIMEFORMAT="%U %S"; { time npm "$@" >&2; } 2>&1', 'npm', ...install]);
    const [user, system] = times.trim().split('\n').at(-1)!.split(' ').map(Number);
    installCpuSeconds = user! + system!;
    installed = join(folder, 'node_modules/evenkeel');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('brings all programs, and they run', () => {
    for (const name of PROGRAM_NAMES)
      expect(run(join(folder, 'node_modules/.bin', name), ['--version']), name).to.match(
        /^[a-z]+ .*\d+\.\d+/,
      );
    const steps = run(join(folder, 'node_modules/.bin/hbal'), [
      '-t',
      join(installed, 'testdata/small.data'),
      '-C',
    ]);
    expect(steps).to.include('Solution length=5');
    expect(run(join(folder, 'node_modules/.bin/hbal'), ['--help'])).to.include('--print-commands');
  });

  it('installs nothing but itself', () => {
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).to.deep.equal([
      'evenkeel',
    ]);
    expect(existsSync(join(installed, 'node_modules'))).to.equal(false);
  });

  it('is small and is installed in moments', () => {
    // Measured: 11.8 MB, and 2.6 s of processor time on a machine with much other work; 19.6 MB when its
    // dependencies were packages.
    expect(statSync(packedFile).size).to.be.below(MOST_BYTES);
    expect(installCpuSeconds).to.be.below(MOST_CPU_SECONDS);
  });

  it('brings the parts that are loaded late: help, SQLite, HiGHS, the HTTP server, threads', async () => {
    const bin = (name: string): string => join(folder, 'node_modules/.bin', name);
    const ledger = join(folder, 'ledger.db');
    expect(run(bin('hclaim'), ['--db', ledger, 'init'])).to.include('is ready');
    expect(run(bin('hbal'), ['-t', join(installed, 'testdata/small.data'), '--bound'])).to.include(
      'Lower bound: no',
    );
    expect(run(bin('hbal'), ['-t', join(installed, 'testdata/small.data'), '--jobs=2'])).to.include(
      'Solution length=5',
    );
    const server = spawn(bin('hplaced'), ['--db', ledger, '--listen', '127.0.0.1:0']);
    try {
      const [said] = await Promise.race([once(server.stdout, 'data'), once(server.stderr, 'data')]);
      expect(String(said)).to.include('hplaced listens on');
    } finally {
      server.kill();
    }
    expect(run(process.execPath, ['-e', `require('${installed}/dist/vendor/pg.cjs').Pool.name`])).to.equal(
      '',
    );
  });

  it('says whose work is in it', () => {
    const licences = readFileSync(join(installed, 'dist/vendor/LICENSES.txt'), 'utf8');
    for (const name of [
      'fastify',
      'yargs',
      'piscina',
      'zod',
      'highs',
      '@photostructure/sqlite',
      'pg',
      'ajv',
      'yaml',
    ])
      expect(licences, name).to.match(new RegExp(`^${name} \\d`, 'm'));
  });

  it('has the schemas of all documents', () => {
    expect(readdirSync(join(installed, 'schemas')).length).to.be.above(15);
  });

  it('brings the three examples and no other test data', () => {
    expect(readdirSync(join(installed, 'testdata')).sort()).to.deep.equal([
      'small-allocate.json',
      'small.data',
      'super.data',
    ]);
    expect(existsSync(join(installed, 'test'))).to.equal(false);
  });

  it('keeps compiled forms where it is told to, and never by itself', () => {
    expect(keptForms()).to.deep.equal([]);
    run('npm', ['run', '--silent', 'keep-compiled'], installed);
    expect(keptForms()).to.include.members(['hail.cjs.cache', 'hbal.cjs.cache']);
  });

  it('is a library that a strict consumer compiles against and runs', () => {
    writeFileSync(join(folder, 'consumer.ts'), CONSUMER);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(CONSUMER_CONFIG));
    run(process.execPath, [TSC, '-p', folder]);
    expect(run(process.execPath, ['consumer.js', join(installed, 'testdata')])).to.equal(CONSUMER_PRINTS);
  });
});
