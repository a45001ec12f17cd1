import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { newFolder } from '../../../builders/folder.ts';
import { runBuilt } from '../../../suite/run-built.ts';

const COMMAND = 'gnt-instance migrate';

describe('what an earlier run of hbal has left in its files', () => {
  const folder = newFolder();
  const file = (name: string): string => join(folder, name);
  const text = (name: string): string => readFileSync(file(name), 'utf8');
  const hbal = (words: string) => runBuilt(`hbal -Cscript -S saved ${words}`, { folder });

  before(() => {
    const whole = readFileSync('testdata/small.data', 'utf8');
    const [groups, nodes, , ...others] = whole.split('\n\n');
    writeFileSync(file('whole.data'), whole);
    writeFileSync(file('empty.data'), `${groups}\n\n${nodes}\n\n\n${others.join('\n\n')}`);
  });

  it('is not there where nothing was left, as in stock', () => {
    expect(hbal('-t whole.data -e 100').stdout).to.contain('Nothing to do');
    expect(existsSync(file('script'))).to.equal(false);
    expect(existsSync(file('saved.balanced'))).to.equal(false);
  });

  it('is not taken for the plan of a cluster that is balanced', () => {
    hbal('-t whole.data');
    expect(text('script')).to.contain(COMMAND);
    const { stdout } = hbal('-t saved.balanced -e 100');
    expect(stdout).to.contain('Nothing to do').and.not.contain('script');
    expect(text('script')).to.match(/^#!/).and.not.contain(COMMAND);
    expect(text('saved.balanced')).to.equal(text('saved.original'));
  });

  it('is not taken for the plan of a cluster without instances', () => {
    hbal('-t whole.data');
    expect(hbal('-t empty.data').stdout).to.contain('Cluster is empty').and.not.contain('script');
    expect(text('script')).to.match(/^#!/).and.not.contain(COMMAND);
  });
});
