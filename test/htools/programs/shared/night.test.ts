/** Limits of executions that nobody watches. */
import { join } from 'node:path';
import { expect } from 'chai';
import { newJournal } from '../../../../src/htools/ganeti/execution/journal-file.ts';
import { planLine } from '../../../../src/htools/ganeti/execution/journal-lines.ts';
import type { InstanceJob, NodeJob, Work } from '../../../../src/htools/ganeti/execution/work.ts';
import {
  restingInstances,
  restRemark,
  secondsUntil,
  setSeconds,
  window,
} from '../../../../src/htools/programs/shared/execute/night.ts';
import { newFolder } from '../../../builders/folder.ts';

const OPCODE = { OP_ID: 'OP_INSTANCE_MIGRATE' };
const jobOf = (instance: string, copyMib = 0, opcodes = 1): InstanceJob => ({
  instance,
  diskTemplate: 'drbd',
  isAutoBalanced: true,
  steps: [{ kind: 0, from: ['a', 'b'], to: ['b', 'a'], target: null }],
  nodes: [],
  opcodes: Array.from({ length: opcodes }, () => OPCODE),
  copyMib,
});
const REBOOT: NodeJob = {
  action: 'reboot',
  nodes: [{ name: 'a', isOffline: false }],
  mayHold: [],
  opcodes: [],
  copyMib: 0,
};

describe('the window of an execution', () => {
  const at = (hours: number, minutes: number) => new Date(2026, 10, 22, hours, minutes, 30);

  it('ends when a clock on the wall shows so the next time', () => {
    expect(secondsUntil('05:00', at(4, 0), 0)).to.equal(3570);
    expect(secondsUntil('5:00', at(23, 0), 0)).to.equal(6 * 3600 - 30);
    expect(secondsUntil('05:00', at(5, 0), 0)).to.equal(24 * 3600 - 30);
    expect(secondsUntil('23:59', at(0, 0), 0)).to.equal(24 * 3600 - 90);
  });

  it('is over, and not that of the next day, where the program has waited past it', () => {
    expect(secondsUntil('05:00', at(5, 0), 60)).to.equal(-30);
    expect(secondsUntil('05:00', at(5, 0), 20)).to.equal(24 * 3600 - 30);
    expect(secondsUntil('00:10', at(0, 20), 3600)).to.equal(-630);
    expect(window(-30)(0)).to.equal(false);
  });

  it('holds what is done by its end', () => {
    const fits = window(100);
    expect([fits(0), fits(99), fits(101)]).to.deep.equal([true, true, false]);
  });
});

describe('how long a job set takes', () => {
  it('is by its longest job: what it copies, and a minute for each change', () => {
    expect(setSeconds([jobOf('x', 2000, 2), jobOf('y', 6000)], 100, 1800)).to.equal(140);
    expect(setSeconds([jobOf('x', 2000, 3), jobOf('y', 6000)], 100, 1800)).to.equal(200);
    expect(setSeconds([jobOf('x', 2000, 2), jobOf('y', 6000)], 50, 1800)).to.equal(180);
  });

  it('is by the jobs one after another where only so many are in the queue at a time', () => {
    const set = [jobOf('x', 0, 3), jobOf('y', 0, 2), jobOf('z', 0, 2)];
    expect([1, 2, 3, 9].map((parallel) => setSeconds(set, 100, 1800, parallel))).to.deep.equal([
      420, 240, 180, 180,
    ]);
    expect(setSeconds([REBOOT, REBOOT, REBOOT], 100, 1800, 2)).to.equal(3600);
  });

  it('is what a node may take that starts', () => {
    expect(setSeconds([REBOOT], 100, 1800)).to.equal(1800);
    const powered = { ...REBOOT, action: 'power-on', opcodes: [OPCODE, OPCODE] } as const;
    expect(setSeconds([powered], 100, 1800)).to.equal(1800);
    expect(setSeconds([{ ...powered, action: 'power-off' }], 100, 1800)).to.equal(120);
    expect(setSeconds([{ ...REBOOT, action: 'tag', opcodes: [OPCODE] }], 100, 1800)).to.equal(60);
    expect(setSeconds([], 100, 1800)).to.equal(0);
  });
});

describe('instances that rest', () => {
  const before = process.env.STATE_DIRECTORY;
  let folder: string;
  beforeEach(() => {
    folder = newFolder();
    process.env.STATE_DIRECTORY = folder;
  });
  afterEach(() => {
    process.env.STATE_DIRECTORY = before;
  });

  it('are those that a job was begun for, in any plan of a journal of this cluster', () => {
    const work = (...names: string[]): Work => ({
      sets: [[...names.map((name) => jobOf(name)), REBOOT]],
      limits: { ignoreSoftErrors: false, diskMoves: true },
      nodeOptions: { offline: [], minDiskRatio: 0 },
    });
    const journal = newJournal(join(folder, '1.journal'));
    const place = (job: number) => ({ set: 1, job });
    journal.write(
      planLine('run-1', 'hbal', 'one', work('done', 'refused', 'planned', 'sent')),
      { event: 'submitting', ...place(1) },
      { event: 'submitted', ...place(1), id: 1 },
      { event: 'ended', ...place(1), status: 'success' },
      { event: 'refused', ...place(2), why: 'no' },
      { event: 'submitting', ...place(4) },
      planLine('run-2', 'hbal', 'one', work('back')),
      { event: 'submitting', ...place(1) },
      { event: 'submitting', ...place(2) },
    );
    journal.close();
    const other = newJournal(join(folder, '2.journal'));
    other.write(planLine('run-3', 'hbal', 'two', work('elsewhere')), { event: 'submitting', ...place(1) });
    other.close();
    const names = (hours: number, cluster?: string, now?: number) =>
      [...restingInstances(hours, cluster, now)].sort();
    expect(names(1, 'one')).to.deep.equal(['back', 'done', 'sent']);
    expect(names(1)).to.deep.equal(['back', 'done', 'elsewhere', 'sent']);
    const later = Date.now() + 3_600_000;
    expect(names(0.9, 'one', later)).to.deep.equal([]);
    expect(names(1.1, 'one', later)).to.have.length(3);
    expect(names(1e9, 'one', later)).to.have.length(3);
    // The clock ran an hour ahead when they were moved, or is not set yet.
    const earlier = Date.now() - 3_600_000;
    expect(names(0.9, 'one', earlier)).to.deep.equal([]);
    expect(names(1.1, 'one', earlier)).to.have.length(3);
    // A run each night has its record, so that a longer silence has a reason.
    const nextNight = Date.now() + 24 * 3_600_000;
    expect(restRemark(2, 'one', nextNight)).to.equal('');
    expect(restRemark(2, 'one', nextNight + 3 * 3_600_000)).to.match(
      /^No run on one of the last 26 hours is on record in .*; if another node was the master, /,
    );
    expect(restRemark(2, 'three', nextNight)).to.include('No run on three');
    expect(restRemark(0, 'three', nextNight)).to.equal('');
  });
});
