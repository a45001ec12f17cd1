import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PROGRAM_NAMES, PROGRAMS } from '../../src/suite/programs.ts';
import { newFolder } from '../builders/folder.ts';
import { inLongRun } from '../builders/seeds.ts';
import { runBuilt } from './run-built.ts';

/**
 * A command line of each program with --quiet that reads a cluster, and further ones of those that can do
 * more.
 */
const LINES: Readonly<Record<string, readonly string[]>> = {
  hbal: ['hbal'],
  hcheck: ['hcheck', 'hcheck --lint'],
  hcompress: [
    'hcompress --check',
    'hcompress --evacuate',
    ...inLongRun('hcompress --all', 'hcompress --all --evacuate'),
  ],
  hinfo: ['hinfo', 'hinfo --groups'],
  hredist: ['hredist'],
  hroller: ['hroller', 'hroller --plan --ignore-non-redundant'],
  hspace: ['hspace --accept-existing-errors', 'hspace --accept-existing-errors --explain'],
  hspread: ['hspread'],
};
/** Those that read no cluster with -t. */
const OTHERS = ['harep', 'hbind', 'hclaim', 'hdisk'];

describe('--quiet', () => {
  const folder = newFolder();
  let file: string;
  before(() => {
    file = join(folder, 'cut.data');
    // A last line that is cut off: a warning.
    writeFileSync(file, readFileSync('testdata/super.data', 'utf8').trimEnd());
  });

  it('is known of every program that takes it', () => {
    const takers = PROGRAM_NAMES.filter((name) => 'quiet' in PROGRAMS[name].options);
    expect([...takers].sort()).to.deep.equal([...Object.keys(LINES), ...OTHERS].sort());
  });

  for (const line of Object.values(LINES).flat())
    it(`tells the result without warnings: ${line}`, () => {
      const usual = runBuilt(`${line} -t ${file}`);
      const quiet = runBuilt(`${line} -t ${file} -q`);
      expect(usual.stderr).to.contain('Warning');
      expect(quiet.stderr).to.equal('');
      expect(quiet.status).to.equal(usual.status);
      const lines = new Set(usual.stdout.split('\n'));
      for (const text of quiet.stdout.split('\n')) expect(lines, text).to.include(text);
      expect(quiet.stdout).to.not.contain('Nothing has been changed');
    });

  for (const line of ['hinfo', ...inLongRun(...Object.values(LINES).flat())])
    it(`says as little when it is given twice: ${line}`, () => {
      const { status, stdout } = runBuilt(`${line} -t ${file} -q`);
      expect(runBuilt(`${line} -t ${file} -q -q`)).to.deep.include({ status, stdout, stderr: '' });
    });

  for (const line of [
    'hcompress -t testdata/groups/alone.data',
    'hcompress --check -t testdata/groups/alone.data',
    'hredist -t testdata/groups/all-healthy.data',
    'hcheck --lint -t testdata/small.data',
  ])
    it(`prints nothing where there is nothing to report: ${line}`, () => {
      expect(runBuilt(line).stdout).to.not.equal('');
      expect(runBuilt(`${line} -q`)).to.deep.include({ stdout: '', stderr: '' });
    });
});
