import { expect } from 'chai';
import { Random } from '../../../../bench/generate/random.ts';
import { deviationsWith, sumsWith } from '../../../../src/htools/model/score/one-other.ts';
import { forSeeds } from '../../../builders/seeds.ts';
import { times } from '../../../builders/small-cluster.ts';

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

function deviationOf(values: readonly number[]): number {
  const mean = sumOf(values) / values.length;
  return Math.sqrt(sumOf(values.map((value) => (value - mean) * (value - mean))) / values.length);
}

describe('values with one of them another', () => {
  it('have sums and deviations that are to the last bit those of each list by itself', () => {
    forSeeds(200, (seed) => {
      const random = new Random(seed, 'one other');
      const few = [0, random.fraction(), random.fraction()];
      const figure = (): number => (random.chance(0.7) ? random.pick(few) : random.real(-2, 2));
      const values = times(random.between(1, 12), figure);
      const places = [...values.keys()].filter(() => random.chance(0.7));
      const others = places.map(figure);
      const lists = places.map((place, k) => values.with(place, others[k]!));
      const list = Float64Array.from(values);
      expect([...sumsWith(list, places, others)]).to.deep.equal(lists.map(sumOf));
      expect([...deviationsWith(list, places, others)]).to.deep.equal(lists.map(deviationOf));
    });
  });
});
