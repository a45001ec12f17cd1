import { expect } from 'chai';
import { Random } from '../../../../../bench/generate/random.ts';
import { RatedPlacements } from '../../../../../src/htools/planners/groups/homes/rated-placements.ts';

describe('rated placements', () => {
  it('are taken out the best first, equal ones by group and nodes', () => {
    const random = new Random(7, 'rated');
    const rated = new RatedPlacements();
    for (const count of [1100, 5, 0]) {
      rated.clear();
      const all = Array.from({ length: count }, () => ({
        group: random.between(0, 3),
        primary: random.between(0, 9),
        secondary: random.between(-1, 9),
        rating: random.between(0, 4),
      }));
      for (const one of all) rated.add(one.group, one.primary, one.secondary, one.rating);
      all.sort(
        (a, b) =>
          a.rating - b.rating || a.group - b.group || a.primary - b.primary || a.secondary - b.secondary,
      );
      for (const { rating: _, ...home } of all) expect(rated.takeBest()).to.deep.equal(home);
      expect(rated.takeBest()).to.equal(undefined);
    }
  });
});
