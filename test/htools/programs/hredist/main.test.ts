import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { newFolder } from '../../../builders/folder.ts';
import { inLongRun } from '../../../builders/seeds.ts';
import { runBuilt } from '../../../suite/run-built.ts';

const SUPER = '-t testdata/super.data';

describe('hredist', () => {
  const folder = newFolder();

  it('names all groups at once that there are not', () => {
    const { status, stderr } = runBuilt(
      `hredist ${SUPER} --select-groups=a,rack-a,b --exclude-groups=c -G d`,
    );
    expect(stderr.split('\n')).to.deep.equal([
      "Error: --group: there is no node group with nodes of the name 'd'",
      "--select-groups: there is no node group with nodes of the name 'a'",
      "--select-groups: there is no node group with nodes of the name 'b'",
      "--exclude-groups: there is no node group with nodes of the name 'c'",
      'Maybe one of these was meant: rack-a, rack-b, rack-c, rack-d, rack-e',
      '',
    ]);
    expect(status).to.equal(1);
  });

  it('has nothing to work on where each group that is selected is excluded', () => {
    const { status, stderr } = runBuilt(`hredist ${SUPER} --select-groups=rack-a --exclude-groups=rack-a`);
    expect([status, stderr]).to.deep.equal([
      1,
      'Error: --select-groups and --exclude-groups leave no node group\nMaybe select one that is not excluded\n',
    ]);
  });

  it('says of a healthy group without a common pool what keeps it out', () => {
    const node = (name: string, group: string, isGone = 'N'): string =>
      `${name}|8192|512|100|100000|90000|8|${isGone}|${group}|1||N|0|1|1.0\n`;
    const pool = 'htools:storagepool:external/nas';
    const input = [
      `A|A|preferred|${pool}|\nB|B|preferred|${pool}|\nC|C|preferred||\n`,
      node('a1', 'A', 'Y') + node('a2', 'A') + node('b1', 'B') + node('c1', 'C') + node('c2', 'C'),
      'i1|512|1024|1|running|Y|a1|a2|drbd||1|-|N\n\n',
    ].join('\n');
    expect(runBuilt('hredist -t -', { input }).stdout).to.include(
      'C: shares no storage pool with another group',
    );
  });

  it('says in JSON all that the text says, unrounded', () => {
    const { status, stdout, stderr } = runBuilt(`hredist ${SUPER} --json`);
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
    const report = JSON.parse(stdout);
    expect(report.schemaVersion).to.equal(2);
    expect(report.groups.map((one: { state: string }) => one.state)).to.deep.equal([
      'unhealthy',
      'healthy',
      'healthy',
      'healthy',
      'healthy',
    ]);
    expect(report.healings).to.deep.equal([
      {
        group: 'rack-a',
        isHealed: true,
        instances: 4,
        within: { instances: 4, copiedMib: 235904 },
        across: { instances: 0, copiedMib: 0, destinations: [] },
        acrossOnly: { instances: 4, copiedMib: 471808 },
        stranded: [],
      },
    ]);
    expect(report.jobSets.flat().map((job: { instance: string }) => job.instance)).to.have.members(
      report.moves.map((one: { instance: string }) => one.instance),
    );
    const copied = report.moves.map((one: { cost: { copiedMib: number } }) => one.cost.copiedMib);
    expect(copied.reduce((sum: number, mib: number) => sum + mib, 0)).to.equal(235904);
    expect(report.moves).to.have.length(4);
    expect(report.cost).to.include({ instances: 4, copiedMib: 235904, seconds: 2359.04 + 4 * 10 });
    expect(report.gain).to.deep.equal({
      groupsHealed: 1,
      nodesFreed: ['a3.example.com'],
      freedMemMib: 65536,
    });
  });

  it('does not say that no group needs healing where only the one that is named does not', () => {
    const { stdout } = runBuilt(`hredist ${SUPER} -G rack-b`);
    expect(stdout).to.match(/rack-a .* unhealthy/);
    expect(stdout).to.include('No group that was named needs healing. Nothing to do.');
  });

  it('searches deeply where asked, says what is done without, and gives the same bytes for the same effort', () => {
    const words = `hredist ${SUPER} --search=deep --effort 0.002`;
    const { status, stdout, stderr } = runBuilt(`${words} --json`);
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
    const { search, cost, gain } = JSON.parse(stdout);
    expect(search).to.deep.equal({
      kind: 'deep',
      seed: 1,
      effort: 0.002,
      timeLimitSeconds: null,
      workShare: 1,
      greedy: { groupsHealed: 1, instances: 4, copiedMib: 235904 },
    });
    expect(cost.copiedMib).to.be.at.most(235904);
    expect(gain.groupsHealed).to.equal(1);
    expect(runBuilt(`${words} --json`).stdout).to.equal(stdout);
    expect(runBuilt(words).stdout).to.match(/^Without the deep search: 1 group healed by 4 moves/m);
    expect(runBuilt(`${words} --machine-readable`).stdout).to.include('HREDIST_GREEDY_COPIED_MIB=235904\n');
  });

  it('says with all that work across groups how far a search came that time has ended', () => {
    for (const program of ['hredist', 'hspread --disk-moves', ...inLongRun('hcompress --all')]) {
      const words = `${program} ${SUPER} --search=deep --effort 1000 --time-limit 0.05`;
      const { search } = JSON.parse(runBuilt(`${words} --json`).stdout);
      expect(search.workShare, program).to.be.within(0, 0.9);
      expect(runBuilt(words).stdout, program).to.match(
        /^The search was cut short after \d+ % of its work\.$/m,
      );
    }
  });

  it('refuses what is said of a search that is not asked for', () => {
    const { status, stderr } = runBuilt(`hredist ${SUPER} --effort 1 --seed 1`);
    expect(status).to.equal(1);
    expect(stderr).to.include('--effort, --seed: the deep search is not asked for');
    expect(stderr).to.include('--search=deep');
  });

  it('ends its keys with the one that says that all went well', () => {
    const { stdout } = runBuilt(`hredist ${SUPER} --machine-readable`);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.filter((line) => !/^HREDIST_[A-Z0-9_]+=('[^']*'|[A-Za-z0-9.]*)$/.test(line))).to.deep.equal(
      [],
    );
    expect(lines).to.include.members([
      'HREDIST_UNHEALTHY=1',
      'HREDIST_HEALED=1',
      'HREDIST_COPIED_MIB=235904',
    ]);
    expect(lines.at(-1)).to.equal('HREDIST_OK=1');
  });

  it('saves the cluster as the moves leave it, in which nothing is left to do', () => {
    const { status, stderr } = runBuilt(`hredist ${SUPER} -S ${folder}/state`);
    expect(status).to.equal(0);
    expect(stderr).to.include('state.redistributed');
    expect(runBuilt(`hredist -t ${folder}/state.redistributed`).stdout).to.include('No group needs healing.');
  });

  it('writes a script whose jobs hold all commands of an instance and stop between instances', () => {
    const { stdout } = runBuilt(`hredist ${SUPER} -C${folder}/heal.sh`);
    expect(stdout).to.include(`written to file '${folder}/heal.sh'`);
    expect(stdout).to.include(`sh ${folder}/heal.sh`);
    const script = readFileSync(`${folder}/heal.sh`, 'utf8');
    expect(script).to.match(/^#!\/bin\/sh\n/);
    expect(script).to.include(
      '  check\n  gnt-instance failover -f mail\n  gnt-instance replace-disks -n a2 mail\n',
    );
    expect(script.match(/^ {2}check$/gm)).to.have.length(4);
  });

  it('is silent for cron when there is nothing to heal', () => {
    const { stdout, stderr } = runBuilt('hredist -t testdata/groups/all-healthy.data -q');
    expect({ stdout, stderr }).to.deep.equal({ stdout: '', stderr: '' });
    expect(runBuilt(`hredist ${SUPER} -q`).stdout).to.include('rack-a: healed');
  });

  it('migrates live what runs on a node that is offline by option only', () => {
    const { stdout } = runBuilt(`hredist ${SUPER} -O b1 -C`);
    expect(stdout).to.match(/gnt-instance migrate -f (-n \w+ )?(db1|cache1|web1)\n/);
    expect(stdout).to.not.match(/failover -f.*(db1|db3|cache1|web1)/);
  });

  it('heals only the group that is named', () => {
    const { healings } = JSON.parse(runBuilt(`hredist ${SUPER} -O b1 -G rack-b --json`).stdout);
    expect(healings.map((one: { group: string }) => one.group)).to.deep.equal(['rack-b']);
  });

  it('moves what counts least by the rates: memory rather than a disk, or a disk that is copied quickly', () => {
    const movedAt = (rates: string): string => {
      const { moves } = JSON.parse(
        runBuilt(`hredist -t testdata/groups/not-needed.data --json ${rates}`).stdout,
      );
      return moves.map(({ instance }: { instance: string }) => instance).join();
    };
    expect(movedAt('--bandwidth=100')).to.equal('shared');
    expect(movedAt('--bandwidth=1000')).to.equal('stays');
  });

  it('takes longer at a smaller bandwidth', () => {
    const seconds = (bandwidth: string): number =>
      JSON.parse(runBuilt(`hredist ${SUPER} --json --price job=0 --bandwidth ${bandwidth}`).stdout).cost
        .seconds;
    expect(seconds('50')).to.equal(2 * seconds('100'));
    expect(runBuilt(`hredist ${SUPER} --bandwidth 0`).status).to.equal(1);
  });
});
