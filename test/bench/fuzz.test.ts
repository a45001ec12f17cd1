import { expect } from 'chai';
import { runTrouble } from '../../bench/fuzz/launch.ts';
import { fuzzCase, messageTrouble, tryReader } from '../../bench/fuzz/trial.ts';
import type { RunResult } from '../../bench/run-program.ts';
import { BackendError, InternalError } from '../../src/kit/faults.ts';

const result = (more: Partial<RunResult>): RunResult => ({
  stdout: '',
  stderr: '',
  exitCode: 0,
  isTimedOut: false,
  seconds: 0,
  ...more,
});

const trialOf = (read: () => unknown) => ({ ...fuzzCase(1), target: { ...fuzzCase(1).target, read } });

describe('the fuzzer', () => {
  it('makes the same input of the same seed', () => {
    for (const seed of [1, 2, 3, 4, 5]) expect(fuzzCase(seed).bytes).to.deep.equal(fuzzCase(seed).bytes);
  });

  it('takes success and clean faults, and nothing else', () => {
    const throwing = (error: unknown) => () => {
      throw error;
    };
    expect(tryReader(trialOf(() => 1))).to.equal('accepted');
    expect(tryReader(trialOf(throwing(new BackendError('no such file'))))).to.equal('refused');
    for (const bad of [
      new TypeError('x'),
      new InternalError('y'),
      new BackendError('[object Object]'),
      'text',
    ])
      expect(tryReader(trialOf(throwing(bad)))).to.have.property('seed', 1);
  });

  it('knows messages that nobody should have to read', () => {
    expect(messageTrouble('Error: line 3: no such node')).to.equal(undefined);
    for (const bad of [
      '',
      'bell \u0007',
      'value undefined',
      '    at read (file:///a.js:1:2)',
      'x'.repeat(100_000),
    ])
      expect(messageTrouble(bad), JSON.stringify(bad.slice(0, 30))).to.be.a('string');
  });

  it('wants nothing on stdout when hail fails, and one line of JSON when it does not', () => {
    const answer = '{"success":false,"info":"no","result":[]}\n';
    expect(runTrouble('hail', result({ stdout: answer }))).to.equal(undefined);
    expect(runTrouble('hail', result({ exitCode: 1, stderr: 'Error: x\n' }))).to.equal(undefined);
    expect(runTrouble('hail', result({ exitCode: 1, stdout: answer, stderr: 'x' }))).to.be.a('string');
    expect(runTrouble('hail', result({ stdout: `note\n${answer}` }))).to.be.a('string');
  });

  it('finds stack traces, hangs, signals and other exit codes', () => {
    const trace = 'TypeError: x\n    at main (file:///srv/dist/hbal.cjs:1:20)\n';
    expect(runTrouble('hbal', result({ exitCode: 1, stderr: trace }))).to.equal('a stack trace');
    expect(runTrouble('hbal', result({ exitCode: 70 }))).to.contain('exit status 70');
    expect(runTrouble('hbal', result({ exitCode: undefined }))).to.contain('signal');
    expect(runTrouble('hbal', result({ isTimedOut: true }))).to.equal('it does not end');
  });
});
