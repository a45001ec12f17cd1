import { expect } from 'chai';
import { openHighs } from '../../../src/disk/solve/highs.ts';
import { runsOf } from '../../builders/seeds.ts';
import { damageOf } from './damage.ts';

/** `npm run fuzz -- layouts` takes more. */
const COUNT = runsOf(75);

describe('damaged schemas and hardware', () => {
  it('are refused with a place, or laid out soundly', async () => {
    const solver = await openHighs(10);
    const outcomes = { refused: 0, layout: 0, infeasible: 0, unfinished: 0 };
    for (let seed = 1; seed <= COUNT; seed++) {
      const { outcome, complaints, schema, hardware } = damageOf(seed, solver);
      expect(complaints, `seed ${seed}\n${schema}\n${hardware}`).to.deep.equal([]);
      outcomes[outcome]++;
    }
    expect(outcomes.refused).to.be.above(COUNT / 4);
    expect(outcomes.layout).to.be.above(COUNT / 10);
  });
});
