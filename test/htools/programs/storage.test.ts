/** Storage pools as operators meet them: shown by hinfo, counted by hcheck, watched over by hbal. */
import { expect } from 'chai';
import { runBuilt } from '../../suite/run-built.ts';

const stepsOf = (line: string): string[] =>
  [...runBuilt(line).stdout.matchAll(/^ +\d+\. (\S+) .* a=(.*)$/gm)].map(
    ([, name, moves]) => `${name} ${moves}`,
  );

describe('hinfo', () => {
  it('shows the pools of a snapshot that states them, without being asked', () => {
    const { stdout } = runBuilt('hinfo -t testdata/storage/20-node-without-access.data');
    expect(stdout).to.match(/^ external nas +2 +1 +1\.0 +- +- east$/m);
  });

  it('says nothing of storage otherwise, unless it is asked', () => {
    expect(runBuilt('hinfo -t testdata/small.data').stdout).to.not.contain('pool');
    expect(runBuilt('hinfo -t testdata/small.data --storage').stdout).to.match(/^ internal lvm +4 +10 /m);
  });

  it('tells for each node whether it may fail, and with -v where its instances would start', () => {
    const line = 'hinfo -t testdata/storage/30-one-packing.data --n1';
    expect(runBuilt(line).stdout)
      .to.match(/^ n1 +east +4 yes$/m)
      .and.not.contain('a -> n3');
    expect(runBuilt(`${line} -v`).stdout).to.contain('    a -> n3\n    b -> n3\n    c -> n2\n');
  });

  it('has both in its JSON document', () => {
    const { stdout } = runBuilt('hinfo -t testdata/storage/20-node-without-access.data --n1 --json');
    const { storage, n1 } = JSON.parse(stdout);
    expect(storage.pools.map((pool: { name: string }) => pool.name)).to.deep.equal(['nas', 'san']);
    expect(n1.nodes).to.have.lengthOf(3);
  });
});

describe('what is odd about storage', () => {
  for (const program of ['hbal', 'hinfo', 'hcompress', 'hredist', 'hspread'])
    it(`is said once by ${program}`, () => {
      const { stderr } = runBuilt(`${program} -t testdata/storage/62-misplaced.data`);
      expect(stderr.match(/its node n1 does not reach/g)).to.have.lengthOf(1);
    });
});

describe('hcheck', () => {
  it('counts nodes that cannot be restarted elsewhere when pools are stated', () => {
    for (const file of ['20-node-without-access', '21-nobody-else-reaches', '42-file-without-access']) {
      const path = `testdata/storage/${file}.data`;
      const { stdout } = runBuilt(`hcheck -t ${path} --machine-readable --no-simulation`);
      const { n1 } = JSON.parse(runBuilt(`hinfo -t ${path} --n1 --json`).stdout);
      const failing = n1.nodes.filter((node: { verdict: string }) => node.verdict !== 'yes').length;
      expect(stdout, file).to.contain(`HCHECK_INIT_CLUSTER_GN1_FAIL=${failing}\n`);
    }
  });
});

describe('hbal', () => {
  const file = 'testdata/storage/17-mixed-one-way.data';

  it('takes the steps of the stock program where nothing is said about storage', () => {
    expect(stepsOf(`hbal -t ${file}`)).to.deep.equal(['a f r:n3', 'b fa:n4']);
    expect(stepsOf(`hbal -t ${file} --n1-guard=no`)).to.deep.equal(['a f r:n3', 'b fa:n4']);
  });

  it('passes over steps that break N+1 with shared storage when it is to guard it', () => {
    expect(stepsOf(`hbal -t ${file} --n1-guard=yes`)).to.deep.equal(['b fa:n2', 'a f']);
  });
});
