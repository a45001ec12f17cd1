import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { newFolder } from '../../../builders/folder.ts';
import { inLongRun } from '../../../builders/seeds.ts';
import { ROOT, runBuilt, runWords } from '../../../suite/run-built.ts';

const SUPER = '-t testdata/super.data';
const SMALLER = '-t testdata/groups/larger-set.data';

interface Reported {
  readonly name: string;
  readonly isReclaimable: boolean;
  readonly share: number;
  readonly gain: number;
}

describe('hcompress', () => {
  const folder = newFolder();

  it('counts the instances of the groups that it tells of, and no others', () => {
    const { stdout } = runBuilt(`hcompress ${SUPER} -G rack-b --check`);
    expect(stdout).to.match(/^1 group with 9 instances: /);
    expect(runBuilt(`hcompress ${SUPER} --exclude-groups rack-a`).stdout).to.match(/^ +\(all\) +18 /m);
  });

  it('says of a group that is the only one, or alone takes part, just that', () => {
    const reasonOf = (words: string): string =>
      /^ +\S+: (.*no other group.*)$/m.exec(runBuilt(`hcompress ${words}`).stdout)![1]!;
    expect(reasonOf('-t testdata/small.data')).to.equal('there is no other group');
    expect(reasonOf(`${SUPER} --select-groups rack-a`)).to.equal('no other group takes part');
    expect(runBuilt('hredist -t testdata/small.data').stdout).to.include(
      'Alone, as there is no other group: default\n',
    );
  });

  const node = (name: string, used: number, total = 8192): string =>
    `${name}|${total}|512|${total - 512 - used}|100000|${100_000 - used}|8|N|${name[0]}|1||N|0|1|1.0`;
  const drbd = (name: string, nodes: string): string => `${name}|1024|1024|1|running|Y|${nodes}|drbd||1|-|N`;
  const textOf = (...sections: readonly (readonly string[])[]): string =>
    sections.map((lines) => `${lines.join('\n')}\n`).join('\n');

  it('plans nothing where nothing is gained, unless the group is named', () => {
    const input = textOf(
      ['A|A|preferred||', 'B|B|preferred||'],
      [node('A1', 1024), node('A2', 0), node('B1', 0), node('B2', 0)],
      [drbd('i1', 'A1|A2')],
      [],
    );
    const planned = (words: string): string => runBuilt(`hcompress -t -${words}`, { input }).stdout;
    expect(planned('')).to.include('--evacuate -G A shows the moves for A');
    expect(planned(' --evacuate')).to.include('Nothing would be gained').and.not.to.include('A1:A2 => B');
    expect(planned(' --evacuate -G A')).to.include('A1:A2 => B1:B2');
    expect(planned(' --evacuate -G A --all').replaceAll(/\s+/g, ' '))
      .to.include('can be given back: A (B, now empty, is filled; no larger set exists)')
      .and.to.include('A1:A2 => B1:B2');
  });

  it('keeps an empty group empty where another has room, also with --all for one that is named', () => {
    const input = textOf(
      ['A|A|preferred||', 'B|B|preferred||', 'C|C|preferred||'],
      [
        ...[node('A1', 1024), node('A2', 0), node('B1', 1024), node('B2', 1024)],
        ...[node('C1', 0, 32_768), node('C2', 0, 32_768)],
      ],
      [drbd('i1', 'A1|A2'), drbd('i2', 'B1|B2'), drbd('i3', 'B2|B1')],
      [],
    );
    for (const words of ['', ' --all'])
      expect(runBuilt(`hcompress -t - -G A --evacuate${words}`, { input }).stdout).to.include(' A -> B ');
  });

  it('empties a group of an instance whose record names a secondary that its disks have not', () => {
    const input = textOf(
      ['A|A|preferred||', 'B|B|preferred||'],
      [node('A1', 1024), node('A2', 0), node('B1', 1024), node('B2', 1024)],
      [drbd('i1', 'A1|A2').replace('drbd', 'ext'), drbd('i2', 'B1|B2'), drbd('i3', 'B2|B1')],
      [],
    );
    const { status, stdout } = runBuilt('hcompress -t - -G A --evacuate', { input });
    expect({ status, moves: stdout.match(/=> .*/g) }).to.deep.equal({
      status: 0,
      moves: ['=> B1 A -> B a=fa:B1'],
    });
  });

  it('names the group that was named in what to do next: without its name the first of all would be emptied', () => {
    const said = (words: string): string =>
      runBuilt(`hcompress ${SUPER} ${words}`).stdout.replaceAll(/\s+/g, ' ');
    expect(said('-G rack-b')).to.include(
      '--evacuate -G rack-b shows the moves for rack-b, with -C the commands. ',
    );
    expect(said('-G rack-b --check')).to.match(
      /Run hcompress --evacuate -G rack-b -C on the same data .* commands\. $/,
    );
    expect(said('-G rack-e')).to.match(/ rack-e cannot be emptied at present\. $/);
  });

  it('searches deeply where asked, never for worse, and gives the same bytes for the same effort', () => {
    const words = `hcompress ${SMALLER} --all --evacuate --search=deep --effort 0.002`;
    const { status, stdout, stderr } = runBuilt(`${words} --json`);
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
    const { search, emptied, cost } = JSON.parse(stdout);
    expect(search).to.include({ kind: 'deep', effort: 0.002, timeLimitSeconds: null });
    expect(emptied.length).to.be.at.least(search.greedy.groupsEmptied).and.above(0);
    if (emptied.length === search.greedy.groupsEmptied) {
      expect(cost.copiedMib).to.be.at.most(search.greedy.copiedMib);
      expect(search.meanScore).to.be.at.most(search.greedy.meanScore);
    }
    expect(runBuilt(`${words} --json`).stdout).to.equal(stdout);
    expect(runBuilt(words).stdout).to.match(/^Without the deep search: \d+ groups? that can be emptied; /m);
  });

  it('reports all groups, those that give back most first', () => {
    const report = JSON.parse(runBuilt(`hcompress ${SUPER} --json`).stdout);
    const groups: Reported[] = report.groups;
    expect(groups).to.have.length(5);
    const gains = groups.map((one) => one.gain);
    expect(gains).to.deep.equal([...gains].sort((a, b) => b - a));
    expect(groups.filter((one) => !one.isReclaimable).map((one) => one.name)).to.deep.equal(['rack-e']);
    expect(report).to.not.have.property('moves');
  });

  it('ends with a status of its own for cron when a group could be given back, and says the same each time', () => {
    const first = runBuilt(`hcompress ${SMALLER} --check --json`);
    expect(first.status).to.equal(3);
    expect(runBuilt(`hcompress ${SMALLER} --check --json`).stdout).to.equal(first.stdout);
    const report = JSON.parse(first.stdout);
    expect(Object.keys(report)).to.deep.equal([
      'schemaVersion',
      'program',
      'groups',
      'reclaimable',
      'withoutGain',
      'alreadyEmpty',
      'blocked',
      'summary',
    ]);
    const text = runBuilt(`hcompress ${SMALLER} --check`);
    expect(text.status).to.equal(3);
    expect(text.stdout.replaceAll(/\s+/g, ' ').trim()).to.equal(report.summary);
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

  it('tells a fault from a find, and is silent for cron when there is nothing to say', () => {
    expect(runBuilt('hcompress --check -q -t nowhere.data').status).to.equal(1);
    const { status, stdout, stderr } = runBuilt('hcompress -t testdata/groups/nobody.data --check -q');
    expect({ status, stdout, stderr }).to.deep.equal({ status: 0, stdout: '', stderr: '' });
    const found = runBuilt(`hcompress ${SMALLER} --check -q`);
    expect(found.status).to.equal(3);
    expect(found.stdout).to.match(/\d+ could be emptied and given back, each on its own\b/);
  });

  it('has emptied what it says once its moves are made, and says of empty groups that they are', () => {
    runBuilt(`hcompress ${SUPER} --evacuate -S ${folder}/moved`);
    const emptied = `-t ${folder}/moved.compressed`;
    const report = JSON.parse(runBuilt(`hcompress ${emptied} --json`).stdout);
    expect(report.alreadyEmpty).to.deep.equal(['rack-c']);
    expect(runBuilt(`hcompress ${emptied} --check`).stdout.replaceAll(/\s+/g, ' ')).to.contain(
      'Already empty: rack-c.',
    );
  });

  it('ends: what is emptied again and again leaves nothing to report', () => {
    let file = 'testdata/groups/three-in-a-row.data';
    for (let k = 0; k < 6 && runBuilt(`hcompress -t ${file} --check`).status === 3; k++) {
      runBuilt(`hcompress -t ${file} --evacuate -S ${folder}/round${k}`);
      file = `${folder}/round${k}.compressed`;
    }
    expect(runBuilt(`hcompress -t ${file} --check`).status).to.equal(0);
  });

  it('works on the group that is named, and leaves out those that are to be', () => {
    const report = (options: string): { groups: Reported[]; emptied: string[]; leftOut: string[] } =>
      JSON.parse(runBuilt(`hcompress ${SUPER} --json ${options}`).stdout);
    const one = report('-G rack-b --evacuate');
    expect(one.groups.map(({ name }) => name)).to.deep.equal(['rack-b']);
    expect(one.emptied).to.deep.equal(['rack-b']);
    const without = report('--exclude-groups rack-b,rack-c');
    expect(without.leftOut).to.deep.equal(['rack-b', 'rack-c']);
    expect(without.groups.map(({ name }) => name)).to.not.include('rack-b');
    const few = report('--select-groups rack-a,rack-d');
    expect(few.leftOut).to.deep.equal(['rack-b', 'rack-c', 'rack-e']);
    for (const wrong of ['-G rack-x', '--exclude-groups rack-x', '-G rack-b --exclude-groups rack-b']) {
      const { status, stdout, stderr } = runBuilt(`hcompress ${SUPER} ${wrong}`);
      expect({ status, stdout }, wrong).to.deep.equal({ status: 1, stdout: '' });
      expect(stderr)
        .to.match(/rack-[xb]/)
        .and.to.contain('Maybe');
    }
  });

  it('names every instance with its reasons only when asked to', () => {
    const data = '-t testdata/groups/all-for-one-reason.data';
    expect(runBuilt(`hcompress ${data}`).stdout).to.include(
      '30 instances find no home (v00, v01, v02 and 27 more)',
    );
    expect(runBuilt(`hcompress ${data} -v`).stdout.match(/finds no home:/g)).to.have.length(30);
  });

  it('writes no line of more than 100 characters', () => {
    const onSuper = ['--evacuate', '--check', '-v', ...inLongRun('--all')].map((one) => `${SUPER} ${one}`);
    for (const options of [`${SMALLER} --all`, ...onSuper]) {
      const lines = runBuilt(`hcompress ${options}`).stdout.split('\n');
      expect(
        lines.filter((line) => line.length > 100),
        options,
      ).to.deep.equal([]);
    }
  });

  it('has no reasons to give where there is no group', () => {
    writeFileSync(join(folder, 'nothing.data'), '\n\n\n');
    const { status, stdout } = runBuilt(`hcompress -t ${folder}/nothing.data --check`);
    expect({ status, stdout }).to.deep.equal({
      status: 0,
      stdout: '0 groups with 0 instances: no group could usefully be emptied.\n',
    });
  });

  it('ends its keys with the one that says that all went well', () => {
    const { status, stdout } = runBuilt(`hcompress ${SMALLER} --all --machine-readable`);
    expect(status).to.equal(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).to.include.members(['HCOMPRESS_RECLAIMABLE=3', "HCOMPRESS_TOGETHER_GROUPS='b c'"]);
    expect(lines.at(-1)).to.equal('HCOMPRESS_OK=1');
  });

  it('leaves no script or state of an earlier run where nothing can be emptied', () => {
    const names = ['moves of today.sh', 'left.original', 'left.compressed'];
    for (const name of names) writeFileSync(join(folder, name), 'gnt-instance of an earlier run');
    const source = `${ROOT}/testdata/groups/one-node.data`;
    const words = ['-t', source, '--evacuate', '-Cmoves of today.sh', '-Sleft'];
    const { status, stdout } = runWords('hcompress', words, { folder });
    expect(status).to.equal(0);
    expect(stdout).to.include('No group can be emptied at present.');
    for (const name of names)
      expect(readFileSync(join(folder, name), 'utf8')).to.not.include('gnt-instance', name);
  });

  it('says how to run the script in words that a shell takes', () => {
    const words = ['-t', `${ROOT}/${SMALLER.slice('-t '.length)}`, '--evacuate', '-Cmoves of today.sh'];
    expect(runWords('hcompress', words, { folder }).stdout).to.include(": sh 'moves of today.sh'\n");
  });

  it('prints no commands where no plan is asked for', () => {
    expect(runBuilt(`hcompress ${SUPER} -C`).stdout).to.not.include('gnt-instance');
    expect(runBuilt(`hcompress ${SUPER} --evacuate -C`).stdout).to.include('gnt-instance');
  });
});
