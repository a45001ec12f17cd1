import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { newFolder } from '../../../builders/folder.ts';
import { runBuilt } from '../../../suite/run-built.ts';

const SMALL = readFileSync('testdata/small.data', 'utf8');
const sections = SMALL.split('\n\n');
const instances = sections[2]!.split('\n').filter((line) => line !== '');
/** A node with a primary, as the file names it. */
const NODE = instances[0]!.split('|')[6]!;
const onNode = instances.filter((line) => line.split('|').slice(6, 8).includes(NODE));

describe('hbal -E', () => {
  const folder = newFolder();

  const runOn = (change: (cells: string[]) => string[], more = '') => {
    const changed = instances.map((line) =>
      onNode.includes(line) ? change(line.split('|')).join('|') : line,
    );
    const file = join(folder, 'c.data');
    writeFileSync(file, [sections[0], sections[1], changed.join('\n'), ...sections.slice(3)].join('\n\n'));
    return runBuilt(`hbal -t ${file} -O ${NODE} -E${more}`);
  };

  it('lists each instance that is not to be balanced and stays, and ends with a status of its own', () => {
    const { status, stderr } = runOn((cells) => cells.with(5, 'N'));
    expect(status).to.equal(3);
    expect(stderr).to.contain(`Warning: ${NODE} is not empty: ${onNode.length} instance`);
    for (const line of onNode) expect(stderr).to.contain(`  ${line.split('|')[0]} (`);
    expect(stderr).to.contain('auto_balance is off');
  });

  it('says so of instances on local disks, and in the document', () => {
    const { status, stdout } = runOn(
      (cells) => (cells[6] === NODE ? cells.with(7, '').with(8, 'plain') : cells),
      ' --json',
    );
    expect(status).to.equal(3);
    const stays = JSON.parse(stdout).leftBehind.filter(
      ({ reason }: { reason: string }) => reason === 'template',
    );
    expect(stays).to.have.length(onNode.filter((line) => line.split('|')[6] === NODE).length);
  });

  it('names the tag as one of the reasons, and scores what is left alone as a whole as it is', () => {
    const file = join(folder, 'alone.data');
    writeFileSync(file, sections.with(3, `htools:hands-off\n${sections[3]}`).join('\n\n'));
    const { stderr } = runBuilt(`hbal -t ${file} -O ${NODE} -E`);
    expect(stderr.replace(/\s+/g, ' ')).to.contain('--let-rest, htools:hands-off, its storage');
    const scoreOf = (name: string) => /Initial score: .*/.exec(runBuilt(`hbal -t ${name}`).stdout)?.[0];
    expect(scoreOf(file)).to.equal(scoreOf('testdata/small.data'));
  });

  it('has nothing to say when the node is emptied', () => {
    const { status, stderr } = runOn((cells) => cells);
    expect([status, stderr.includes('is not empty')]).to.deep.equal([0, false]);
  });

  it('names the option that keeps disks where they are', () => {
    expect(runOn((cells) => cells, ' --no-disk-moves --no-instance-moves').stderr).to.contain(
      'the options allow no move',
    );
  });

  for (const [limit, words] of [
    ['-l 1', '--max-length=1 allows no more moves'],
    ['--budget 1move --effort 0.002', '--budget=1move leaves it out'],
    ['--search=greedy --budget 1GiB --budget 9moves', '--budget=1GiB --budget=9moves leaves it out'],
    ['--min-gain 1000 --min-gain-limit 1000', 'it gains less than --min-gain=1000'],
    ['--min-score 1000', '--min-score=1000 is reached without it'],
  ])
    it(`names the limit that ended the plan, not the rules: ${limit}`, () => {
      const { status, stdout } = runOn((cells) => cells, ` ${limit} --json`);
      expect(status).to.equal(3);
      const { leftBehind } = JSON.parse(stdout);
      expect(leftBehind).to.have.length.above(1);
      for (const one of leftBehind) {
        expect(one.reason).to.equal('limit');
        expect(one.explanation).to.equal(`it could go, but ${words}`);
      }
    });

  it('tells a limit from rules that allow no move', () => {
    // Everything but one instance is pinned there.
    const [free] = onNode;
    const { stdout } = runOn(
      (cells) => (cells[0] === free!.split('|')[0] ? cells : cells.with(9, `htools:pinned:${NODE}`)),
      ' -l 0 --json',
    );
    const reasons = new Map(
      JSON.parse(stdout).leftBehind.map(({ instance, reason }: Record<string, string>) => [instance, reason]),
    );
    for (const line of onNode) {
      const cells = line.split('|');
      if (cells[6] === NODE)
        expect(reasons.get(cells[0]), line).to.equal(line === free ? 'limit' : 'no-move');
    }
  });
});
