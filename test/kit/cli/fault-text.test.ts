import { expect } from 'chai';
import { faultText } from '../../../src/kit/cli/fault-text.ts';
import { EXIT } from '../../../src/kit/exit-status.ts';
import {
  ExecutionError,
  InputError,
  InternalError,
  introduced,
  UsageError,
} from '../../../src/kit/faults.ts';

describe('what is said about a fault', () => {
  it('puts the remedy on a line of its own', () => {
    expect(faultText(new ExecutionError('no such group: x', 'name one of these: a, b'))).to.equal(
      'Error: no such group: x\nMaybe name one of these: a, b\n',
    );
  });

  it('lists every problem of an input with its place, field and value', () => {
    const text = faultText(
      new InputError('c.data', [
        { line: 3, column: 7, field: 'total memory', value: 'x1', problem: 'is not a whole number' },
        { field: 'nodes', problem: 'is missing' },
      ]),
    );
    expect(text.split('\n')).to.deep.equal([
      'Error: c.data: is not a whole number (and 1 more)',
      "  line 3, column 7, total memory, 'x1': is not a whole number",
      '  nodes: is missing',
      '',
    ]);
  });

  it('quotes a value once: strings of JSON have quotes of their own', () => {
    const textOf = (value: string): string =>
      faultText(new InputError('c.json', [{ field: 'vcpus', value, problem: 'is none' }]));
    expect(textOf('"4"')).to.equal('Error: c.json: vcpus, "4": is none\n');
    expect(textOf('[]')).to.equal("Error: c.json: vcpus, '[]': is none\n");
    expect(textOf('"')).to.equal("Error: c.json: vcpus, '\"': is none\n");
  });

  it('says what is wrong once where there is one problem', () => {
    const problem = { line: 3, field: 'role', value: 'x', problem: 'no such role', remedy: 'use admin' };
    expect(faultText(new InputError('tokens', [problem]))).to.equal(
      "Error: tokens: line 3, role, 'x': no such role\nMaybe use admin\n",
    );
    expect(faultText(new InputError('tokens', [{ problem: 'is empty' }]))).to.equal(
      'Error: tokens: is empty\n',
    );
    expect(faultText(introduced('failed to load data', new InputError('tokens', [problem])))).to.match(
      /^Error: failed to load data: tokens: line 3, role, 'x': no such role\n/,
    );
  });

  it('says the same remedy once for a run of problems', () => {
    const problem = { problem: 'is bad', remedy: 'mend it' };
    const text = faultText(
      new InputError('f', [problem, problem, { problem: 'is worse', remedy: 'throw it away' }]),
    );
    expect(text.match(/Maybe mend it/g)).to.have.length(1);
    expect(text).to.match(/Maybe throw it away\n$/);
  });

  it('stays readable when there are very many problems', () => {
    const problems = Array.from({ length: 5000 }, (_, index) => ({ line: index + 1, problem: 'is bad' }));
    const lines = faultText(new InputError('f', problems)).split('\n');
    expect(lines).to.have.length.below(110);
    expect(lines).to.include('  ... and 4900 more problems');
  });

  it('shows what a terminal would obey', () => {
    const problem = { problem: "'\u001b[2J\r\n\u202e\u009b\ud800' is bad", value: 'a\tb' };
    const text = faultText(new InputError('f', [problem]));
    expect(text).to.include("'a\\tb': '\\u001b[2J\\r\\n\\u202e\\u009b\\ud800' is bad");
    expect(text).to.match(/^[ -~\n]*$/);
  });

  it('leaves other writing as it is', () => {
    expect(faultText(new ExecutionError('no node “süd-٣” \u{1f4a5}'))).to.equal(
      'Error: no node “süd-٣” \u{1f4a5}\n',
    );
  });

  it('shows the beginning of what is too long to read', () => {
    const text = faultText(new ExecutionError('x'.repeat(300_000)));
    expect(text).to.have.length.below(1100);
    expect(text).to.match(/x\.\.\. \(299007 more characters\)\n$/);
  });

  it('tells a bad option from a bad value', () => {
    expect(faultText(new UsageError('unrecognized option `-x', undefined, EXIT.bad))).to.match(
      /^Command line error: unrecognized/,
    );
    expect(faultText(new UsageError('cannot parse'))).to.equal(
      'Error while parsing command line arguments:\ncannot parse\n',
    );
  });

  it('asks for what is needed to find a fault of ours', () => {
    const text = faultText(new InternalError('the checker refuses step 3'));
    expect(text).to.include('Error: internal error: the checker refuses step 3');
    expect(text).to.match(/attach: the input files, the command line/);
  });
});
