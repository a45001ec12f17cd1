import { expect } from 'chai';
import { parseSize, timerMs } from '../../src/kit/units.ts';

it('timers hold some 24 days, and what is longer for as long as they can', () => {
  expect([0.5, 31_536_000].map(timerMs)).to.deep.equal([500, 2_147_483_647]);
});

describe('sizes with units', () => {
  const sizes: [string, number][] = [
    ['1024', 1024],
    ['20m', 20],
    ['20 MiB', 20],
    ['20g', 20480],
    ['1gib', 1024],
    ['1t', 1048576],
    ['20M', 19],
    ['20mb', 19],
    ['2GB', 1907],
    ['1T', 953674],
    ['-5', -5],
    ['(3)g', 3072],
  ];
  for (const [text, mib] of sizes)
    it(`reads ${text} as ${mib} MiB`, () => expect(parseSize(text)).to.deep.equal({ mib }));

  it('says what is wrong in the words of the stock programs', () => {
    expect(parseSize('5q')).to.deep.equal({ problem: "Unknown unit 'q'" });
    expect(parseSize('zz')).to.deep.equal({ problem: "Can't parse string 'zz'" });
    expect(parseSize('1.5g')).to.deep.equal({ problem: "Can't parse string '1.5g'" });
    expect(parseSize('99999999999999999999')).to.have.property('problem').that.includes('too large');
  });
});
