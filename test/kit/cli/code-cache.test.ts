import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { newFolder } from '../../builders/folder.ts';
import { bundleFixture } from './fixtures/bundle-fixture.ts';

const MARK_LENGTH = 16;
/** The mark, and the Node that made the form. */
const HEAD_LENGTH = 32;
/** A module that has Node say it is another one. */
const ANOTHER_NODE = `data:text/javascript,Object.defineProperty(process, 'version', { value: 'v20.0.1' })`;

describe('a bundle with a kept compiled form', () => {
  let fixture: ReturnType<typeof bundleFixture>;
  let folder: string;
  let path: string;

  const write = (mark: string, body: string): void =>
    writeFileSync(
      path,
      `//${mark.repeat(MARK_LENGTH)}\n(function (exports, require, module, __filename, __dirname) {${body}\n})`,
    );

  const run = (mode: 'run' | 'keep', ...nodeOptions: string[]): string => {
    const words = [...nodeOptions, fixture.path, mode, path];
    const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    return stdout + stderr;
  };

  before(() => {
    fixture = bundleFixture('run-bundle');
    folder = newFolder();
    path = join(folder, 'program.cjs');
  });
  after(() => {
    fixture.remove();
  });

  it('gets what a CommonJS file expects', () => {
    write(
      '0',
      "console.log(typeof require('node:fs').readFileSync, __dirname, __filename, typeof module.exports);",
    );
    expect(run('run')).to.equal(`function ${folder} ${path} object\n`);
  });

  it('prints the same with and without it', () => {
    write('2', 'const twice = (x) => 2 * x; console.log(twice(21));');
    expect(run('keep')).to.equal('42\n');
    expect(existsSync(`${path}.cache`)).to.equal(true);
    expect(run('run')).to.equal('42\n');
  });

  it('is never run from the form of another text, even of the same length', () => {
    write('3', 'console.log(1111);');
    run('keep');
    write('4', 'console.log(2222);');
    expect(run('run')).to.equal('2222\n');
  });

  it('is never run from the form that another Node made, which V8 would take', () => {
    const shown = (...nodeOptions: string[]): string => {
      write('6', 'console.log(5555);');
      run('keep', ...nodeOptions);
      write('6', 'console.log(6666);');
      return run('run');
    };
    expect(shown()).to.equal('5555\n');
    expect(shown('--import', ANOTHER_NODE)).to.equal('6666\n');
  });

  it('runs although the form is damaged', () => {
    write('5', 'console.log(3333);');
    run('keep');
    const kept = readFileSync(`${path}.cache`);
    for (const damaged of [
      kept.subarray(0, HEAD_LENGTH),
      kept.subarray(0, kept.length / 2),
      kept.fill(0, HEAD_LENGTH),
    ]) {
      writeFileSync(`${path}.cache`, damaged);
      expect(run('run')).to.equal('3333\n');
    }
  });
});
