import { expect } from 'chai';
import { performancePlot, readFigures } from '../../bench/plot.ts';

const line = (size: number, seconds: number, stockSeconds: number | null): string =>
  JSON.stringify({ name: 'hbal, one step', program: 'hbal', size, seconds, stockSeconds });

describe('the performance plot', () => {
  const figures = readFigures([line(20, 5, null), line(20, 0.05, 0.2), line(40, 0.06, 1.3), ''].join('\n'));

  it('keeps the latest of several figures for one size', () => {
    expect(figures.map(({ size, seconds }) => [size, seconds])).to.deep.equal([
      [20, 0.05],
      [40, 0.06],
    ]);
  });

  it('draws one curve for each of the two programs, with every point inside the picture', () => {
    const svg = performancePlot(figures);
    expect(svg.match(/<polyline/g)).to.have.length(2);
    const centres = [...svg.matchAll(/cx="([\d.]+)" cy="([\d.]+)"/g)];
    expect(centres).to.have.length(4);
    for (const [, x, y] of centres) {
      expect(Number(x)).to.be.within(80, 620);
      expect(Number(y)).to.be.within(50, 450);
    }
    expect(svg).to.contain('hbal, one step, stock').and.not.contain('NaN');
  });
});
