import { expect } from 'chai';
import type { JobFact } from '../../../../src/htools/ganeti/execution/job-facts.ts';
import { faultOf, type Run } from '../../../../src/htools/programs/shared/execute/run-work.ts';
import { progressText } from '../../../../src/htools/programs/shared/execute/text.ts';

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
});
