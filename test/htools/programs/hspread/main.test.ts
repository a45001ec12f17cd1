import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { newFolder } from '../../../builders/folder.ts';
import { readPage } from '../../../kit/report/html/read-page.ts';
import { runBuilt } from '../../../suite/run-built.ts';

const SUPER = '-t testdata/super.data';

interface Move {
  readonly instance: string;
  readonly spread: number;
}

describe('hspread', () => {
  const folder = newFolder();

  it('lowers the spread with each move, and moves nothing twice', () => {
    const report = JSON.parse(runBuilt(`hspread ${SUPER} --json`).stdout);
    const moves: Move[] = report.moves;
    const spreads = [report.before.spread, ...moves.map((move) => move.spread)];
    expect(spreads).to.deep.equal([...spreads].sort((a, b) => b - a));
    expect(spreads.at(-1)).to.equal(report.after.spread);
    expect(new Set(moves.map((move) => move.instance)).size).to.equal(moves.length);
    expect(report.cost.copiedMib).to.equal(0);
  });

  it('tells groups that stand out now from those that still do', () => {
    const page = join(folder, 'page.html');
    const { stdout } = runBuilt(`hspread ${SUPER} -l 4 --html=${page}`);
    expect(stdout).to.include('\nStill above the mean: rack-a, rack-b\nNow above the mean: rack-c\n');
    const { text } = readPage(readFileSync(page, 'utf8')).find(({ name }) => name === 'body')!;
    expect(text).to.match(/above the others after the plan: rack-a .*, rack-b .*, rack-c /);
    expect(text).to.match(/-\s*\u2192\s*cpu, memory, disk, net/);
  });

  it('searches deeply where asked, within the number of moves, and gives the same bytes for the same effort', () => {
    const words = `hspread ${SUPER} --disk-moves -l 3 --search=deep --effort 0.01`;
    const { status, stdout, stderr } = runBuilt(`${words} --json`);
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
    const { search, after, cost, moves } = JSON.parse(stdout);
    expect(moves.length).to.be.at.most(3);
    expect(search).to.include({ kind: 'deep', effort: 0.01, timeLimitSeconds: null });
    expect(after.spread).to.be.at.most(search.greedy.spread * (1 + 1e-9));
    expect(cost.copiedMib).to.be.at.most(search.greedy.copiedMib);
    expect(runBuilt(`${words} --json`).stdout).to.equal(stdout);
    expect(runBuilt(words).stdout).to.match(/^Without the deep search: [0-9.]+ by 3 moves/m);
  });

  it('counts groups, too, that have no online node', () => {
    const nodes = JSON.parse(runBuilt(`hinfo ${SUPER} --json -p`).stdout).nodes as {
      readonly name: string;
    }[];
    const rackA = nodes.filter(({ name }) => name.startsWith('a')).map(({ name }) => `-O ${name}`);
    const [first] = runBuilt(`hspread ${SUPER} ${rackA.join(' ')}`).stdout.split('\n');
    expect(first).to.match(/, 5 groups$/);
  });

  it('stops after the number of moves that it is told', () => {
    expect(JSON.parse(runBuilt(`hspread ${SUPER} -l 2 --json`).stdout).moves).to.have.length(2);
    const { stdout } = runBuilt(`hspread ${SUPER} -l 0`);
    expect(stdout).to.include('Stopped after 0 moves').and.not.include('evens the load out any further');
  });

  it('stops where a move would gain too little', () => {
    const { moves } = JSON.parse(
      runBuilt(`hspread ${SUPER} --min-gain 0.4 --min-gain-limit 10 --json`).stdout,
    );
    expect(moves).to.have.length(0);
  });

  it('goes by the loads of a file', () => {
    writeFileSync(join(folder, 'load'), 'web2.example.com 40 0 0 0\ncache2.example.com 40 0 0 0\n');
    const { moves } = JSON.parse(runBuilt(`hspread ${SUPER} -U ${join(folder, 'load')} -l 1 --json`).stdout);
    expect(['web2.example.com', 'cache2.example.com']).to.include(moves[0].instance);
  });

  it('says in JSON what each move gains and why it ended', () => {
    const report = JSON.parse(runBuilt(`hspread ${SUPER} -l 2 --json`).stdout);
    expect(report.end).to.equal('max-steps');
    const [first, second] = report.moves;
    expect(first.gain).to.be.closeTo(report.before.spread - first.spread, 1e-12);
    expect(second.gain).to.be.closeTo(first.spread - second.spread, 1e-12);
    expect(report.jobSets.flat()).to.have.length(2);
  });

  it('unloads only the group that is named, onto groups that take part', () => {
    const { moves } = JSON.parse(
      runBuilt(`hspread ${SUPER} -G rack-b --exclude-groups rack-d --json`).stdout,
    );
    expect(moves).to.not.be.empty;
    for (const { from, to } of moves) {
      expect(from.group).to.equal('rack-b');
      expect(to.group).to.not.equal('rack-d');
    }
  });

  it('leaves alone what it is told to', () => {
    const first = (options: string): string =>
      JSON.parse(runBuilt(`hspread ${SUPER} -l 1 --json${options}`).stdout).moves[0].instance;
    const usual = first('');
    expect(first(` --exclude-instances ${usual}`)).to.not.equal(usual);
  });

  it('explains the moves in the order in which it tells them, whatever job sets they are in', () => {
    const group = (name: string, k: number): string => `${name}|0000000${k}-0000-4000-8000-000000000000`;
    const node = (name: string, used: number, k: number): string =>
      `${name}|16384|0|${16384 - used}|102400|102400|8|N|0000000${k}-0000-4000-8000-000000000000|1`;
    const instances = ['w|a1', 'x|a1', 'y|a2', 'u|a2', 'z|a2', 'v|a2'].map((one) => one.split('|'));
    const lines = [
      ...[group('busy', 1), group('idle', 2)].map((one) => `${one}|preferred||`),
      '',
      ...[node('a1', 2048, 1), node('a2', 4096, 1), ...['b1', 'b2', 'b3'].map((name) => node(name, 0, 2))],
      '',
      ...instances.map(([name, on]) => `${name}|1024|1024|1|running|Y|${on}||ext||1`),
      '',
      '',
    ];
    const data = join(folder, 'sets.data');
    writeFileSync(data, `${lines.join('\n')}\n`);
    const { moves, explanation } = JSON.parse(runBuilt(`hspread -t ${data} --explain --json`).stdout);
    const told = (list: readonly Move[]): string[] => list.map(({ instance }) => instance);
    expect(moves.map(({ jobSet }: { jobSet: number }) => jobSet)).to.deep.equal([1, 2, 1, 2]);
    expect(told(explanation.steps)).to.deep.equal(told(moves));
  });

  it('ends its keys with the one that says that all went well', () => {
    const { stdout } = runBuilt(`hspread ${SUPER} --machine-readable`);
    expect(stdout).to.match(/^HSPREAD_GROUPS=5\n/);
    expect(stdout).to.match(/\nHSPREAD_OK=1\n$/);
  });
});
