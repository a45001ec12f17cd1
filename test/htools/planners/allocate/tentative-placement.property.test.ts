import { expect } from 'chai';
import { Random } from '../../../../bench/generate/random.ts';
import { applyMove } from '../../../../src/htools/model/moves/apply.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { TentativePlacement } from '../../../../src/htools/planners/allocate/tentative-placement.ts';
import { randomCluster } from '../../../builders/random-cluster.ts';
import { randomMove, randomPlacement } from '../../../builders/random-moves.ts';
import { forSeeds } from '../../../builders/seeds.ts';
import { imageOf } from '../../../builders/state-image.ts';

interface Trial {
  readonly state: ClusterState;
  readonly random: Random;
  readonly begin: () => TentativePlacement;
}

/** Clusters with a history, each with an instance to place. */
function forTrials(count: number, check: (trial: Trial) => void): void {
  let trials = 0;
  forSeeds(count, (seed) => {
    const random = new Random(seed, 'tentative');
    const state = new ClusterState(randomCluster(seed), { trackPeerOrder: true });
    for (let k = 0; k < 5; k++) {
      const move = randomMove(state, random);
      if (move) applyMove(state, move.instance, move.kind, move.target, true);
    }
    const wanted = randomPlacement(state, random);
    if (!wanted) return;
    trials++;
    check({ state, random, begin: () => new TentativePlacement(state, wanted.record, wanted) });
  });
  expect(trials).to.be.above(count / 2);
}

/** The image without the stamps of the peers, which count how often they changed. */
const unstamped = (state: ClusterState) => {
  const image = imageOf(state);
  return { ...image, peers: image.peers.map(({ stamp: _, ...peer }) => peer) };
};

describe('a tentative placement', () => {
  it('is gone to the last figure when it is removed', () => {
    forTrials(40, ({ state, begin }) => {
      const before = imageOf(state);
      const placed = begin();
      expect(imageOf(state)).to.not.deep.equal(before);
      placed.remove();
      expect(imageOf(state)).to.deep.equal(before);
    });
  });

  it('comes and goes as often as is wanted, with the same figures each time', () => {
    forTrials(40, ({ state, begin }) => {
      const figures = [...state.nodeFields];
      const placed = begin();
      const taken = unstamped(state);
      for (let k = 0; k < 3; k++) {
        placed.takeBack();
        expect([...state.nodeFields]).to.deep.equal(figures);
        expect(state.instanceCount).to.equal(taken.instanceCount);
        placed.place();
        expect(unstamped(state)).to.deep.equal(taken);
      }
    });
  });

  it('lets nobody take back what came after it', () => {
    let refused = 0;
    forTrials(40, ({ state, random, begin }) => {
      const placed = begin();
      const mark = state.journal.mark();
      const move = randomMove(state, random);
      if (move) applyMove(state, move.instance, move.kind, move.target, true);
      if (state.journal.mark() === mark) return;
      refused++;
      expect(() => placed.takeBack()).to.throw('out of turn');
      state.journal.rollback(mark);
      placed.takeBack();
      expect(() => placed.takeBack()).to.throw('out of turn');
    });
    expect(refused).to.be.above(5);
  });

  it('is not removed from under an instance that was added later', () => {
    forTrials(10, ({ begin }) => {
      const first = begin();
      const second = begin();
      expect(() => first.remove()).to.throw('out of turn');
      second.remove();
      first.remove();
    });
  });
});
