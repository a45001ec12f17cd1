import { expect } from 'chai';
import { Random } from '../../../../bench/generate/random.ts';
import { VariantList } from '../../../../src/htools/model/score/variants.ts';
import { forSeeds } from '../../../builders/seeds.ts';
import { times } from '../../../builders/small-cluster.ts';

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

function deviationOf(values: readonly number[]): number {
  const mean = sumOf(values) / values.length;
  return Math.sqrt(sumOf(values.map((value) => (value - mean) * (value - mean))) / values.length);
}

describe('variants of a list of values', () => {
  const kept = new VariantList();

  /** @param few figures that most values are one of: sums come together */
  function holdAll(random: Random, few: readonly number[], most: number, variants: number): void {
    const figure = (): number => (random.chance(0.7) ? (random.pick(few) ?? 0) : random.real(-2, 2));
    const values = times(random.between(1, most), figure);
    const lists = times(variants, () => [...values]);
    const list = random.chance(0.5) ? kept : new VariantList();
    list.begin(values.length, values.length * variants);
    list.values.set(values);
    const changed = new Set<number>();
    for (const place of values.keys())
      for (const [variant, own] of lists.entries()) {
        if (random.chance(0.7)) continue;
        own[place] = figure();
        list.add(place, variant, own[place]);
        changed.add(variant);
      }
    const found = new Float64Array(variants);
    const expected = (ofOne: (own: number[]) => number): number[] =>
      lists.map((own, variant) => (changed.has(variant) ? ofOne(own) : 0));
    list.sums(found);
    expect([...found]).to.deep.equal(expected(sumOf));
    list.deviations(new VariantList(), found);
    expect([...found]).to.deep.equal(expected(deviationOf));
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
