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

  it('says what is wrong with a place where nothing can be', async () => {
    for (const [prefix, reason] of [
      ['testdata/small.data/x', 'what should be a folder is a file (ENOTDIR)'],
      ['x'.repeat(300), 'the name is too long (ENAMETOOLONG)'],
      ['none/x', 'there is no such folder (ENOENT)'],
    ] as const) {
      const { status, stderr } = await runApart('hbal', ['-t', 'testdata/small.data', '-S', prefix]);
      expect(stderr).to.include(`Error: cannot write ${prefix}.original: ${reason}\nMaybe `);
      expect(status).to.equal(1);
    }
  });
});
