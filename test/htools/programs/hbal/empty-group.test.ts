import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { newFolder } from '../../../builders/folder.ts';
import { runBuilt } from '../../../suite/run-built.ts';

describe('hbal on a group without nodes', () => {
  const folder = newFolder();
  before(() => {
    const [groups, ...others] = readFileSync('testdata/small.data', 'utf8').split('\n\n');
    writeFileSync(
      join(folder, 'c.data'),
      [`${groups}\nempty|uuid-of-empty|preferred||`, ...others].join('\n\n'),
    );
  });

  for (const words of [
    '',
    '--bound',
    '--bound -e -1',
    '--explain',
    '--html=page.html',
    '--search=deep -e -1',
    '--budget=best -e -1',
    '--only-rules --explain',
  ])
    it(`has nothing to do with ${words || 'no options'}`, () => {
      const { status, stdout } = runBuilt(`hbal -t c.data -G empty ${words}`.trim(), { folder });
      expect(status).to.equal(0);
      expect(stdout).to.match(/Nothing to do, exiting|No solution found|nothing to mend/);
    });
});
