import { expect } from 'chai';
import { Random } from '../../../bench/generate/random.ts';
import { ALLOWED } from '../../../src/htools/cluster/refusal.ts';
import { applyMove, placeInstance } from '../../../src/htools/model/moves/apply.ts';
import { ClusterState } from '../../../src/htools/model/state/state.ts';
import { randomCluster } from '../../builders/random-cluster.ts';
import { randomMove, randomPlacement } from '../../builders/random-moves.ts';
import { forSeeds } from '../../builders/seeds.ts';
import { imageOf } from '../../builders/state-image.ts';

/** Tries a random move or placement; answers whether something was placed. */
function change(state: ClusterState, random: Random): boolean {
  if (random.chance(0.2)) {
    const placement = randomPlacement(state, random);
    if (!placement) return false;
    const { record, primary, secondary } = placement;
    const i = state.addInstance(record);
    if (placeInstance(state, i, primary, secondary, random.chance(0.5)) === ALLOWED) return true;
    state.dropLastInstance();
    return false;
  }
  const move = randomMove(state, random);
  if (move) applyMove(state, move.instance, move.kind, move.target, random.chance(0.5));
  return false;
}

describe('the journal', () => {
  it('takes back any sequence of moves and placements to the last figure', () => {
    let changed = 0;
    forSeeds(60, (seed) => {
      const random = new Random(seed, 'journal');
      const state = new ClusterState(randomCluster(seed), { trackPeerOrder: true });
      // Some changes stay, so that what is taken back starts from a state with a history.
      for (let k = 0; k < 5; k++) change(state, random);
      const before = imageOf(state);
      const mark = state.journal.mark();
      let placed = 0;
      for (let k = 0; k < 20; k++) if (change(state, random)) placed++;
      if (state.journal.mark() > mark) changed++;
      state.journal.rollback(mark);
      for (; placed > 0; placed--) state.dropLastInstance();
      expect(imageOf(state)).to.deep.equal(before);
    });
    expect(changed, 'clusters in which something moved').to.be.above(30);
  });

  it('takes back to marks inside one another', () => {
    forSeeds(30, (seed) => {
      const random = new Random(seed, 'marks');
      const state = new ClusterState(randomCluster(seed), { trackPeerOrder: true });
      const images: ReturnType<typeof imageOf>[] = [];
      const marks: number[] = [];
      for (let level = 0; level < 4; level++) {
        images.push(imageOf(state));
        marks.push(state.journal.mark());
        for (let k = 0; k < 5; k++) {
          const move = randomMove(state, random);
          if (move) applyMove(state, move.instance, move.kind, move.target, true);
        }
      }
      while (marks.length > 0) {
        state.journal.rollback(marks.pop()!);
        expect(imageOf(state)).to.deep.equal(images.pop());
      }
    });
  });

  it('leaves the state alone when a move is refused', () => {
    let refused = 0;
    forSeeds(60, (seed) => {
      const random = new Random(seed, 'refusals');
      const state = new ClusterState(randomCluster(seed), { trackPeerOrder: true });
      for (let k = 0; k < 10; k++) {
        const before = imageOf(state);
        const move = randomMove(state, random);
        if (!move || applyMove(state, move.instance, move.kind, move.target, false) === ALLOWED) continue;
        refused++;
        expect(imageOf(state)).to.deep.equal(before);
      }
    });
    expect(refused, 'refused moves').to.be.above(50);
  });
});
