import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { newFolder } from '../../../builders/folder.ts';
import { runBuilt } from '../../../suite/run-built.ts';

describe('a cluster of which no score says how it is', () => {
  const folder = newFolder();
  before(() => {
    const [groups, nodes, ...others] = readFileSync('testdata/small.data', 'utf8').split('\n\n');
    const withoutMemory = nodes!.replace(/\|\d+\|\d+\|\d+\|/, '|0|0|0|');
    writeFileSync(join(folder, 'c.data'), [groups, withoutMemory, ...others].join('\n\n'));
  });

  for (const words of ['hbal --search=deep', 'hbal --budget=best', 'hspace --after-balancing --search=deep'])
    it(`is left as it is by ${words}`, () => {
      const { status, stdout, stderr } = runBuilt(`${words} -t c.data --effort=0.01`, { folder });
      expect(status, stderr).to.equal(0);
      expect(stdout).to.match(/^No solution found$|^Counted after balancing, which moves nothing here\.$/m);
    });

  it('is left as it is by a deep search where all nodes are offline, too', () => {
    const offline = [1, 2, 3, 4].map((n) => `-O node${n}`).join(' ');
    const line = `hbal -t testdata/small.data ${offline} -e -1 --search=deep --effort=0.01`;
    const { status, stdout, stderr } = runBuilt(line);
    expect(status, stderr).to.equal(0);
    expect(stdout).to.include('No solution found');
  });

  it('has no bound', () =>
    expect(runBuilt('hbal -t c.data --bound', { folder }).stdout).to.include('Lower bound: none'));
});
