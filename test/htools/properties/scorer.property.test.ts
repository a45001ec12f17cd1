import { expect } from 'chai';
import { Random } from '../../../bench/generate/random.ts';
import { PLAIN_SHAPE } from '../../../bench/generate/shape.ts';
import { ALLOWED } from '../../../src/htools/cluster/refusal.ts';
import { applyMove } from '../../../src/htools/model/moves/apply.ts';
import { rowWithPrimary } from '../../../src/htools/model/moves/arrival-rows.ts';
import { addPrimary } from '../../../src/htools/model/moves/transitions.ts';
import { METRIC_COUNT } from '../../../src/htools/model/score/metrics.ts';
import { nodeRows, Scorer } from '../../../src/htools/model/score/scorer.ts';
import { scoresWith } from '../../../src/htools/model/score/variants.ts';
import { ClusterState, MIRROR_NONE } from '../../../src/htools/model/state/state.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../src/htools/planners/balance/options.ts';
import { movesOf } from '../../../src/htools/planners/balance/possible-moves.ts';
import { touchedNodes, trialScore, trialScores } from '../../../src/htools/planners/balance/steps/trial.ts';
import { clusterOfShape, nodesByGroup, randomCluster } from '../../builders/random-cluster.ts';
import { randomMove } from '../../builders/random-moves.ts';
import { forSeeds } from '../../builders/seeds.ts';
import { instanceFrom } from '../../builders/small-cluster.ts';

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
        if (move) trialScore(scorer, move, random.chance(0.5));
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
        const promised = trialScore(scorer, move, false);
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

  it('scores many moves at once as each by itself, refused ones among them', () => {
    let [ties, refused] = [0, 0];
    forSeeds(
      24,
      (seed) => {
        const random = new Random(seed, 'many');
        const shape = { ...PLAIN_SHAPE, seed, nodesPerGroup: 15, oddNodeShare: 0, hasEqualInstances: true };
        const state = new ClusterState(seed % 2 === 0 ? clusterOfShape(shape) : randomCluster(seed));
        for (const scope of scopesOf(state)) {
          const scorer = new Scorer(state, scope);
          const i = random.pick(scope.flatMap((n) => state.primaries[n]!));
          if (i === undefined || state.mirroring[i] === MIRROR_NONE) continue;
          const moves = [...movesOf(state, i, scope, DEFAULT_BALANCE_OPTIONS)];
          for (let k = 0; k < 9; k++)
            moves.push(...[randomMove(state, random)].filter((move) => move !== undefined));
          const expected = moves.map((move) => trialScore(scorer, move, false));
          expect(trialScores(scorer, moves, false), `seed ${seed}`).to.deep.equal(expected);
          refused += expected.filter(Number.isNaN).length;
          ties += expected.length - new Set(expected).size;
        }
      },
      [840317301],
    );
    expect(Math.min(ties, refused)).to.be.above(20);
  });

  it('scores a newcomer on each node by itself as if it had come, to the last bit', () => {
    let ties = 0;
    forSeeds(60, (seed) => {
      const isEven = seed % 3 === 0;
      const shape = { ...PLAIN_SHAPE, seed, nodesPerGroup: 60, oddNodeShare: 0, memoryFill: 0.1 };
      const snapshot = isEven
        ? clusterOfShape({ ...shape, instancesPerNode: 1, hasEqualInstances: true })
        : randomCluster(seed);
      const state = new ClusterState(snapshot);
      if (state.tags.hasLocations) return;
      for (const scope of scopesOf(state)) {
        const scorer = new Scorer(state, scope);
        const nodes = scope.filter((n) => !state.isOffline[n]);
        const rows = nodeRows(state);
        const i = state.addInstance({
          ...instanceFrom({ diskTemplate: 'plain', primary: -1 }, 0),
          index: -1,
        });
        for (const n of nodes) rowWithPrimary(state, i, n, 0, rows, n * METRIC_COUNT);
        const others = nodes.map((node, k) => ({
          node,
          figures: rows,
          at: node * METRIC_COUNT,
          variants: [k],
        }));
        const found = scoresWith(
          scorer,
          others,
          nodes.map(() => scorer.crowding()),
        );
        const expected = nodes.map((n) => {
          const mark = state.journal.mark();
          addPrimary(state, i, n, 0);
          scorer.refresh([n]);
          const { score } = scorer;
          state.journal.rollback(mark);
          scorer.refresh([n]);
          return score;
        });
        expect([...found], `seed ${seed}`).to.deep.equal(expected);
        ties += expected.length - new Set(expected).size;
        state.dropLastInstance();
      }
    });
    expect(ties).to.be.above(0);
  });
});
