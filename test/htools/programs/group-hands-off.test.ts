import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { newFolder } from '../../builders/folder.ts';
import { runBuilt } from '../../suite/run-built.ts';

interface Move {
  readonly instance: string;
  readonly from: { readonly group: string; readonly primary: string };
  readonly to: { readonly group: string; readonly primary: string };
}

const SUPER = readFileSync('testdata/super.data', 'utf8');
const TAG = 'htools:hands-off';

describe('programs between groups, with the tag htools:hands-off', () => {
  const folder = newFolder();

  /** @param tagged beginning of the line that gets the tag, in this column */
  const reportOf = (words: string, tagged = '', column = 0) => {
    const lines = SUPER.split('\n');
    // The first of its lines: a group has one of its policy, too.
    const at = lines.findIndex((line) => line.startsWith(`${tagged}|`));
    if (tagged !== '') {
      const cells = lines[at]!.split('|');
      cells[column] = TAG;
      lines[at] = cells.join('|');
    }
    const file = join(folder, 'super.data');
    writeFileSync(file, lines.join('\n'));
    return JSON.parse(runBuilt(`${words} -t ${file} --json`).stdout);
  };
  const [GROUP_TAGS, NODE_TAGS, INSTANCE_TAGS] = [3, 10, 9];

  it('leave instances, nodes and groups alone, and go on with the others', () => {
    for (const search of ['', ' --search=deep --effort=0.01']) {
      const words = `hspread --disk-moves -l 6${search}`;
      const free: readonly Move[] = reportOf(words).moves;
      const [first] = free;
      const others: readonly Move[] = reportOf(words, first!.instance, INSTANCE_TAGS).moves;
      expect(others).to.have.length.above(0);
      expect(others.map(({ instance }) => instance)).to.not.include(first!.instance);
      const elsewhere: readonly Move[] = reportOf(words, first!.to.primary, NODE_TAGS).moves;
      expect(elsewhere).to.have.length.above(0);
      expect(JSON.stringify(elsewhere)).to.not.include(first!.to.primary);
      const around: readonly Move[] = reportOf(words, first!.to.group, GROUP_TAGS).moves;
      expect(around.flatMap(({ from, to }) => [from.group, to.group])).to.not.include(first!.to.group);
    }
  });

  it('say so where it keeps an instance from being healed, or a group from being emptied', () => {
    const { groups } = reportOf('hcompress');
    const emptied = groups.find(({ isReclaimable }: { isReclaimable: boolean }) => isReclaimable).name;
    const after = reportOf('hcompress', emptied, GROUP_TAGS).groups;
    const found = after.find(({ name }: { name: string }) => name === emptied);
    expect(found.isReclaimable).to.equal(false);
    expect(JSON.stringify(found)).to.include('hands-off');
  });
});
