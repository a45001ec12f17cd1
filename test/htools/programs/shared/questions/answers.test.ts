import { expect } from 'chai';
import { runBuilt } from '../../../../suite/run-built.ts';

const SUPER = '-t testdata/super.data';

describe('what is asked in place of a plan', () => {
  for (const words of [`hcheck ${SUPER} --lint`, `hcheck ${SUPER} --why web1`, `hredist ${SUPER} --why web1`])
    it(`is answered in keys where these are asked for: ${words}`, () => {
      for (const form of ['--format=keyvalue', '--machine-readable']) {
        const lines = runBuilt(`${words} ${form}`).stdout.trimEnd().split('\n');
        expect(lines.filter((line) => !/^[A-Z0-9_]+=/.test(line))).to.deep.equal([]);
        expect(lines.at(-1)).to.match(/^H[A-Z]+_OK=1$/);
      }
    });

  it('says which words have no effect', () => {
    const { stderr } = runBuilt(`hbal ${SUPER} --why web1 --html=/dev/null -C`);
    expect(stderr).to.include('Warning: --html has no effect with --why and --try');
    expect(stderr).to.include('Warning: --print-commands has no effect with --why and --try');
  });
});
