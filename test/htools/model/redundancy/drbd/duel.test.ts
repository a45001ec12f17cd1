import { expect } from 'chai';
import { type Duel, isWon } from '../../../../../src/htools/model/redundancy/drbd/duel.ts';
import { Statistics } from '../../../../../src/htools/model/score/incremental.ts';
import { FREE_MEM_CV, N1_CNT } from '../../../../../src/htools/model/score/metrics.ts';
import { smallState } from '../../../../builders/small-cluster.ts';

const state = smallState({ nodes: [{}], instances: [] });

/** Statistics of values of the free memory, and a count of nodes that fail N+1. */
function statisticsOf(values: readonly number[], failing = 0): Statistics {
  const statistics = new Statistics(state);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  statistics.counts.fill(values.length);
  statistics.sums[FREE_MEM_CV] = mean * values.length;
  statistics.variances[FREE_MEM_CV] =
    values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  statistics.sums[N1_CNT] = failing;
  return statistics;
}

describe('the comparison of two places of an instance', () => {
  const before = statisticsOf([0.5, 0.5, 0.5, 0.5, 0.5, 0.5]);
  const won = statisticsOf([0.4, 0.5, 0.5, 0.5, 0.5, 0.5]);
  const lost = statisticsOf([0.5, 0.3, 0.5, 0.5, 0.5, 0.5]);
  const fates = { failingOver: [], moving: [1, 2], recreated: [], largestMem: 0, largestDisk: 0 };
  const duel: Duel = {
    fates,
    places: [0, 1],
    grounds: [],
    moment: 0,
    before,
    between: before,
    won,
    lost,
  };

  it('follows what other nodes have become', () => {
    expect(isWon(duel, before)).to.equal(true);
    expect(isWon(duel, statisticsOf([0.5, 0.5, 0.4, 0.4, 0.4, 0.4]))).to.equal(true);
    // Now the mean is so low that the other place is nearer to it.
    expect(isWon(duel, statisticsOf([0.5, 0.5, 0.1, 0.1, 0.1, 0.1]))).to.equal(false);
  });

  it('is lost where the other place is better, or cannot be told from it', () => {
    expect(isWon({ ...duel, won: lost, lost: won }, before)).to.equal(false);
    expect(isWon({ ...duel, lost: won }, before)).to.equal(false);
    expect(isWon({ ...duel, lost: statisticsOf([0.4 - 1e-15, 0.5, 0.5, 0.5, 0.5, 0.5]) }, before)).to.equal(
      false,
    );
    expect(isWon({ ...duel, lost: statisticsOf([0.4, 0.5, 0.5, 0.5, 0.5, 0.5], 1) }, before)).to.equal(true);
  });

  it('is won where the other place does not take it', () => {
    expect(isWon({ ...duel, lost: undefined }, before)).to.equal(true);
  });
});
