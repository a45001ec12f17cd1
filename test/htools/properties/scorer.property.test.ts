import { expect } from 'chai';
import { Random } from '../../../bench/generate/random.ts';
import { ALLOWED } from '../../../src/htools/cluster/refusal.ts';
import { applyMove } from '../../../src/htools/model/moves/apply.ts';
import { Scorer } from '../../../src/htools/model/score/scorer.ts';
import { ClusterState } from '../../../src/htools/model/state/state.ts';
import { touchedNodes, trialScore } from '../../../src/htools/planners/balance/steps/trial.ts';
import { nodesByGroup, randomCluster } from '../../builders/random-cluster.ts';
import { randomMove } from '../../builders/random-moves.ts';
import { forSeeds } from '../../builders/seeds.ts';

/** Scorers of each group and of all nodes together. */
function scopesOf(state: ClusterState): number[][] {
  return [...nodesByGroup(state.snapshot), state.snapshot.nodes.map((_, node) => node)];
}

describe('a scorer', () => {
  it('has after each refresh the values of a new one, to the last bit', () => {
    forSeeds(60, (seed) => {
      const random = new Random(seed, 'scorer');
      const state = new ClusterState(randomCluster(seed));
      const scopes = scopesOf(state);
      const scorers = scopes.map((nodes) => new Scorer(state, nodes));
      for (let k = 0; k < 12; k++) {
        const move = randomMove(state, random);
        if (!move) continue;
        const touched = touchedNodes(state, move.instance, move.target);
        if (applyMove(state, move.instance, move.kind, move.target, true) !== ALLOWED) continue;
        scorers.forEach((scorer, scope) => {
          scorer.refresh(touched);
          const fresh = new Scorer(state, scopes[scope]!);
          expect([...scorer.values]).to.deep.equal([...fresh.values]);
          expect(scorer.score).to.deep.equal(fresh.score);
        });
      }
    });
  });

  it('has its old values after a trial', () => {
    forSeeds(40, (seed) => {
      const random = new Random(seed, 'trial');
      const state = new ClusterState(randomCluster(seed));
      const scorer = new Scorer(state, nodesByGroup(state.snapshot)[0]!);
      const before = [...scorer.values];
      for (let k = 0; k < 12; k++) {
        const move = randomMove(state, random);
        if (move) trialScore(state, scorer, move.instance, move.kind, move.target, random.chance(0.5));
      }
      expect([...scorer.values]).to.deep.equal(before);
    });
  });

  it('promises in a trial the score that applying the move gives', () => {
    forSeeds(40, (seed) => {
      const random = new Random(seed, 'promise');
      const state = new ClusterState(randomCluster(seed));
      const [nodes] = nodesByGroup(state.snapshot);
      const scorer = new Scorer(state, nodes!);
      for (let k = 0; k < 12; k++) {
        const move = randomMove(state, random);
        if (!move) continue;
        const promised = trialScore(state, scorer, move.instance, move.kind, move.target, false);
        const touched = touchedNodes(state, move.instance, move.target);
        if (applyMove(state, move.instance, move.kind, move.target, false) !== ALLOWED) {
          expect(promised).to.deep.equal(Number.NaN);
          continue;
        }
        scorer.refresh(touched);
        expect(promised).to.deep.equal(scorer.score);
      }
    });
  });
});
