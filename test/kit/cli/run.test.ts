import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { runProgram } from '../../../src/kit/cli/run.ts';
import { holdOut } from '../../../src/kit/report/output.ts';
import { PROGRAMS } from '../../../src/suite/programs.ts';
import { bundleFixture } from './fixtures/bundle-fixture.ts';

/** More than the fixture ever writes. */
const MUCH = 16 * 1024 * 1024;

let fixture: ReturnType<typeof bundleFixture>;

/** Whole processes, because exit status, streams and signals are what is at stake. */
function run(
  main: string,
  words: readonly string[] = [],
  env: Record<string, string> = {},
): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [fixture.path, ...words], {
    encoding: 'utf8',
    maxBuffer: MUCH,
    env: { ...process.env, ...env, MAIN: main },
  });
}

describe('a program run from its command line', () => {
  before(() => {
    fixture = bundleFixture('run-main');
  });
  after(() => fixture.remove());

  it('keeps results and remarks on their streams and passes on the exit status', () => {
    expect(run('succeed')).to.include({ stdout: 'on stdout\n', stderr: 'on stderr\n', status: 0 });
    expect(run('return-three').status).to.equal(3);
  });

  it('gives each ending a status of its own where that is asked for', () => {
    const endings = ['succeed', 'fail-jobs', 'throw-fault', 'be-interrupted', 'throw-type-error'];
    expect(endings.map((main) => run(main).status)).to.deep.equal([0, 1, 1, 2, 70]);
    const strict = endings.map((main) => run(main, ['--exit-status=strict']).status);
    expect(strict).to.deep.equal([0, 1, 2, 5, 70]);
    const asked = [[], ['--exit-status', 'strict'], ['--exit-st=strict'], ['--exit-status=stock']];
    const wrong = asked.map((words) => run('succeed', [...words, '--color=blue']).status);
    expect(wrong, 'words that cannot be read').to.deep.equal([1, 2, 2, 1]);
  });

  it('says what is wrong in one line and the remedy in the next', () => {
    expect(run('throw-fault')).to.include({
      stdout: '',
      stderr: 'Error: no such group\nMaybe name another\n',
      status: 1,
    });
  });

  for (const main of ['throw-type-error', 'reject-later'])
    it(`takes an unexpected exception for its own fault (${main})`, () => {
      const { stdout, stderr, status } = run(main);
      expect(status).to.equal(70);
      expect(stdout).to.equal('');
      expect(stderr).to.match(/^Error: internal error: (TypeError|RangeError)/);
      expect(stderr).not.to.match(/^ +at /m);
    });

  it('does not end with success where it waits for what never comes', () => {
    const { stderr, status } = run('wait-for-nothing');
    expect(status).to.equal(70);
    expect(stderr).to.match(/^Error: internal error: the program waits for nothing\n/);
  });

  it('leaves nothing behind in a process that goes on', async () => {
    const { argv, exit } = process;
    const listeners = (): number => process.listenerCount('beforeExit');
    const before = listeners();
    const statuses: unknown[] = [];
    const release = holdOut();
    Object.assign(process, {
      argv: ['node', 'hbal', '--version'],
      exit: (status: number) => statuses.push(status),
    });
    try {
      await runProgram(PROGRAMS.hbal, () => 0);
    } finally {
      Object.assign(process, { argv, exit });
      release();
    }
    expect([statuses, listeners()]).to.deep.equal([[0], before]);
  });

  it('shows the place of a fault only when asked', () => {
    expect(run('throw-type-error', [], { EVENKEEL_DEBUG: '1' }).stderr).to.match(/^ +at .*run-main/m);
  });

  it('says of a bad option what was probably meant, and where the help is', () => {
    for (const [word, remedy] of [
      ['--qqqqqq', 'see: hbal --help'],
      ['--bandwdith=5', 'you meant --bandwidth; see: hbal --help'],
      ['-?', 'see: hbal --help'],
    ])
      expect(run('succeed', [word!])).to.include({
        stdout: '',
        stderr: `Command line error: unrecognized option \`${word}'\nMaybe ${remedy}\n`,
        status: 2,
      });
  });

  it('prints help on standard output instead of running', () => {
    const { stdout, stderr, status } = run('succeed', ['--help']);
    expect({ stderr, status }).to.deep.equal({ stderr: '', status: 0 });
    expect(stdout).to.match(/^Usage: hbal/);
  });

  for (const [moment, wait] of [
    ['while it writes', () => Promise.resolve()],
    ['while a write waits for its reader', () => setTimeout(200)],
  ] as const) {
    it(`goes on, without a word, when its reader leaves ${moment}`, async () => {
      const child = spawn(process.execPath, [fixture.path], {
        env: { ...process.env, MAIN: 'write-much' },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let stderr = '';
      child.stderr.on('data', (chunk) => {
        stderr += chunk;
      });
      await once(child.stdout, 'readable');
      await wait();
      child.stdout.destroy();
      const [status] = await once(child, 'close');
      expect({ status, stderr }).to.deep.equal({ status: 0, stderr: 'wrote everything\n' });
    });
  }

  it('says so when its output cannot be written', function () {
    if (!existsSync('/dev/full')) this.skip();
    const command = `exec "$0" "$1" > /dev/full`;
    const { status, stderr } = spawnSync('sh', ['-c', command, process.execPath, fixture.path], {
      encoding: 'utf8',
      env: { ...process.env, MAIN: 'succeed' },
    });
    expect(status).to.equal(1);
    expect(stderr).to.match(/^Error: cannot write to standard output: ENOSPC/);
  });

  it('gives its result although nobody can be told anything else', () => {
    const command = `exec "$0" "$1" 2>&-`;
    const { status, stdout } = spawnSync('sh', ['-c', command, process.execPath, fixture.path], {
      encoding: 'utf8',
      env: { ...process.env, MAIN: 'succeed' },
    });
    expect({ status, stdout }).to.deep.equal({ status: 0, stdout: 'on stdout\n' });
  });

  it('writes everything before it ends, however slowly it is read', () => {
    const { stdout, stderr } = run('write-much');
    expect(stdout.length).to.equal(4096 * 1024);
    expect(stderr).to.equal('wrote everything\n');
  });

  it('stops at once on Ctrl-C, in the middle of a computation', async () => {
    const child = spawn(process.execPath, [fixture.path], {
      env: { ...process.env, MAIN: 'stay-busy' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    const [status, signal] = await once(child, 'exit');
    expect({ status, signal }).to.deep.equal({ status: null, signal: 'SIGINT' });
  });

  it('ends although something is left running', () => {
    expect(run('leave-timer').status).to.equal(0);
  });
});
