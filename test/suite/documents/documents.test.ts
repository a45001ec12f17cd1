/** Every document of every program has what its schema says, and its figures for Prometheus are in order. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeCluster } from '../../../bench/generate/cluster.ts';
import { randomShape } from '../../../bench/generate/shape.ts';
import { clusterText } from '../../../bench/generate/text.ts';
import { SCHEMA_VERSION } from '../../../src/kit/report/json.ts';
import { DOCUMENTS, type DocumentName, schemaText } from '../../../src/suite/documents.ts';
import { newFolder } from '../../builders/folder.ts';
import { runBuilt } from '../run-built.ts';
import { readExposition } from './exposition.ts';
import { expectValid } from './validate.ts';

const SMALL = '-t testdata/small.data';
const SUPER = '-t testdata/super.data';
/** With groups that can be emptied in a hundredth of the time. */
const GROUPS = '-t testdata/groups/larger-set.data';
const DISKS = '-s testdata/disks/storage-node.yaml -H testdata/disks/rack';

/** Command lines that print a document, without the option that asks for it. */
const LINES: readonly string[] = [
  `hbal ${SMALL}`,
  `hbal ${SMALL} -p --print-instances -v -v`,
  `hbal ${SMALL} -O node1 -E`,
  `hbal ${SUPER} --all-groups`,
  `hbal ${SMALL} --explain -l 2`,
  `hbal ${SUPER}`,
  `hinfo ${SMALL} -p --print-instances`,
  `hinfo ${SUPER} --groups --storage --n1`,
  'hinfo -t testdata/snapshots/pools.data --n1 -p',
  `hcheck ${SMALL}`,
  `hcheck ${SUPER} --no-capacity-checks --no-simulation`,
  `hspace ${SMALL} --explain -p`,
  'hspace -t testdata/hspace/pools.data --explain',
  'hspace -t testdata/hspace/careless.data --explain',
  'hspace --simulate=p,3,100g,16g,8 -l 2',
  `hredist ${SUPER}`,
  'hredist -t testdata/groups/dead-node.data',
  'hredist -t testdata/groups/both-dead.data',
  'hredist -t testdata/groups/no-healthy-group.data',
  `hcompress ${GROUPS}`,
  `hcompress ${GROUPS} --evacuate`,
  `hcompress -t testdata/groups/larger-set.data --all --evacuate`,
  `hcompress ${GROUPS} --check`,
  `hspread ${SUPER}`,
  `hroller ${SMALL} -f`,
  `hroller ${SMALL} -f --full-evacuation --print-moves`,
  `hroller ${SMALL} -f --fewest`,
  `hroller ${SMALL} -f --plan`,
  `hsqueeze ${SMALL}`,
  `hsqueeze ${SMALL} --exact`,
  'harep -t testdata/repair.data --dry-run',
  `hdisk ${DISKS}`,
  `hdisk ${DISKS} --emit-pools`,
  `hdisk ${DISKS} --check testdata/disks/installed.yaml`,
  'hdisk -s testdata/disks/small-node.yaml -H testdata/disks/rack',
  `hcand ${SMALL} resources=VCPU:1,MEMORY_MB:512`,
  `hcand ${SMALL} --order score resources=VCPU:1 limit=2`,
  `hcand ${SMALL} --explain resources=VCPU:1000`,
  `hbal ${SMALL} --why web2 --try db1=node3`,
  `hbal ${SMALL} --only-rules --what-if tag\tinstance\tmail\t+htools:pinned:node4\t+htools:pinned:node2`,
  `hcheck ${SMALL} --lint`,
  `hcheck ${SMALL} --explain --what-if tag\tinstance\tmail\t+htools:pinned:node4\t+htools:pinned:node2 --diff`,
  `hspread ${SUPER} --why shop1.example.com`,
  `hredist ${SUPER} --try dns1=b1:b2 --try ci1=e1`,
  `hredist ${SUPER} --explain`,
  `hspread ${SUPER} --explain`,
  `hcompress ${GROUPS} --evacuate --explain`,
  `hroller ${SMALL} -f --why node1 --try node1=2`,
  `hroller ${SMALL} -f --explain`,
  'hbal -t testdata/groups/three-in-a-row.data --search=deep --effort=0.002 --bound',
];

/**
 * Documents that have tests elsewhere: hail's and hail's accounts below, those of executions beside what
 * carries them out, those of the ledgers in `ledger` and `bindings`.
 */
const ELSEWHERE: readonly string[] = [
  'hail',
  'hail-explanation',
  'hbal-history',
  'hbind',
  'hclaim',
  'hclaim-change',
  'hscan',
];

describe('documents', () => {
  it('are all held against their schemas', () => {
    const tested = [...LINES.map((line) => line.split(' ')[0]!), ...ELSEWHERE];
    expect(Object.keys(DOCUMENTS).filter((name) => !tested.includes(name))).to.deep.equal([]);
  });

  for (const line of LINES)
    it(`of ${line}`, () => {
      const [program = ''] = line.split(' ');
      const { stdout } = runBuilt(`${line} --json`);
      expectValid(program as DocumentName, JSON.parse(stdout), line);
      const figures = runBuilt(`${line} --format=prometheus`);
      expect(readExposition(figures.stdout).length).to.be.above(0);
    });

  it('of clusters made by chance', () => {
    const folder = newFolder();
    for (const seed of [3, 8, 21]) {
      const file = join(folder, `${seed}.data`);
      writeFileSync(
        file,
        clusterText(makeCluster({ ...randomShape(seed), nodesPerGroup: 4, instancesPerNode: 4 })),
      );
      for (const program of [
        'hbal',
        'hinfo',
        'hcheck',
        'hspace',
        'hredist',
        'hcompress',
        'hspread',
        'hsqueeze',
      ] as const) {
        const extra =
          { hbal: ' --all-groups -p', hinfo: ' -p --groups --storage --n1', hspace: ' -l3' }[
            program as string
          ] ?? '';
        const { stdout } = runBuilt(`${program} -t ${file}${extra} --json`);
        expectValid(program, JSON.parse(stdout), `${program}, seed ${seed}`);
      }
    }
  });

  it("of hail's answers and accounts", () => {
    const folder = newFolder();
    for (const name of readdirSync('testdata/hail').filter((one) => one.endsWith('.json'))) {
      const account = join(folder, name);
      const { stdout } = runBuilt(`hail testdata/hail/${name} --explain ${account}`);
      expectValid('hail', JSON.parse(stdout), name);
      expectValid('hail-explanation', JSON.parse(readFileSync(account, 'utf8')), name);
    }
  });
});

describe('the published schemas', () => {
  it('are those of the documents', () => {
    expect(readdirSync('schemas').sort()).to.deep.equal(
      Object.keys(DOCUMENTS)
        .map((name) => `${name}.json`)
        .sort(),
    );
    for (const name of Object.keys(DOCUMENTS) as DocumentName[])
      expect(readFileSync(`schemas/${name}.json`, 'utf8'), `${name}: run npm run docs`).to.equal(
        schemaText(name),
      );
  });

  it('refuse a member that goes, and in the tests one that is new', () => {
    const document = { schemaVersion: SCHEMA_VERSION, program: 'hroller', colourings: [], rounds: [] };
    expectValid('hroller', document, 'whole');
    const { rounds, ...less } = document;
    expect(() => expectValid('hroller', less, 'less')).to.throw(/rounds/);
    expect(() => expectValid('hroller', { ...document, more: 1 }, 'more')).to.throw(/additional/);
  });
});
