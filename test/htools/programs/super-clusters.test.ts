import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeCluster } from '../../../bench/generate/cluster.ts';
import { PLAIN_SHAPE } from '../../../bench/generate/shape.ts';
import { clusterText } from '../../../bench/generate/text.ts';
import { newFolder } from '../../builders/folder.ts';
import { inLongRun } from '../../builders/seeds.ts';
import { runBuilt } from '../../suite/run-built.ts';

const SUPER = '-t testdata/super.data';

describe('hbal on a super cluster', () => {
  it('balances one group after another with --all-groups, and the commands of all of them stand together', () => {
    const { status, stdout } = runBuilt(`hbal ${SUPER} --all-groups -C`);
    expect(status).to.equal(0);
    const order = [...stdout.matchAll(/^Selected node group: (.*)$/gm)].map(([, name]) => name);
    expect(order).to.deep.equal(['rack-a', 'rack-c', 'rack-d', 'rack-b', 'rack-e']);
    expect(stdout.match(/^Commands to run/gm)).to.have.length(1);
  });

  it('stops where -G is required, and names the groups', () => {
    const { status, stdout, stderr } = runBuilt(`hbal ${SUPER} --require-group`);
    expect(status).to.equal(1);
    expect(stdout).to.equal('Loaded 14 nodes, 26 instances\n');
    expect(stderr).to.match(/^Error: Found multiple node groups: rack-a, .*\nAborting\.\n/);
  });

  it('lists no groups where one is named', () => {
    expect(runBuilt(`hbal ${SUPER} -G rack-b -l 0`).stdout).to.not.include('Node groups');
  });

  it('lists the groups in JSON, too', () => {
    const one = JSON.parse(runBuilt(`hbal ${SUPER} --json`).stdout);
    expect(one.group.name).to.equal('rack-a');
    expect(one.groups.filter((group: { isChosen: boolean }) => group.isChosen)).to.have.length(1);
    const all = JSON.parse(runBuilt(`hbal ${SUPER} --all-groups --json`).stdout);
    expect(all.balanced.map((document: { group: { name: string } }) => document.group.name)).to.deep.equal(
      all.groups.map((group: { name: string }) => group.name),
    );
  });

  it('has one form of document for --all-groups, however many groups there are', () => {
    const { balanced, groups } = JSON.parse(
      runBuilt('hbal -t testdata/small.data --all-groups --json').stdout,
    );
    expect([balanced.length, groups.length, balanced[0].group.name]).to.deep.equal([1, 1, 'default']);
    const { stderr } = runBuilt(`hbal ${SUPER} --all-groups -G rack-b`);
    expect(stderr).to.include('--group names one group, and --all-groups asks for each');
  });
});

const DEEP = '--effort=0.005 --jobs=1 --budget=best';

describe('what the plan for all groups may cost', () => {
  const folder = newFolder();

  interface Cost {
    readonly steps: number;
    readonly seconds: number;
    readonly copiedMib: number;
    readonly migrations: number;
  }
  const costsOf = (words: string): readonly Cost[] => {
    const file = join(folder, 'two-groups.data');
    const shape = { ...PLAIN_SHAPE, seed: 31, groupCount: 2, nodesPerGroup: 4, instancesPerNode: 4 };
    writeFileSync(file, clusterText(makeCluster(shape)));
    const { stdout } = runBuilt(`hbal -t ${file} --all-groups --json ${words}`);
    return JSON.parse(stdout).balanced.map(({ cost }: { cost: Cost }) => cost);
  };
  const sum = (costs: readonly Cost[], what: keyof Cost): number =>
    costs.reduce((all, cost) => all + cost[what], 0);

  it('is shared by the groups: the later ones get what those before have left', () => {
    const free = costsOf(DEEP);
    for (const { steps } of free) expect(steps).to.be.above(1);
    const each = (what: keyof Cost): number => Math.max(...free.map((cost) => cost[what]));
    const minutes = Math.ceil(each('seconds') / 60);
    const cases = [
      [`-l ${each('steps')}`, 'steps', each('steps')],
      [`${DEEP} --budget=${each('copiedMib')}MiB`, 'copiedMib', each('copiedMib')],
      ...inLongRun(
        [`${DEEP} --budget=${each('steps')}moves`, 'steps', each('steps')] as const,
        [`${DEEP} --budget=${each('migrations')}migrations`, 'migrations', each('migrations')] as const,
        [`${DEEP} --budget=${minutes}min`, 'seconds', 60 * minutes] as const,
      ),
    ] as const;
    for (const [words, what, most] of cases) expect(sum(costsOf(words), what), words).to.be.within(1, most);
  });
});

describe('hinfo --groups', () => {
  it('adds health, resources and partitions, and nothing where it is not asked for', () => {
    const { stdout } = runBuilt(`hinfo ${SUPER} --groups`);
    expect(stdout).to.include('rack-a preferred   unhealthy');
    expect(stdout).to.include('Alone, without another group in any partition: rack-e\n');
    const plain = runBuilt(`hinfo ${SUPER}`).stdout;
    expect(plain).to.not.include('Partitions');
    const { superCluster } = JSON.parse(runBuilt(`hinfo ${SUPER} --groups --json`).stdout);
    expect(superCluster.partitions).to.deep.include({ pool: 'external/vault', groups: ['rack-e'] });
    expect(superCluster.groups).to.have.length(5);
  });
});
