import { expect } from 'chai';
import { runBuilt, runWords } from '../../../suite/run-built.ts';

const SMALL = 'testdata/small.data';

/** Runs a program on the small cluster with changes in thought, which hold blanks. */
function run(program: string, whatIf: string, ...args: string[]) {
  return runWords(program, ['-t', SMALL, '--what-if', whatIf, ...args]);
}

interface Step {
  readonly instance: string;
  readonly to: { readonly primary: string; readonly secondary: string };
}
const stepsOf = (text: string): Step[] => JSON.parse(text).steps as Step[];

describe('rules as tags, in the programs', () => {
  it('balancing obeys them: pinned, kept off, together, sticky', () => {
    const tags =
      'tag instance web1 +htools:pinned:node1 +htools:pinned:node2; tag instance web2 +htools:keepoff:node4; tag instance db1 +htools:together:db; tag instance db2 +htools:together:db; tag instance mail +htools:sticky';
    const plain = stepsOf(runBuilt(`hbal -t ${SMALL} --json`).stdout);
    expect(plain.some(({ instance }) => instance.startsWith('mail'))).to.equal(true);
    for (const more of [[], ['--search=deep', '--effort', '0.005', '--jobs', '1']]) {
      const { stdout, status } = run('hbal', tags, '--json', ...more);
      expect(status).to.equal(0);
      for (const { instance, to } of stepsOf(stdout)) {
        const [name] = instance.split('.');
        const at = [to.primary, to.secondary].map((node) => node.split('.')[0]);
        if (name === 'web1') expect(at).to.have.members(['node1', 'node2']);
        if (name === 'web2') expect(at).to.not.include('node4');
        if (name === 'db1' || name === 'db2') expect(at[0], 'stays with the other').to.equal('node1');
        expect(name).to.not.equal('mail');
      }
    }
  });

  it('--only-rules mends all of them and nothing else, and says so', () => {
    const tags =
      'tag instance mail +htools:pinned:node4 +htools:pinned:node2; tag instance db1 +htools:together:db; tag instance build +htools:together:db; tag instance dns +htools:keepoff:node1';
    const found = JSON.parse(run('hbal', tags, '--only-rules', '--json').stdout);
    expect(found.rules.after).to.deep.equal([]);
    expect(found.rules.isFewest).to.equal(true);
    // web2 or web3 (service:web), mail, db1 or build, dns: one move each.
    expect(found.steps).to.have.length(4);
    const none = run('hbal', 'tag instance web2 -service:web', '--only-rules');
    expect(none.stdout).to.contain('No rule is broken: nothing to mend.');
    expect(none.status).to.equal(0);
  });

  it('--only-rules ends with status 3 and a list when something cannot be mended', () => {
    const cluster = ['-t', 'testdata/groups/three-in-a-row.data', '-G', 'four'];
    const rule = 'tag instance d +htools:pinned:d3';
    const { status, stdout } = runWords('hbal', [...cluster, '--what-if', rule, '--only-rules']);
    expect(status).to.equal(3);
    expect(stdout).to.contain('Still broken:').and.to.contain('pinned: d is pinned to d3');
  });

  it('--only-rules is refused together with -E, which would leave alone what it mends', () => {
    const refused = run('hbal', 'drain node node3', '--only-rules', '-E');
    expect(refused.status).to.equal(1);
    expect(refused.stderr)
      .to.contain('--only-rules mends every')
      .and.to.contain('Maybe leave out one of them');
  });

  it('--what-if is refused together with --exec, and says what is wrong with the changes', () => {
    const refused = run('hbal', 'drain node node1', '-X', '-L');
    expect(refused.status).to.equal(1);
    expect(refused.stderr).to.contain('--what-if and --exec do not go together');
    const wrong = run('hinfo', 'drain node nobody; resize instance web1 memory=lots');
    expect(wrong.status).to.equal(1);
    expect(wrong.stderr)
      .to.contain("name, 'nobody': is no node")
      .and.to.contain("memory, 'lots': is no size");
  });

  it('--reserve keeps memory free on every node without showing less of it', () => {
    const plain = runBuilt(`hspace -t ${SMALL} --json`).stdout;
    const kept = runBuilt(`hspace -t ${SMALL} --reserve memory=50% --json`).stdout;
    const count = (text: string): number => JSON.parse(text).allocations[1].instanceCount;
    expect(count(kept)).to.be.below(count(plain));
    const shown = runBuilt(`hinfo -t ${SMALL} --reserve memory=50% --json -p`).stdout;
    expect(JSON.parse(shown).nodes[0].freeMemMib).to.equal(9216);
  });
});
