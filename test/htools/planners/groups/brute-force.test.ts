import { expect } from 'chai';
import { compareWithTruth } from '../../../../bench/htools/planners/groups/brute-force/compare.ts';
import { oddCluster } from '../../../../bench/htools/planners/groups/brute-force/odd-cluster.ts';
import { forSeeds } from '../../../builders/seeds.ts';

describe('work between groups against trying everything', () => {
  it('heals and empties what can be, proves nothing false, moves nothing twice, and saves what it says', () => {
    let asked = 0;
    forSeeds(10, (seed) => {
      const found = compareWithTruth(oddCluster(seed), `seed ${seed}`);
      asked += found.asked;
      expect(found.faults, `npm run compare -- groups --show ${seed}`).to.deep.equal([]);
    });
    expect(asked).to.be.above(40);
  });
});
