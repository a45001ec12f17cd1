/** A journal belongs to one run at a time; what dead runs leave behind does not stand in the way. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { newJournal, oldJournal } from '../../../../src/htools/ganeti/execution/journal-file.ts';
import { journalLine, planLine, readJournal } from '../../../../src/htools/ganeti/execution/journal-lines.ts';
import type { Work } from '../../../../src/htools/ganeti/execution/work.ts';
import { ExecutionError, InputError } from '../../../../src/kit/faults.ts';
import { newFolder } from '../../../builders/folder.ts';
import { runApart } from '../../../suite/run-built.ts';

const WORK: Work = {
  sets: [],
  limits: { ignoreSoftErrors: false, diskMoves: true },
  nodeOptions: { offline: [], minDiskRatio: 0 },
};
const LINE = planLine('run-1', 'hbal', 'cluster.example.com', WORK);

describe('the file of a journal', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = newFolder();
    path = join(folder, 'journal');
  });

  it('belongs to one run until it is closed', () => {
    const journal = newJournal(path);
    journal.write(LINE);
    for (const open of [() => newJournal(path), () => oldJournal(path)])
      expect(open).to.throw(ExecutionError, `process ${process.pid} is carrying out the plan in ${path}`);
    journal.close();
    expect(oldJournal(path).state.plan.run).to.equal('run-1');
  });

  it('is closed although somebody has removed its lock', () => {
    const journal = newJournal(path);
    rmSync(`${path}.lock`);
    journal.close();
    expect(existsSync(`${path}.lock`)).to.equal(false);
  });

  it('is refused where its name is longer than names may be', () => {
    for (const open of [newJournal, oldJournal])
      expect(() => open(join(folder, 'x'.repeat(5000)))).to.throw(ExecutionError, 'ENAMETOOLONG');
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it('writes through no link that somebody has put beside it', () => {
    const target = join(folder, 'target');
    writeFileSync(target, 'precious');
    for (const ending of ['.lock', '']) symlinkSync(target, `${path}${ending}.${process.pid}`);
    const journal = newJournal(path);
    journal.write(LINE);
    journal.close();
    expect(readFileSync(target, 'utf8')).to.equal('precious');
    expect(oldJournal(path).state.plan.run).to.equal('run-1');
  });

  it('is refused to a program while another has it', async () => {
    const journal = newJournal(path);
    journal.write(LINE);
    const { status, stderr } = await runApart('hbal', ['-L/nowhere', `--resume=${path}`]);
    journal.close();
    expect(stderr).to.include(`Error: process ${process.pid} is carrying out the plan`);
    expect(status).to.equal(1);
  });

  it('is taken over from a process that is dead, or whose number somebody else has now', () => {
    const dead = spawnSync('true').pid;
    for (const holder of [`${dead} 123\n`, `${process.pid} 1\n`, '', 'no process\n', '-1 0\n']) {
      writeFileSync(`${path}.lock`, holder);
      const journal = newJournal(path);
      expect(readFileSync(`${path}.lock`, 'utf8')).to.match(new RegExp(`^${process.pid} \\d+ \\S+\n$`));
      journal.close();
      expect(readdirSync(folder), `behind ${JSON.stringify(holder)}`).to.deep.equal([]);
    }
  });

  it('is not taken from a process of which the system tells nothing but that it is there', () => {
    const { kill } = process;
    const dead = spawnSync('true').pid;
    writeFileSync(`${path}.lock`, `${dead} 123\n`);
    process.kill = () => {
      throw Object.assign(new Error(), { code: 'EPERM' });
    };
    try {
      expect(() => newJournal(path)).to.throw(ExecutionError, `process ${dead} is carrying out`);
    } finally {
      process.kill = kill;
    }
  });

  it('is not taken for a day from a process of another container, which cannot be seen from here', () => {
    const lock = `${path}.lock`;
    const dead = spawnSync('true').pid;
    writeFileSync(lock, `${dead} 123 pid:[1]\n`);
    expect(() => newJournal(path)).to.throw(
      ExecutionError,
      `process ${dead} of another container (if it has ended, remove ${lock}) is carrying out`,
    );
    const dayAgo = Date.now() / 1000 - 86_400;
    utimesSync(lock, dayAgo, dayAgo);
    newJournal(path).close();
  });

  it('has a lock that others may read, and is refused where they may not', () => {
    const journal = newJournal(path);
    expect(statSync(`${path}.lock`).mode & 0o777).to.equal(0o644);
    journal.close();
    // Root may read every file.
    mkdirSync(`${path}.lock`);
    expect(() => newJournal(path)).to.throw(ExecutionError, `the lock ${path}.lock cannot be read: EISDIR`);
  });

  it('is refused at the line with an instance that has no node', () => {
    const step = { kind: 0, from: ['', null], to: ['node1', null], target: null } as const;
    const job = {
      ...{ instance: 'web1', diskTemplate: 'plain', isAutoBalanced: true, copyMib: 0 },
      ...{ steps: [step], nodes: [], opcodes: [{ OP_ID: 'OP_TEST' }] },
    };
    const homeless = planLine('run-2', 'hbal', 'cluster.example.com', { ...WORK, sets: [[job]] });
    const text = [LINE, homeless].map((line) => journalLine(line, '2026-01-31T12:00:00.000Z')).join('');
    expect(() => readJournal(text, path))
      .to.throw(InputError, 'web1 has no node')
      .with.nested.property('problems[0].line', 2);
  });

  it('is refused at the line that names a job which the plan has not', () => {
    const text = [LINE, { event: 'submitted', set: 1, job: 1, id: 1 } as const]
      .map((line) => journalLine(line, '2026-01-31T12:00:00.000Z'))
      .join('');
    expect(() => readJournal(text, path))
      .to.throw(InputError, 'the plan has no job 1 in set 1')
      .with.nested.property('problems[0].line', 2);
  });

  it('tells how to go on where it is cut off, and there is no other', () => {
    expect(() => readJournal(journalLine(LINE, '2026-01-31T12:00:00.000Z').slice(0, -9), path))
      .to.throw(InputError, 'this is not a line of a journal')
      .with.nested.property('problems[0].remedy')
      .that.includes('run the command anew');
  });

  it('is gone on with where the end of its last line is lost', () => {
    writeFileSync(path, journalLine(LINE, '2026-01-31T12:00:00.000Z').trimEnd());
    const { journal } = oldJournal(path);
    journal.write({ event: 'left', outcome: 'done' });
    journal.close();
    expect(oldJournal(path).state.outcome).to.equal('done');
  });

  it('is replaced as a whole, and locked, also under another name', () => {
    newJournal(path).write(LINE);
    rmSync(`${path}.lock`);
    const link = join(folder, 'latest');
    symlinkSync(path, link);
    const { journal } = oldJournal(link);
    expect(() => oldJournal(path)).to.throw(ExecutionError, 'is carrying out the plan');
    const before = statSync(path).ino;
    journal.write({ event: 'left', outcome: 'done' });
    journal.close();
    expect(statSync(path).ino).to.not.equal(before);
    expect(readdirSync(folder)).to.have.members(['journal', 'latest']);
    expect(oldJournal(link).state.outcome).to.equal('done');
  });

  it('is not begun over another one, nor in a folder that is not there', () => {
    writeFileSync(path, 'something');
    expect(() => newJournal(path)).to.throw(ExecutionError, 'is not empty');
    expect(() => oldJournal(path)).to.throw(InputError, 'this is not a line of a journal');
    expect(() => newJournal(folder)).to.throw(ExecutionError, 'is a folder');
    expect(() => newJournal(join(folder, 'none', 'journal'))).to.throw(ExecutionError, 'ENOENT');
    // A refusal gives the lock free.
    expect(existsSync(`${path}.lock`)).to.equal(false);
  });
});
