import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { newFolder } from '../../../builders/folder.ts';
import { runBuilt } from '../../../suite/run-built.ts';

const SMALL = readFileSync('testdata/small.data', 'utf8');
const TAG = 'htools:hands-off';
const [NODE_TAGS, INSTANCE_TAGS] = [10, 9];

interface Plan {
  readonly rounds: readonly { readonly nodes: readonly string[] }[];
  readonly leftOut: readonly object[];
}

describe('hroller --plan, with the tag htools:hands-off', () => {
  const folder = newFolder();

  /** @param tagged name of what gets the tag, in this column */
  const run = (words: string, tagged: string, column: number) => {
    const lines = SMALL.split('\n').map((line) => {
      if (!line.startsWith(`${tagged}.example.com|`)) return line;
      return line.split('|').with(column, TAG).join('|');
    });
    const file = join(folder, 'small.data');
    writeFileSync(file, lines.join('\n'));
    return runBuilt(`hroller -f ${words} -t ${file}`);
  };
  const nodesIn = ({ rounds }: Plan): readonly string[] => rounds.flatMap(({ nodes }) => nodes).sort();

  it('leaves out the node that such an instance would have to leave, and goes on with the others', () => {
    const { status, stdout, stderr } = run('--plan --json', 'mail', INSTANCE_TAGS);
    const { plan } = JSON.parse(stdout) as { plan: Plan };
    expect(status, stderr).to.equal(3);
    expect(plan.leftOut).to.deep.equal([
      { node: 'node1.example.com', reason: 'hands-off', instances: ['mail.example.com'] },
    ]);
    expect(nodesIn(plan)).to.include('node4.example.com').and.not.include('node1.example.com');
    expect(JSON.stringify(plan.rounds)).to.not.include('mail');
    expect(stderr).to.include('node1 is left out: mail is to be left alone (tag htools:hands-off)\n');
  });

  it('leaves out both nodes where second copies would be moved, too', () => {
    const { stdout } = run('--plan --json --full-evacuation', 'mail', INSTANCE_TAGS);
    const { plan } = JSON.parse(stdout) as { plan: Plan };
    expect(plan.leftOut).to.have.length(2);
  });

  it('leaves it out also where instances may go down: it would be stopped', () => {
    const { status, stderr } = run('--plan --offline-maintenance', 'mail', INSTANCE_TAGS);
    expect([status, stderr.includes('node1 is left out: mail is')]).to.deep.equal([3, true]);
  });

  it('leaves out a node that is to be left alone, and moves nothing to it', () => {
    const { status, stdout } = run('--plan --json --full-evacuation', 'node4', NODE_TAGS);
    const { plan } = JSON.parse(stdout) as { plan: Plan };
    expect(status).to.equal(3);
    expect(plan.leftOut[0]).to.deep.equal({ node: 'node4.example.com', reason: 'hands-off', instances: [] });
    expect(plan.rounds).to.have.length.above(0);
    expect(JSON.stringify(plan.rounds)).to.not.include('node4');
  });

  it('ends where no node is left', () => {
    const { status, stdout, stderr } = run('--plan --node-tags=htools:hands-off', 'node4', NODE_TAGS);
    expect([status, stdout]).to.deep.equal([1, '']);
    expect(stderr).to.match(
      /^Error: no node is left to be rebooted:\nnode4 is left out: it is to be left alone/m,
    );
  });

  it('changes nothing of the rounds alone', () => {
    const tagged = run('-v', 'mail', INSTANCE_TAGS);
    expect(tagged).to.deep.equal(run('-v', 'none', INSTANCE_TAGS));
    expect(tagged.status).to.equal(0);
  });
});
