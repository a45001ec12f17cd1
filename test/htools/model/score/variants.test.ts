import { expect } from 'chai';
import { Random } from '../../../../bench/generate/random.ts';
import { deviationsWith, Others, sumsWith } from '../../../../src/htools/model/score/variants.ts';
import { forSeeds } from '../../../builders/seeds.ts';
import { times } from '../../../builders/small-cluster.ts';

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

function deviationOf(values: readonly number[]): number {
  const mean = sumOf(values) / values.length;
  return Math.sqrt(sumOf(values.map((value) => (value - mean) * (value - mean))) / values.length);
}

describe('variants of values', () => {
  /** @param few figures that most values are one of: sums come together */
  function holdAll(random: Random, few: readonly number[], most: number, variants: number): void {
    const figure = (): number => (random.chance(0.7) ? (random.pick(few) ?? 0) : random.real(-2, 2));
    const values = times(random.between(1, most), figure);
    const lists = times(variants, () => [...values]);
    const others = new Others();
    for (const place of values.keys())
      for (const [variant, list] of lists.entries()) {
        if (random.chance(0.7)) continue;
        list[place] = figure();
        others.add(place, variant, list[place]);
      }
    const list = Float64Array.from(values);
    expect([...sumsWith(list, others, lists.length)]).to.deep.equal(lists.map(sumOf));
    const has = (_: unknown, variant: number): boolean => others.variants.includes(variant);
    const found = [...deviationsWith(list, others, lists.length)];
    expect(found.filter(has)).to.deep.equal(lists.filter(has).map(deviationOf));
  }

  it('have sums and deviations that are to the last bit those of each list by itself', () => {
    forSeeds(200, (seed) => {
      const random = new Random(seed, 'variants');
      holdAll(random, [0, random.fraction(), random.fraction()], 12, random.between(0, 12));
    });
  });

  it('may be more than are compared', () => {
    forSeeds(5, (seed) => holdAll(new Random(seed, 'many variants'), [], 8, 300));
  });
});
