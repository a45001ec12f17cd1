import { expect } from 'chai';
import { faultOf, type Run } from '../../../../src/htools/programs/shared/execute/run-work.ts';

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
