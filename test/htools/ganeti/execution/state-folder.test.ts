/** Journals that nobody gave a name: where they are, what is listed, what goes. */
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { newJournal } from '../../../../src/htools/ganeti/execution/journal-file.ts';
import { planLine } from '../../../../src/htools/ganeti/execution/journal-lines.ts';
import {
  keptJournals,
  newJournalFile,
  stateFolder,
  tidyJournals,
} from '../../../../src/htools/ganeti/execution/state-folder.ts';
import { ExecutionError } from '../../../../src/kit/faults.ts';
import { newFolder } from '../../../builders/folder.ts';
import { ROOT } from '../../../suite/run-built.ts';

const LINE = planLine('run-1', 'hbal', 'cluster.example.com', {
  sets: [],
  limits: { ignoreSoftErrors: false, diskMoves: true },
  nodeOptions: { offline: [], minDiskRatio: 0 },
});

describe('the folder of journals', () => {
  const { geteuid } = process;
  const before = { ...process.env };
  let folder: string;
  beforeEach(() => {
    folder = newFolder();
    process.env.STATE_DIRECTORY = join(folder, 'state');
  });
  afterEach(() => {
    Object.assign(process, { geteuid });
    for (const name of ['STATE_DIRECTORY', 'XDG_STATE_HOME']) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  });

  const write = (name: string, ...outcomes: readonly ('done' | 'failed' | 'held')[]): void => {
    const journal = newJournal(join(stateFolder(), name));
    journal.write(LINE, ...outcomes.map((outcome) => ({ event: 'left' as const, outcome })));
    journal.close();
  };

  it('is that of the service, of the machine for root, of the user otherwise', () => {
    process.env.STATE_DIRECTORY = '/srv/one:/srv/two';
    expect(stateFolder()).to.equal('/srv/one');
    delete process.env.STATE_DIRECTORY;
    Object.assign(process, { geteuid: () => 0 });
    expect(stateFolder()).to.equal('/var/lib/evenkeel');
    Object.assign(process, { geteuid: () => 1000 });
    delete process.env.XDG_STATE_HOME;
    expect(stateFolder()).to.equal(join(homedir(), '.local/state/evenkeel'));
    process.env.XDG_STATE_HOME = '/home/me/state';
    expect(stateFolder()).to.equal('/home/me/state/evenkeel');
  });

  it('is none for a user whom the system does not know', function () {
    if (process.geteuid!() !== 0) this.skip();
    const { HOME, STATE_DIRECTORY, XDG_STATE_HOME, ...env } = process.env;
    // As a number only: nothing of this user stands in /etc/passwd.
    for (const more of [{}, { HOME: '' }]) {
      const options = { uid: 54_321, env: { ...env, ...more }, encoding: 'utf8' } as const;
      const { stdout, stderr } = spawnSync(`${ROOT}/bin/hbal`, ['--history'], options);
      expect(stdout, stderr).to.equal('No journals in /nonexistent/.local/state/evenkeel\n');
    }
  });

  it('is not taken for empty where it cannot be read', () => {
    expect(keptJournals(stateFolder())).to.deep.equal([]);
    writeFileSync(stateFolder(), '');
    expect(() => keptJournals(stateFolder()))
      .to.throw(ExecutionError, 'cannot be read: ENOTDIR')
      .with.property('remedy', 'name a folder with STATE_DIRECTORY or XDG_STATE_HOME');
  });

  it('is made for its owner alone, and names have the time, the program and the cluster', () => {
    const file = newJournalFile('hbal', 'a/b c.example.com');
    expect(statSync(stateFolder()).mode & 0o777).to.equal(0o700);
    expect(file).to.match(/\/state\/\d{8}T\d{9}Z-hbal-a_b_c\.example\.com-\d+\.journal$/);
  });

  it('says what to do when it cannot be used', () => {
    writeFileSync(join(folder, 'state'), '');
    expect(() => newJournalFile('hbal', 'c'))
      .to.throw(ExecutionError, `${folder}/state, cannot be used: EEXIST`)
      .with.property('remedy')
      .that.contains('--no-journal');
  });

  it('keeps a hundred that are done, and all others', () => {
    newJournalFile('hbal', 'c');
    for (let at = 0; at < 105; at++) write(`${1000 + at}.journal`, at === 1 ? 'failed' : 'done');
    const held = newJournal(join(stateFolder(), '0999.journal'));
    held.write(LINE, { event: 'left', outcome: 'done' });
    writeFileSync(join(stateFolder(), '0001.journal'), 'nonsense');
    writeFileSync(join(stateFolder(), '0002.txt'), '');
    tidyJournals();
    const names = readdirSync(stateFolder())
      .filter((name) => name.endsWith('.journal'))
      .sort();
    held.close();
    expect(names.slice(0, 4)).to.deep.equal(['0001.journal', '0999.journal', '1001.journal', '1006.journal']);
    // With the new one they are a hundred.
    expect(names.slice(3)).to.have.length(99);
  });

  it('keeps a hundred that moved something, whatever else was done and held', () => {
    newJournalFile('hbal', 'c');
    const job = { action: 'reboot' as const, nodes: [{ name: 'a', isOffline: false }] };
    const sets = [[{ ...job, mayHold: [], opcodes: [], copyMib: 0 }]];
    const moved = newJournal(join(stateFolder(), '0001.journal'));
    moved.write(
      { ...LINE, work: { ...LINE.work, sets } },
      { event: 'submitted', set: 1, job: 1, id: 1 },
      { event: 'left', outcome: 'done' },
    );
    moved.close();
    for (let at = 0; at < 105; at++) write(`${1000 + at}.journal`, at % 2 ? 'held' : 'done');
    tidyJournals();
    const names = readdirSync(stateFolder()).sort();
    expect(names.slice(0, 2)).to.deep.equal(['0001.journal', '1006.journal']);
  });

  it('lists the newest first, with how each was left', () => {
    newJournalFile('hbal', 'c');
    write('1.journal', 'failed', 'done');
    write('2.journal');
    writeFileSync(join(stateFolder(), '3.journal'), 'nonsense');
    const held = newJournal(join(stateFolder(), '4.journal'));
    held.write(LINE);
    const kept = keptJournals(stateFolder());
    held.close();
    expect(
      kept.map(({ file, journal, isRunning }) => [file.at(-9), journal?.outcome, isRunning]),
    ).to.deep.equal([
      ['4', undefined, true],
      ['3', undefined, false],
      ['2', undefined, false],
      ['1', 'done', false],
    ]);
    expect(kept[1]!.journal).to.equal(undefined);
    expect(kept[2]!.journal!.began).to.match(/^\d{4}-\d\d-\d\dT/);
    expect(keptJournals(join(folder, 'nowhere'))).to.deep.equal([]);
  });
});
