import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { newFolder } from '../../../builders/folder.ts';
import { runBuilt } from '../../../suite/run-built.ts';

describe('hsqueeze', () => {
  it('names what keeps nodes on in 80 columns', () => {
    const { stderr } = runBuilt('hsqueeze -t testdata/super.data -v --minimal-resources=0');
    expect(stderr).to.match(/^ {4}tied by /m);
    for (const line of stderr.split('\n')) expect(line.length).to.be.at.most(80);
  });

  it('tells what it did also where the state behind it cannot be saved', () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'state.squeezed'));
    const line = `hsqueeze -t testdata/small.data --json -S ${folder}/state`;
    const { status, stdout, stderr } = runBuilt(line);
    expect(status).to.equal(1);
    expect(stderr).to.include('state.squeezed: it is a folder');
    expect(JSON.parse(stdout).program).to.equal('hsqueeze');
  });
});
