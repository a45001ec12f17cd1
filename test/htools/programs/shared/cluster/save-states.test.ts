import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { runApart } from '../../../../suite/run-built.ts';

describe('saving the states of a plan', () => {
  it('makes no files beside a device', async () => {
    for (const [program, ...words] of [['hbal'], ['hspace', '-l', '1']] as const) {
      const { status, stderr } = await runApart(program, [
        '-t',
        'testdata/small.data',
        '-S',
        '/dev/full',
        ...words,
      ]);
      expect(stderr).to.include('Error: --save /dev/full: it is no ordinary file').and.include('\nMaybe ');
      expect(status).to.equal(1);
      for (const suffix of ['original', 'balanced', 'standard', 'tiered'])
        expect(existsSync(`/dev/full.${suffix}`), suffix).to.equal(false);
    }
  });
});
