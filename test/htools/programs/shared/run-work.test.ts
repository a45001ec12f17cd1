import { expect } from 'chai';
import type { JobFact } from '../../../../src/htools/ganeti/execution/job-facts.ts';
import { LuxiRefusal } from '../../../../src/htools/ganeti/luxi/message.ts';
import { faultOf, type Run } from '../../../../src/htools/programs/shared/execute/run-work.ts';
import { progressText } from '../../../../src/htools/programs/shared/execute/text.ts';
import { BackendError, type Fault } from '../../../../src/kit/faults.ts';

describe('the progress of an execution', () => {
  it('tells jobs that wait in the queue from those that run', () => {
    const facts = ['queued', 'waiting', 'running'].map((status) => ({
      work: { copyMib: 1024 },
      state: { state: 'submitted', id: 1 },
      status,
    })) as unknown as JobFact[];
    expect(progressText(facts, 1, 0)).to.equal(
      '3 jobs: 2 waiting, 1 running, 0 done, 0 failed; 0.0 of 3.0 GiB copied',
    );
  });
});

describe('the end of an execution', () => {
  it('names the command that goes on as one would write it', () => {
    const remedyFor = (luxiSocket: string): string | undefined => {
      const task = { program: 'hroller', options: { luxiSocket }, file: '/a b' } as unknown as Run;
      return faultOf(task, { outcome: 'changed', changes: [], why: [], jobs: [], setsLeft: [] })?.remedy;
    };
    expect(remedyFor('')).to.match(/: hroller -L --resume='\/a b'$/);
    expect(remedyFor('/run/s')).to.match(/: hroller -L\/run\/s --resume='\/a b'$/);
  });

  it('thinks of another master where this one is away, not where it refuses', () => {
    const remedyFor = (fault: Fault): string | undefined => {
      const task = { program: 'hbal', options: {}, file: '/a' } as unknown as Run;
      const report = { outcome: 'broken', changes: [], why: [], jobs: [], setsLeft: [], fault } as const;
      return faultOf(task, report)?.remedy;
    };
    const refused = 'continue, once that is mended: hbal -L --resume=/a';
    expect(remedyFor(new LuxiRefusal('SubmitManyJobs', 'disk is full'))).to.equal(refused);
    expect(remedyFor(new LuxiRefusal('SubmitManyJobs', 'Queue drained'))).to.equal(
      `have the queue take jobs again: gnt-cluster queue undrain; ${refused}`,
    );
    expect(remedyFor(new BackendError('nobody listens there'))).to.equal(
      `${refused} (it is waited for longer with --answer-timeout=SECONDS); if another node is the master by now (gnt-cluster getmaster), copy the journal there and continue there`,
    );
  });
});
