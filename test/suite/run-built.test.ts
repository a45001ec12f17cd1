/** The thread that stands in for processes in most tests gives what a process gives. */
import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { recordedLuxi, withLuxi } from '../htools/ganeti/play.ts';
import { type BuiltRun, ROOT, runApart, runWords, type Surroundings, threadsStarted } from './run-built.ts';

function launched(program: string, words: readonly string[], options: SpawnSyncOptions): BuiltRun {
  const { status, stdout, stderr } = spawnSync(join(ROOT, 'bin', program), words, {
    cwd: ROOT,
    ...options,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const SMALL = ['-t', 'testdata/small.data'];
const CASES: Readonly<Record<string, readonly [program: string, words: readonly string[], Surroundings?]>> = {
  'a result': ['hbal', [...SMALL, '-l', '2']],
  'a status and remarks': ['hbal', [...SMALL, '--search=deep', '--time-limit=x']],
  'a fault': ['hinfo', ['-t', 'no/such/file']],
  'the help': ['hclaim', ['--help']],
  'standard input': [
    'hail',
    ['-'],
    { input: readFileSync(join(ROOT, 'testdata/small-allocate.json'), 'utf8') },
  ],
  'nothing on standard input': ['hail', ['-']],
  'a folder': [
    'hspace',
    ['-t', 'careless.data', '--machine-readable'],
    { folder: join(ROOT, 'testdata/hspace') },
  ],
  'the environment': ['hclaim', ['show'], { environment: { EVENKEEL_DB: '/no/such/ledger.db' } }],
  'several threads': [
    'hbal',
    ['-t', 'testdata/groups/larger-set.data', '--search=deep', '--effort=0.01', '--jobs=2'],
  ],
};

describe('a program run in a thread', () => {
  for (const [what, [program, words, around = {}]] of Object.entries(CASES))
    it(`has what a process has: ${what}`, async () => {
      const options = {
        input: around.input ?? '',
        env: { ...process.env, ...around.environment },
        ...(around.folder === undefined ? {} : { cwd: around.folder }),
      };
      const expected = launched(program, words, options);
      expect(runWords(program, words, around)).to.deep.equal(expected);
      const before = threadsStarted();
      expect(runWords(program, words, around), 'again').to.deep.equal(expected);
      expect(threadsStarted(), 'in the same thread').to.equal(before);
      if (around.input === undefined && around.folder === undefined)
        expect(await runApart(program, words, around.environment), 'apart').to.deep.equal(expected);
    });

  it('goes on in the same thread behind a connection that the program left open', async () => {
    const live = () => withLuxi(recordedLuxi('healthy'), (path) => runApart('hinfo', [`-L${path}`]));
    await live();
    const before = threadsStarted();
    expect((await live()).status).to.equal(0);
    expect(threadsStarted()).to.equal(before);
  });

  it('does not know the environment of the run before', () => {
    const environment = { EVENKEEL_DB: '/no/such/ledger.db' };
    expect(runWords('hclaim', ['show'], { environment }).stderr).to.include('/no/such/ledger.db');
    expect(runWords('hclaim', ['show']).stderr).to.not.include('/no/such/ledger.db');
  });
});
