import { expect } from 'chai';
import Table from 'cli-table3';
import { reportTable } from '../../../src/kit/report/report-table.ts';
import { textTable } from '../../../src/kit/report/text-table.ts';

const COLUMNS = [
  { heading: 'Node', isNumeric: false },
  { heading: 'Free', isNumeric: true },
  { heading: 'Why', isNumeric: false },
];
const ROWS = [
  ['node1.example.com', '1024', 'no other node has room for its five largest instances'],
  ['node2', '7', 'a,b,c,d'],
];
const linesOn = (columns: number): readonly string[] =>
  reportTable('', COLUMNS, ROWS, { columns, Table }).split('\n');

describe('a table of a report', () => {
  it('is a plain table without blanks at its right where nobody says how wide the screen is, and where it fits', () => {
    const plain = textTable('  ', COLUMNS, ROWS).replaceAll(/ +$/gm, '');
    expect(reportTable('  ', COLUMNS, ROWS)).to.equal(plain);
    expect(reportTable('  ', COLUMNS, ROWS, { columns: 81, Table })).to.equal(plain);
    const wide = textTable('', COLUMNS, ROWS, '  ').replaceAll(/ +$/gm, '');
    expect(reportTable('', COLUMNS, ROWS, { columns: 81, Table }, '  ')).to.equal(wide);
  });

  it('looks at each blank once: with the square of a million the test would run out of its time', () => {
    const deep = `${' '.repeat(1_000_000)}deep`;
    const [, row] = reportTable('', COLUMNS, [[deep, '1', '']]).split('\n');
    expect(row!.length).to.equal(deep.length + ' '.length + ' Free'.length);
  });

  it('is wrapped on a narrower screen, with figures to the right', () => {
    expect(linesOn(50)).to.deep.equal([
      ' Node              Free Why',
      ' node1.example.com 1024 no other node has room for',
      '                        its five largest instances',
      ' node2                7 a, b, c, d',
      '',
    ]);
  });

  it('keeps words whole on a screen that is too narrow for them', () => {
    expect(linesOn(10).join(' ')).to.include('node1.example.com 1024 no').and.to.include('instances');
  });
});
