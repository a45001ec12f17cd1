import { expect } from 'chai';
import { padLeft, padRight, textTable, textWidth } from '../../../src/kit/report/text-table.ts';

const COLUMNS = [
  { heading: 'Name', isNumeric: false },
  { heading: 'n', isNumeric: true },
];

describe('text tables', () => {
  it('align texts to the left and numbers to the right, behind the indent and a blank', () => {
    const rows = [
      ['a', '10'],
      ['longer', '5'],
    ];
    expect(textTable('  ', COLUMNS, rows)).to.equal('   Name    n\n   a      10\n   longer  5\n');
  });

  it('show the headings alone when there are no rows', () => {
    expect(textTable('', COLUMNS, [])).to.equal(' Name n\n');
  });

  it('pad the last column too', () => {
    const rows = [['1'], ['22']];
    expect(textTable('', [{ heading: 'X', isNumeric: false }], rows)).to.equal(' X \n 1 \n 22\n');
  });

  it('count characters and not code units', () => {
    expect(textWidth('a😀é')).to.equal(3);
    expect(padRight('😀', 3)).to.equal('😀  ');
    expect(padLeft('😀', 3)).to.equal('  😀');
  });

  it('leave what is too wide as it is', () => {
    expect(padLeft('12345', 3)).to.equal('12345');
    expect(padRight('12345', 3)).to.equal('12345');
  });
});
