import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { newFolder } from '../../../builders/folder.ts';
import { inLongRun } from '../../../builders/seeds.ts';
import { ROOT, runWords } from '../../../suite/run-built.ts';

const FOLDER = join(ROOT, 'testdata/hspace');

const hspace = (...args: readonly string[]) => runWords('hspace', args, { folder: FOLDER });

const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

interface Case {
  readonly name: string;
  readonly what: string;
  readonly args: readonly string[];
  readonly isLong?: true;
}
const CASES = JSON.parse(read('cases.json')) as readonly Case[];

describe('hspace', () => {
  for (const { name, what, args } of [
    ...CASES.filter(({ isLong }) => !isLong),
    ...inLongRun(...CASES.filter(({ isLong }) => isLong)),
  ]) {
    it(`${what}, as the stock program does (${name})`, () => {
      const { stdout, stderr, status } = hspace(...args);
      expect(stdout).to.equal(read(`${name}.out`));
      expect({ stderr, status }).to.deep.equal({ stderr: '', status: 0 });
    });
  }

  it('maps the new instances on standard error when it is to say more', () => {
    const { stderr } = hspace(
      '-t',
      'mixed.data',
      '-v',
      '--standard-alloc',
      '10g,20g,1',
      '--disk-template',
      'drbd',
    );
    const map = stderr.slice(stderr.indexOf('Standard allocation map\n')).split('\n');
    expect(map[1]).to.match(
      /^ new-0 node0\d\.site\.example\.com node0\d\.site\.example\.com 20480 10240 1 $/,
    );
  });

  it('saves both allocations, and reads them back', () => {
    const folder = newFolder();
    const prefix = join(folder, 'saved');
    const { stderr } = hspace('-t', 'overfull.data', '-S', prefix);
    expect(stderr).to.equal(
      ['tiered', 'standard']
        .map(
          (kind) =>
            `The cluster state after ${kind} allocation has been written to file '${prefix}.${kind}'\n`,
        )
        .join(''),
    );
    const { stdout } = hspace('-t', `${prefix}.standard`, '--machine-readable');
    expect(stdout).to.match(/^HTS_INI_INST_CNT=17$/m);
    expect(stdout).to.match(/^HTS_ALLOC_INSTANCES=0$/m);
  });

  it('prints one JSON document with everything that the keys say', () => {
    const { stdout } = hspace('-t', 'mixed.data', '-l', '2', '--json');
    const { schemaVersion, program, cluster, allocations } = JSON.parse(stdout);
    expect({ schemaVersion, program }).to.deep.equal({ schemaVersion: 2, program: 'hspace' });
    const keys = new Map(
      read('mixed-limit.out')
        .split('\n')
        .map((line) => line.split('=') as [string, string]),
    );
    const [tiered, standard] = allocations;
    const numberOf = (key: string): number => Number(keys.get(`HTS_${key}`));
    expect(cluster.resources.freeMemMib).to.equal(numberOf('INI_MEM_FREE'));
    expect(standard.instanceCount).to.equal(numberOf('ALLOC_INSTANCES'));
    expect(standard.instances).to.have.length(standard.instanceCount);
    expect(standard.resources.score).to.be.closeTo(numberOf('FIN_SCORE'), 1e-8);
    expect(tiered.sizes[0]).to.deep.equal({
      memMib: 32736,
      diskMib: 1048501,
      vcpus: 8,
      spindles: 12,
      count: 2,
    });
    expect(tiered.delta.unavailable.memMib).to.equal(numberOf('KM_UNAV_MEM'));
    expect(tiered.resources.efficiency.memory).to.be.closeTo(numberOf('TRL_MEM_EFF'), 1e-8);
  });

  describe('where the cluster names storage pools', () => {
    const sizes = ['--standard-alloc=20g,2g,2', '--tiered-alloc=200g,4g,2'];
    const pooled = (...args: string[]) =>
      hspace('-t', 'pools.data', '--storage-pool=external/nas', ...sizes, ...args);

    it('fills a pool of known size once, whichever nodes reach it, and shows it on lines of its own', () => {
      const { stdout } = pooled('--explain');
      expect(stdout).to.contain(
        'Storage pool external/nas, reached by 4 nodes:\n  SIZE 409600, USED 102400, FREE 307200.\n',
      );
      expect(stdout).to.match(/^ {2}- {2}15 instances allocated$/m);
      expect(stdout.match(/^ {2}- pool external\/nas usage: 100.00%$/gm)).to.have.length(2);
      expect(stdout).to.contain(
        '  - space in the storage pool external/nas: 20 GiB are missing (0 of 20480 MiB)\n',
      );
      expect(stdout).to.contain(
        '  - tag cluster -htools:poolsize:external/nas:400g\n      +htools:poolsize:external/nas:430080: 1 more\n',
      );
      const more = pooled(
        '--what-if=tag cluster -htools:poolsize:external/nas:400g +htools:poolsize:external/nas:430080',
      );
      expect(more.stdout).to.match(/^ {2}- {2}16 instances allocated$/m);
    });

    it('says no share of a pool of size 0', () => {
      const change =
        '--what-if=tag cluster -htools:poolsize:external/nas:400g +htools:poolsize:external/nas:0';
      expect(pooled(change).stdout).to.contain('SIZE 0, USED').and.to.not.contain('external/nas usage');
    });

    it('gives them keys and members of their own', () => {
      const keys = pooled('--machine-readable').stdout;
      for (const line of [
        "HTS_CLUSTER_POOL_0_NAME='external/nas'",
        'HTS_INI_POOL_0_FREE=307200',
        'HTS_FIN_POOL_0_USED=409600',
      ])
        expect(keys.split('\n')).to.include(line);
      const { cluster, allocations } = JSON.parse(pooled('--json').stdout);
      expect(cluster.pools).to.have.length(1);
      expect(allocations[1].pools[0]).to.include({ pool: 'external/nas', instances: 17, freeMib: 0 });
    });

    it('has no room for what nobody reaches, and refuses pools that cannot be', () => {
      expect(hspace('-t', 'pools.data').stdout).to.match(/^ {2}- {3}0 instances allocated$/m);
      for (const wrong of [['--storage-pool=nas'], ['--disk-template=drbd', '--storage-pool=external/nas']])
        expect(hspace('-t', 'pools.data', ...wrong).status).to.equal(1);
    });
  });

  it('explains what stops it and what would help, below the report or beside the keys', () => {
    const plain = hspace('-t', 'overfull.data');
    const { stdout, status } = hspace('-t', 'overfull.data', '--explain');
    expect(status).to.equal(0);
    expect(stdout.slice(0, plain.stdout.length)).to.equal(plain.stdout);
    const explanation = stdout.slice(plain.stdout.length);
    expect(explanation).to.match(/^What stops the next instance of /);
    expect(explanation.replace(/\n {6}/g, ' ')).to.match(
      / of 4 nodes refuse as primary; the best of them, node0\d, lacks \d+ [MG]iB /,
    );
    expect(explanation).to.match(/^ {2}- resize node node0\d\S* memory=\+\d+\b/m);
    for (const line of explanation.split('\n')) expect(line.length).to.be.at.most(80);
    expect(explanation).to.match(/^ {2}- add node like node0\d\S*: \d+ more$/m);
    const keys = hspace('-t', 'overfull.data', '--explain', '--machine-readable');
    expect(keys.stderr).to.equal(explanation);
    expect(keys.stdout).to.match(/HTS_OK=1\n$/);
  });

  it('tells what to do about a cluster that is not N+1 happy', () => {
    const { stdout } = hspace('-t', 'careless.data', '--explain');
    expect(stdout.replace(/\n {6}/g, ' ')).to.match(
      /- the cluster is not N\+1 happy already \(reserved for DRBD secondaries\): see node0\d/,
    );
    for (const line of stdout.split('\n')) expect(line.length).to.be.at.most(80);
    const document = JSON.parse(hspace('-t', 'careless.data', '--explain', '--json').stdout);
    expect(document.explanation.stoppedBy).to.not.deep.equal([]);
    expect(document.allocations[1].reasons).to.deep.equal([{ mode: 'FailN1', count: 1 }]);
  });

  it('refuses a cluster without nodes to use, behind its figures', () => {
    const { stdout, stderr, status } = hspace('--simulate', 'p,0,1t,32g,8');
    expect(stdout).to.match(/^The cluster has 0 nodes and the following resources:\n/);
    expect(stderr).to.match(/^Error: failure during allocation: No online nodes\nMaybe /);
    expect(status).to.equal(1);
  });

  it('passes over a group without nodes when another one has some', () => {
    const { stdout, status } = hspace(
      '--simulate',
      'p,0,1t,32g,8',
      '--simulate',
      'p,2,50g,4g,2',
      '--tiered-alloc',
      '1g,1g,1',
    );
    expect(status).to.equal(0);
    expect(stdout).to.match(/The cluster has 2 nodes/);
  });

  it('refuses to fill a cluster with instances that use nothing up', () => {
    const run = (file: string) => hspace('-t', file, '--tiered-alloc', '0,0,0', '--disk-template', 'ext');
    const folder = newFolder();
    const file = join(folder, 'no-least.data');
    const without = readFileSync(join(ROOT, 'testdata/small.data'), 'utf8');
    writeFileSync(
      file,
      without.replaceAll('|128,1,1024,1,1,1;', '|0,0,0,0,0,0;').replaceAll('|drbd,', '|ext,'),
    );
    expect(run(file).stderr).to.match(/^Error: instances of this size use nothing up/);
    expect(run(file).status).to.equal(1);
    // Where the policy wants some memory, none of them fits.
    const refused = run(join(ROOT, 'testdata/small.data'));
    expect(refused.stdout).to.contain('- most likely failure reason: FailMem\n');
    expect(refused.status).to.equal(0);
  });
});
