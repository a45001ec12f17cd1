/** What is seen of an execution on a terminal, and on one whose standard output goes elsewhere. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { newFolder } from '../../../builders/folder.ts';
import { ROOT } from '../../../suite/run-built.ts';
import { FakeMaster } from '../fake-master.ts';
import { SMALL } from './played.ts';

/** Runs a command on a terminal of its own; of Debian's essential packages. */
const SCRIPT = '/usr/bin/script';

/** All that reaches the terminal. */
const onTerminal = (command: string): Promise<string> =>
  new Promise((resolve) => {
    const child = spawn(SCRIPT, ['-qec', command, '/dev/null'], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    child.stdout.on('data', (piece) => {
      text += piece;
    });
    child.on('close', () => resolve(text));
  });

describe('an execution on a terminal', () => {
  before(function () {
    if (!existsSync(SCRIPT)) this.skip();
  });

  const execute = (more: string): Promise<string> => {
    const master = new FakeMaster(SMALL, { jobMs: 700 });
    return master.serve((path) => onTerminal(`bin/hbal -L${path} -X -l 2 ${more}`));
  };

  it('shows in one line how far it is', async () => {
    const text = await execute('');
    expect(text).to.match(/2 jobs: 1 running, 0 done, 0 failed; 0\.0 of [\d.]+ GiB copied/);
    expect(text).to.match(
      /2 jobs: 1 running, 1 done, 0 failed; [\d.]+ of [\d.]+ GiB copied, about \d+ s left/,
    );
    expect(text).to.not.match(/^job 101/m);
  });

  it('ends as with any signal where the terminal goes away', () => {
    const status = join(newFolder(), 'status');
    const master = new FakeMaster(SMALL, { jobMs: 3_600_000 });
    return master.serve(async (path) => {
      // The kernel tells the shell alone.
      const run = `trap 'kill -HUP $!' HUP; bin/hbal -L${path} -X --no-journal & wait $!; wait $!`;
      const noted = `${run}; echo $? >${status}.new; mv ${status}.new ${status}`;
      const terminal = spawn(SCRIPT, ['-qec', noted, '/dev/null'], { cwd: ROOT, stdio: 'ignore' });
      while (master.jobs.length === 0) await pause(10);
      terminal.kill('SIGKILL');
      while (!existsSync(status)) await pause(10);
      expect(readFileSync(status, 'utf8')).to.equal('2\n');
    });
  });

  it('tells of each job where standard output goes elsewhere', async () => {
    const text = await execute('| cat');
    expect(text).to.match(/^job 101: web2\S* .*: success \(\d s\)/m);
    expect(text).to.not.include('running');
  });
});
