import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { newFolder } from '../../../../builders/folder.ts';
import { runApart } from '../../../../suite/run-built.ts';

describe('saving the states of a plan', () => {
  it('makes no files beside a device', async () => {
    // Files beside the device itself would outlive a mistake, and fail the runs after it.
    const folder = newFolder();
    const device = join(folder, 'full');
    symlinkSync('/dev/full', device);
    for (const [program, ...words] of [['hbal'], ['hspace', '-l', '1']] as const) {
      const { status, stderr } = await runApart(program, [
        '-t',
        'testdata/small.data',
        '-S',
        device,
        ...words,
      ]);
      expect(stderr).to.include(`Error: --save ${device}: it is no ordinary file`).and.include('\nMaybe ');
      expect(status).to.equal(1);
      expect(readdirSync(folder)).to.deep.equal(['full']);
    }
  });

  it('says ahead of everything what is wrong with a place where nothing can be', async () => {
    for (const [prefix, reason] of [
      ['testdata/small.data/x', 'what should be a folder is a file (ENOTDIR)'],
      ['x'.repeat(300), 'the name is too long (ENAMETOOLONG)'],
      ['none/x', 'there is no such folder (ENOENT)'],
    ] as const) {
      const words = ['-t', 'testdata/small.data', '-S', prefix];
      for (const program of ['hbal', 'hspace']) {
        const { status, stdout, stderr } = await runApart(program, words);
        expect(stderr)
          .to.match(/^Error: /)
          .and.include(`cannot write ${prefix}.STAGE: ${reason}\nMaybe `);
        expect([status, stdout]).to.deep.equal([1, '']);
      }
    }
  });
});
