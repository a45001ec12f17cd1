/**
 * The package as a user gets it: packed, installed without a network, run, imported and compiled against. `npm run test-package` runs
 * this; it is no part of `npm test`, since packing builds everything anew.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { PROGRAM_NAMES } from '../../src/cli/options/program-table.ts';
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

describe('the package', () => {
  let folder: string;
  let installed: string;

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
    run('npm', [
      'install',
      '--offline',
      '--cache',
      join(folder, 'empty-cache'),
      ...quiet,
      join(folder, packed),
    ]);
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
