import { expect } from 'chai';
import { Random } from '../../../../../bench/generate/random.ts';
import { RatedPlacements } from '../../../../../src/htools/planners/groups/homes/rated-placements.ts';

describe('rated placements', () => {
  it('are taken out the best first, equal ones by group and nodes', () => {
    const random = new Random(7, 'rated');
    const rated = new RatedPlacements(() => expect.fail('no rating is an estimate'));
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

  it('are taken out in the same order where ratings are estimates, of which only the nearest are asked', () => {
    const random = new Random(8, 'rated');
    const all = Array.from({ length: 2000 }, (_, k) => ({
      group: 0,
      primary: random.between(0, 9),
      secondary: 10 + k,
      rating: random.between(0, 400),
    }));
    let asked = 0;
    const rated = new RatedPlacements((_, __, secondary) => {
      asked++;
      return all[secondary - 10]!.rating;
    });
    const error = 0.7;
    for (const { group, primary, secondary, rating } of all)
      rated.add(group, primary, secondary, rating + random.real(-error, error), error);
    rated.drop(({ primary }) => primary === 3);
    const wanted = all
      .filter(({ primary }) => primary !== 3)
      .sort((a, b) => a.rating - b.rating || a.primary - b.primary || a.secondary - b.secondary);
    for (const { rating: _, ...home } of wanted.slice(0, 50)) expect(rated.takeBest()).to.deep.equal(home);
    expect(asked).to.be.below(100);
    for (const { rating: _, ...home } of wanted.slice(50)) expect(rated.takeBest()).to.deep.equal(home);
    expect(rated.takeBest()).to.equal(undefined);
  });
});
