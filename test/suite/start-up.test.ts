/**
 * What a program reads before its first line runs, in bytes: times vary too much on a busy machine to hold
 * anything.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { OPTIONS, PROGRAM_NAMES, PROGRAMS } from '../../src/suite/programs.ts';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));
const KIB = 1024;
const TESTDATA = fileURLToPath(new URL('../../testdata', import.meta.url));
/** Has a program say at its end which parts of Node it has loaded, the last line of all. */
const TELL_PARTS = `data:text/javascript,process.on('exit', () => console.error(process.moduleLoadList.join()))`;

describe('the start of a program', () => {
  const file = (name: string): string => join(DIST, name);
  const sizeKib = (name: string): number => statSync(file(name)).size / KIB;

  before(function () {
    if (!existsSync(file('hail.cjs'))) this.skip();
  });

  it('reads no more of the dispatcher than it has to', () => {
    expect(sizeKib('dispatch.cjs')).to.be.below(7);
  });

  it('reads the rest of hbal and hail only when it is asked for', () => {
    for (const [name, limit] of [
      ['hail', 316],
      ['hbal', 386],
    ] as const) {
      expect(sizeKib(`${name}.cjs`)).to.be.below(limit);
      const text = (path: string): string => readFileSync(file(path), 'latin1');
      expect(text(`${name}.cjs`)).not.to.include('ZodError');
      expect(text(`${name}-rest.cjs`)).to.include('ZodError');
    }
    const parts = (...words: string[]): string =>
      partsOf('hbal', '-t', join(TESTDATA, 'small.data'), ...words);
    // Node's loader of files comes with it.
    expect(parts()).not.to.match(/NativeModule module\b/);
    expect(parts('--explain')).to.match(/NativeModule module\b/);
  });

  it('keeps the deep search in a file that hail reads only when it is asked for', () => {
    const text = (name: string): string => readFileSync(file(name), 'latin1');
    expect(text('hail.cjs')).not.to.include('betterPlacements');
    expect(text('apart/deep-search.cjs')).to.include('betterPlacements');
  });

  const partsOf = (name: string, ...words: string[]): string =>
    spawnSync(process.execPath, ['--import', TELL_PARTS, file(`../bin/${name}`), ...words], {
      encoding: 'utf8',
    }).stderr;

  it('loads neither cryptography nor networks nor streams of terminals for an ordinary run', () => {
    for (const name of ['hbal', 'hcheck', 'hinfo', 'hroller', 'hspace', 'hsqueeze']) {
      const parts = partsOf(name, '-t', join(TESTDATA, 'small.data'));
      for (const heavy of ['crypto', 'net', 'tty', 'os', 'child_process', 'stream', 'module'])
        expect(parts, name).not.to.match(new RegExp(`NativeModule ${heavy}\\b`));
    }
  });

  it('says nothing of what it asks of Node, to whoever wants to hear what is out of date, either', () => {
    const { stderr } = spawnSync(file('../bin/hinfo'), ['-t', join(TESTDATA, 'edges.data'), '-q'], {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '--pending-deprecation' },
    });
    expect(stderr).to.equal('');
  });

  it('finds the compiled forms that were kept fit to be used', () => {
    const script = `const { readFileSync } = require('node:fs');
      for (const path of process.argv.slice(1)) {
        const source = readFileSync(path, 'latin1');
        const cachedData = readFileSync(path + '.cache').subarray(32);
        console.log(new (require('node:vm').Script)(source, { filename: path, cachedData }).cachedDataRejected);
      }`;
    const paths = ['hail', 'hbal', 'hinfo', 'hspace'].map((name) => file(`${name}.cjs`));
    const { stdout } = spawnSync(process.execPath, ['-e', script, ...paths], { encoding: 'utf8' });
    expect(stdout).to.equal('false\n'.repeat(paths.length));
  });

  it('leaves texts of manual pages out', () => {
    const text = OPTIONS.exclusionTags.manual.split('\n')[0]!;
    for (const name of PROGRAM_NAMES)
      expect(readFileSync(file(`${name}.cjs`), 'latin1')).not.to.include(text);
  });

  it('has the options of its own program only', () => {
    const own = Object.keys(PROGRAMS.hail.options);
    const others = Object.entries(OPTIONS).filter(([key]) => !own.includes(key));
    const source = readFileSync(file('hail.cjs'), 'latin1');
    const strays = others.filter(([, { help }]) => source.includes(help)).map(([key]) => key);
    const shared = others.filter(([, { help }]) =>
      own.some((key) => OPTIONS[key as keyof typeof OPTIONS].help === help),
    );
    expect(strays).to.deep.equal(shared.map(([key]) => key));
    for (const key of own) expect(source, key).to.include(OPTIONS[key as keyof typeof OPTIONS].help);
  });
});
