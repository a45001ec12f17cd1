import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runBuilt } from '../run-built.ts';

const SUPER = '-t testdata/super.data';

interface Reported {
  readonly name: string;
  readonly isReclaimable: boolean;
  readonly freeShare: number;
}

describe('hcompress', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'evenkeel-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('reports all groups, those with the largest free share first', () => {
    const report = JSON.parse(runBuilt(`hcompress ${SUPER} --json`).stdout);
    const groups: Reported[] = report.groups;
    expect(groups).to.have.length(5);
    const shares = groups.map((one) => one.freeShare);
    expect(shares).to.deep.equal([...shares].sort((a, b) => b - a));
    expect(groups.filter((one) => !one.isReclaimable).map((one) => one.name)).to.deep.equal(['rack-e']);
    expect(report).to.not.have.property('moves');
  });

  it('ends with status 1 for cron when a group could be given back, and says the same each time', () => {
    const first = runBuilt(`hcompress ${SUPER} --check --json`);
    expect(first.status).to.equal(1);
    expect(runBuilt(`hcompress ${SUPER} --check --json`).stdout).to.equal(first.stdout);
    const report = JSON.parse(first.stdout);
    expect(Object.keys(report)).to.deep.equal([
      'schemaVersion',
      'program',
      'groups',
      'reclaimable',
      'blocked',
      'summary',
    ]);
    const text = runBuilt(`hcompress ${SUPER} --check`);
    expect(text.status).to.equal(1);
    expect(text.stdout).to.equal(`${report.summary}\n`);
  });

  it('empties the groups that it says can go together', () => {
    const { stdout } = runBuilt(`hcompress ${SUPER} --all --evacuate -S ${folder}/state --json`);
    const report = JSON.parse(stdout);
    expect(report.together).to.deep.equal(['rack-c', 'rack-d']);
    const after = JSON.parse(runBuilt(`hcompress -t ${folder}/state.compressed --json`).stdout);
    const empty = after.groups.filter((one: { instances: number }) => one.instances === 0);
    expect(empty.map((one: Reported) => one.name).sort()).to.deep.equal(['rack-c', 'rack-d']);
  });

  it('refuses to write commands or states when no plan is asked for', () => {
    for (const option of ['-C', `-C${folder}/unasked.sh`, `-S ${folder}/unasked`, `--check --evacuate -C`]) {
      const { status, stdout, stderr } = runBuilt(`hcompress ${SUPER} ${option}`);
      expect({ status, stdout }, option).to.deep.equal({ status: 1, stdout: '' });
      expect(stderr, option).to.contain('--evacuate');
    }
  });

  it('says of an empty group that nothing has to move', () => {
    runBuilt(`hcompress ${SUPER} --evacuate -S ${folder}/moved`);
    const emptied = `-t ${folder}/moved.compressed`;
    const { stdout } = runBuilt(`hcompress ${emptied} --evacuate -C`);
    expect(stdout).to.match(/Nothing has to move: no instance is in rack-c\.\n$/);
    expect(runBuilt(`hcompress ${emptied} --check`).stdout).to.contain(
      'It is empty, so nothing has to move.',
    );
  });

  it('has no reasons to give where there is no group', () => {
    writeFileSync(join(folder, 'nothing.data'), '\n\n\n');
    const { status, stdout } = runBuilt(`hcompress -t ${folder}/nothing.data --check`);
    expect({ status, stdout }).to.deep.equal({
      status: 0,
      stdout: '0 groups with 0 instances: no group could be emptied.\n',
    });
  });

  it('ends its keys with the one that says that all went well', () => {
    const { status, stdout } = runBuilt(`hcompress ${SUPER} --all --machine-readable`);
    expect(status).to.equal(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).to.include.members([
      'HCOMPRESS_RECLAIMABLE=4',
      "HCOMPRESS_TOGETHER_GROUPS='rack-c rack-d'",
    ]);
    expect(lines.at(-1)).to.equal('HCOMPRESS_OK=1');
  });

  it('prints no commands where no plan is asked for', () => {
    expect(runBuilt(`hcompress ${SUPER} -C`).stdout).to.not.include('gnt-instance');
    expect(runBuilt(`hcompress ${SUPER} --evacuate -C`).stdout).to.include('gnt-instance');
  });
});
