import { expect } from 'chai';
import { Random } from '../../../../../bench/generate/random.ts';
import { updatedVariance } from '../../../../../src/htools/model/score/incremental.ts';
import { FREE_MEM_CV, METRIC_COUNT } from '../../../../../src/htools/model/score/metrics.ts';
import { NearHomes } from '../../../../../src/htools/planners/allocate/search/near-homes.ts';
import type { RoleChanges } from '../../../../../src/htools/planners/allocate/search/role-changes.ts';
import { forSeeds } from '../../../../builders/seeds.ts';

const column = (value: number): Float64Array => new Float64Array(METRIC_COUNT).fill(value);

describe('the best homes of a group', () => {
  it('score at least as is said of them, whatever comes to other nodes', () => {
    forSeeds(200, (seed) => {
      const random = new Random(seed, 'near');
      const values = Array.from({ length: 12 }, () => random.fraction());
      const sum = values.reduce((a, b) => a + b);
      const variance = values.reduce((a, b) => a + (b - sum / 12) ** 2, 0) / 12;
      const homes = values.slice(0, 4).map((x) => ({ x, y: x - random.fraction() / 4 }));
      const deviation = (s: number, v: number, { x, y }: { x: number; y: number }): number =>
        Math.sqrt(updatedVariance(12, s, v, x, y));
      const changes = homes.map(({ x, y }) => y - x);
      const shifts = homes.map((home) => deviation(sum, variance, home) ** 2 - variance);
      const statistics = { sums: column(sum), variances: column(variance), counts: column(12) };
      const near = new NearHomes();
      near.begin(statistics as unknown as RoleChanges);
      near.note(
        FREE_MEM_CV,
        Math.min(...changes),
        Math.max(...changes),
        Math.min(...shifts),
        Math.max(...shifts),
      );
      // Another node's value changes.
      const after = random.fraction();
      const laterVariance = updatedVariance(12, sum, variance, values[11]!, after);
      const laterSum = sum + after - values[11]!;
      const later = { sums: column(laterSum), variances: column(laterVariance), counts: column(12) };
      const weights = column(0);
      weights[FREE_MEM_CV] = 3;
      const least = near.leastMove(later as unknown as RoleChanges, weights);
      const moves = homes.map(
        (home) => 3 * (deviation(laterSum, laterVariance, home) - deviation(sum, variance, home)),
      );
      for (const move of moves) expect(move).to.be.at.least(least - 1e-12);
      expect(least, 'not far below').to.be.greaterThan(Math.min(...moves) - 0.5);
    });
  });
});
