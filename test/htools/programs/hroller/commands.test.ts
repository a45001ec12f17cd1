import { expect } from 'chai';
import { runBuilt } from '../../../suite/run-built.ts';

describe('the commands of hroller --plan', () => {
  const run = (command: string) =>
    runBuilt(`hroller -f -t testdata/small.data --plan -C --reboot-command=${command}`);

  it('call the program that reboots, as one word', () => {
    expect(run("it's").stdout).to.include(`\n    'it'\\''s' node4.example.com\n`);
  });

  it('call none whose name cannot be shown: who copies what is shown would call another', () => {
    const { status, stdout, stderr } = run('re\u202eboot');
    expect([status, stdout]).to.deep.equal([1, '']);
    expect(stderr).to.include('--reboot-command contains the character \\u202e, which cannot be shown');
  });
});
