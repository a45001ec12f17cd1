import { expect } from 'chai';
import { openHighs } from '../../../src/disk/solve/highs.ts';
import { type Layout, type LayoutResult, layOut } from '../../../src/disk/solve/lay-out.ts';
import type { LayoutProblem } from '../../../src/disk/solve/layout-program.ts';
import { coefficients } from '../../../src/disk/solve/layout-program.ts';
import type { Solver } from '../../../src/disk/solve/linear-program.ts';
import type { Rounding } from '../../../src/disk/solve/whole-sizes.ts';
import { problemOf, spaceOf } from './spaces-of.ts';

const SECONDS = 120;

describe('the layout of a node', () => {
  let solver: Solver;

  before(async () => {
    solver = await openHighs(SECONDS);
  });

  const resultOf = (
    problem: LayoutProblem,
    rounding: Rounding = 'largest',
    hasStrictWeights = false,
  ): LayoutResult => layOut(problem, { rounding, hasStrictWeights }, solver);
  const layoutOf = (...given: Parameters<typeof resultOf>): Layout => {
    const result = resultOf(...given);
    if (result.kind !== 'layout') throw new Error(JSON.stringify(result));
    return result;
  };
  /** Members of the classes of which that became. */
  const membersOf = ({ sharing }: Layout, wanted: Layout['sharing'][number]['outcome']) =>
    sharing.filter(({ outcome }) => outcome === wanted).map(({ members }) => members);
  const sizesOf = (...given: Parameters<typeof resultOf>) => layoutOf(...given).sizes;

  // The examples of the design page; the figures come from the reference system.
  it('gives what is left to the space without a limit', () => {
    const layout = layoutOf(problemOf([100], { root: { minSize: 50 }, swap: { size: 10 } }));
    expect(layout.sizes).to.deep.equal([[90, 10, 0]]);
    expect(layout.objective).to.be.closeTo(247.5, 1e-9);
  });

  it('fills the first disk with the first space', () => {
    const layout = layoutOf(problemOf([100, 200], { root: { minSize: 50 }, swap: { size: 10 } }));
    expect(layout.sizes).to.deep.equal([
      [100, 0, 0],
      [190, 10, 0],
    ]);
    expect(layout.objective).to.be.closeTo(671.944444, 1e-6);
  });

  it('puts an earlier space whole on an earlier disk and does not mix', () => {
    const spaces = { root: { size: 100 }, var: { size: 100 } };
    expect(sizesOf(problemOf([100, 100], spaces))).to.deep.equal([
      [100, 0, 0],
      [0, 100, 0],
    ]);
    expect(sizesOf(problemOf([100, 200], spaces))).to.deep.equal([
      [100, 0, 0],
      [0, 100, 100],
    ]);
  });

  it('lets spaces that ask for the same share by weight', () => {
    expect(sizesOf(problemOf([100], { root: { minSize: 10 }, var: { minSize: 10 } }))).to.deep.equal([
      [50, 50, 0],
    ]);
    const weighed = problemOf([100], { root: { minSize: 10 }, var: { minSize: 10, weight: 0.5 } });
    const layout = layoutOf(weighed);
    expect(layout.exact[0]![0]).to.be.closeTo(66.6667, 1e-4);
    expect(layout.exact[0]![1]).to.be.closeTo(33.3333, 1e-4);
    expect(layout.sizes).to.deep.equal([[67, 33, 0]]);
    expect(sizesOf(weighed, 'down')).to.deep.equal([[66, 33, 0]]);
  });

  it('lets spaces of weight 0 out of sharing', () => {
    const wanted = { minSize: 10, weight: 0 };
    expect(sizesOf(problemOf([100], { root: wanted, var: wanted }))).to.deep.equal([[90, 10, 0]]);
    expect(
      sizesOf(problemOf([100], { root: { minSize: 10 }, var: wanted, log: { minSize: 10 } })),
    ).to.deep.equal([[45, 10, 45, 0]]);
  });

  it('drops the sharing of given sizes, and keeps it when weights are strict', () => {
    const printed = problemOf([100], { root: { size: 10 }, var: { size: 10, weight: 0.5 } });
    const layout = layoutOf(printed);
    expect(layout.sizes).to.deep.equal([[10, 10, 80]]);
    expect(membersOf(layout, 'dropped')).to.have.length(1);
    const strict = resultOf(printed, 'largest', true);
    expect(strict.kind).to.equal('infeasible');
    if (strict.kind === 'infeasible') {
      expect(strict.clash.shared).to.have.length(1);
      expect(strict.clash.requirements.map(({ kind, space }) => [kind, space])).to.deep.equal([
        ['size', 0],
        ['size', 1],
      ]);
    }
  });

  it('comes as near to the weights as it can when they cannot be met', () => {
    const range = { minSize: 10, maxSize: 20 };
    const layout = layoutOf(problemOf([100], { root: { ...range, weight: 3 }, var: range }));
    // 20 against 10 is nearest to 3 : 1; two thirds of a unit of level are lost at most.
    expect(layout.sizes).to.deep.equal([[20, 10, 70]]);
    expect(membersOf(layout, 'relaxed')).to.have.length(1);
  });

  it('says only of those that do not share that they cannot', () => {
    const range = { minSize: 10, maxSize: 20 };
    const spaces = { a: range, b: { ...range, weight: 5 }, c: {}, d: { weight: 2 } };
    const relaxed = layoutOf(problemOf([100], spaces));
    expect(relaxed.exact[0]![3]).to.be.closeTo(2 * relaxed.exact[0]![2]!, 1e-5);
    expect(membersOf(relaxed, 'kept')).to.deep.equal([[2, 3]]);
    expect(membersOf(relaxed, 'relaxed')).to.deep.equal([[0, 1]]);
    const given = { a: { size: 10 }, b: { size: 10 }, c: { size: 5 }, d: { size: 5, weight: 2 } };
    const dropped = layoutOf(problemOf([100], given));
    expect(membersOf(dropped, 'kept')).to.deep.equal([[0, 1]]);
    expect(membersOf(dropped, 'dropped')).to.deep.equal([[2, 3]]);
  });

  it('lays out disks of many terabytes, as a solver of fixed tolerance does not', () => {
    const disks = [16_709_620, 18_474_002, 11_974_708];
    const bounded = { minSize: 1_048_576, maxSize: 1_897_240, maxDisks: 1 };
    const spaces = { a: { weight: 0.3 }, b: { copies: 2 }, c: { weight: 2 }, d: bounded, e: { weight: 2 } };
    const layout = layoutOf(problemOf(disks, spaces));
    const { sizes } = layout;
    expect(membersOf(layout, 'kept')).to.deep.equal([[0, 2, 4]]);
    expect(sizes.filter((row) => row[3]! > 0)).to.have.length(1);
    // Where sharing gives way, too.
    const range = { minSize: 1_048_576, maxSize: 2_089_424 };
    const nearly = { a: range, b: { ...range, weight: 7 }, c: { minSize: 670_102, maxDisks: 1 } };
    expect(membersOf(layoutOf(problemOf(disks, nearly)), 'relaxed')).to.have.length(1);
  });

  const suited = (journal: object) => ({ journal: { bestDisks: [1], ...journal }, root: { minSize: 10 } });

  it('values a disk that suits a space above all others', () => {
    const spaces = [spaceOf('journal', { bestDisks: [1] }), spaceOf('root', { minSize: 10 })];
    const expected = [0.5, 2.25, 1, 2.111111, 0.083333, 1];
    for (const [at, value] of coefficients(2, spaces).entries())
      expect(value).to.be.closeTo(expected[at]!, 1e-6);
    expect(sizesOf(problemOf([100, 10], suited({})))).to.deep.equal([
      [0, 100, 0],
      [10, 0, 0],
    ]);
  });

  it('lets a preference yield to sizes', () => {
    expect(sizesOf(problemOf([100, 10], suited({ minSize: 20 })))).to.deep.equal([
      [10, 90, 0],
      [10, 0, 0],
    ]);
  });

  it('takes no suitable disk for no preference', () => {
    expect(sizesOf(problemOf([100], { journal: { bestDisks: [] }, root: { minSize: 10 } }))).to.deep.equal([
      [90, 10, 0],
    ]);
  });

  it('does not share between a space whose best disks are missing and one that asks for none', () => {
    // The earlier one has all, as with Bareon's allocator; two that ask for the same missing disks share.
    expect(sizesOf(problemOf([100], { root: {}, journal: { bestDisks: [] } }))).to.deep.equal([[100, 0, 0]]);
    const both = { journal: { bestDisks: [] }, log: { bestDisks: [] } };
    expect(sizesOf(problemOf([100], both))).to.deep.equal([[50, 50, 0]]);
  });

  const os = { root: { minSize: 5000, maxSize: 10_000 }, swap: { size: 2000 } };

  it('names what clashes when nothing fits', () => {
    const result = resultOf(problemOf([5000], os));
    expect(result.kind).to.equal('infeasible');
    if (result.kind !== 'infeasible') return;
    expect(result.clash.requirements).to.deep.equal([
      { kind: 'min_size', space: 0, amount: 5000 },
      { kind: 'size', space: 1, amount: 2000 },
    ]);
  });

  it('names large requirements rather than many small ones', () => {
    const result = resultOf(
      problemOf([5000], { a: { minSize: 2500 }, b: { minSize: 3000 }, c: { minSize: 4000 } }),
    );
    expect(
      result.kind === 'infeasible' && result.clash.requirements.map(({ amount }) => amount),
    ).to.deep.equal([3000, 4000]);
  });

  it('finds out with few programs what clashes among many, and says the same as one by one', () => {
    let programs = 0;
    const counting: Solver = {
      solve(program) {
        programs++;
        return solver.solve(program);
      },
    };
    const clashOf = (minima: readonly number[]) => {
      const spaces = Object.fromEntries(minima.map((minSize, at) => [`s${at}`, { minSize }]));
      programs = 0;
      const result = layOut(
        problemOf([1000], spaces),
        { rounding: 'down', hasStrictWeights: false },
        counting,
      );
      return result.kind === 'infeasible' && result.clash.requirements.map(({ amount }) => amount);
    };
    const few = Array.from({ length: 60 }, (_, at) => (at === 20 || at === 40 ? 600 : 1));
    expect(clashOf(few)).to.deep.equal([600, 600]);
    expect(programs).to.be.below(30);
    // 1035 in all: the seven smallest, 28, can go, and with the eighth, 36, nothing would clash.
    const many = Array.from({ length: 45 }, (_, at) => at + 1);
    expect(clashOf(many)).to.deep.equal(many.slice(7));
    expect(programs).to.be.below(60);
  });

  it('leaves what nobody may have', () => {
    expect(sizesOf(problemOf([7000], os))).to.deep.equal([[5000, 2000, 0]]);
    expect(sizesOf(problemOf([20_000], os))).to.deep.equal([[10_000, 2000, 8000]]);
    expect(sizesOf(problemOf([10], {}))).to.deep.equal([[10]]);
  });

  it('rounds by largest fraction, or down', () => {
    const three = problemOf([100], { a: {}, b: {}, c: {} });
    expect(sizesOf(three)).to.deep.equal([[34, 33, 33, 0]]);
    expect(sizesOf(three, 'down')).to.deep.equal([[33, 33, 33, 0]]);
    const weighed = problemOf([100], { a: { weight: 1 }, b: { weight: 2 }, c: { weight: 3 } });
    expect(layoutOf(weighed).exact[0]!.map((size) => Number(size.toFixed(3)))).to.deep.equal([
      16.667, 33.333, 50, 0,
    ]);
    expect(sizesOf(weighed)).to.deep.equal([[17, 33, 50, 0]]);
  });

  it('takes a size of 0 for a size', () => {
    expect(sizesOf(problemOf([100], { none: { size: 0 }, root: {} }))).to.deep.equal([[0, 100, 0]]);
  });

  it('lays nothing out on no disks, unless something is asked for', () => {
    expect(sizesOf(problemOf([], { root: {} }))).to.deep.equal([]);
    expect(resultOf(problemOf([], { root: { minSize: 1 } })).kind).to.equal('infeasible');
  });

  it('makes copies of equal size on different disks', () => {
    expect(sizesOf(problemOf([100, 80, 60], { raid: { copies: 2, minSize: 50 } }))).to.deep.equal([
      [80, 20],
      [80, 0],
      [0, 60],
    ]);
    expect(sizesOf(problemOf([100, 100], { boot: { copies: 2, size: 10 }, root: {} }))).to.deep.equal([
      [10, 90, 0],
      [10, 90, 0],
    ]);
    expect(resultOf(problemOf([100], { raid: { copies: 2, minSize: 10 } })).kind).to.equal('infeasible');
    expect(resultOf(problemOf([100, 40], { raid: { copies: 2, minSize: 50 } })).kind).to.equal('infeasible');
  });

  it('keeps copies equal when sizes are rounded', () => {
    const sizes = sizesOf(
      problemOf([101, 101], { a: { copies: 2, minSize: 1 }, b: { copies: 2, minSize: 1 } }),
    );
    expect(sizes[0]).to.deep.equal(sizes[1]);
    expect(sizes[0]![0]! + sizes[0]![1]! + sizes[0]![2]!).to.equal(101);
  });

  it('puts a space on at least, and on at most so many disks', () => {
    const spread = sizesOf(problemOf([100, 100, 100], { data: { size: 60, minDisks: 3 } }));
    expect(spread.map(([size]) => size! > 0)).to.deep.equal([true, true, true]);
    const single = sizesOf(problemOf([50, 100, 100], { root: { minSize: 80, maxDisks: 1 }, var: {} }));
    expect(single.filter(([size]) => size! > 0)).to.have.length(1);
    expect(resultOf(problemOf([50, 60], { root: { minSize: 80, maxDisks: 1 } })).kind).to.equal('infeasible');
  });
});
