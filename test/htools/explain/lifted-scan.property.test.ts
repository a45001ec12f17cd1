import { expect } from 'chai';
import { Random } from '../../../bench/generate/random.ts';
import { PLAIN_SHAPE } from '../../../bench/generate/shape.ts';
import type { Snapshot } from '../../../src/htools/cluster/snapshot.ts';
import { LiftedScan } from '../../../src/htools/explain/lifted-scan.ts';
import { applyMove } from '../../../src/htools/model/moves/apply.ts';
import { Scorer } from '../../../src/htools/model/score/scorer.ts';
import { groupsWithNodes } from '../../../src/htools/model/state/scope.ts';
import { ClusterState } from '../../../src/htools/model/state/state.ts';
import { nodesOfStep } from '../../../src/htools/plan/step.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../src/htools/planners/balance/options.ts';
import type { Candidate } from '../../../src/htools/planners/balance/scan/candidates.ts';
import { planBalance } from '../../../src/htools/planners/balance/steps/balance-plan.ts';
import { clusterOfShape, randomCluster } from '../../builders/random-cluster.ts';
import { randomOptions } from '../../builders/random-moves.ts';
import { forSeeds } from '../../builders/seeds.ts';

const MOST_STEPS = 14;

/**
 * Scans that began at other steps measure from other centres: equal moves may be ranked by another last
 * digit.
 */
const ROUNDING = 1e-6;

/**
 * Looks along a plan with a scan that goes along, and beside it with one that starts from nothing; how many
 * looks and moves.
 */
function follow(snapshot: Snapshot, random: Random, given = {}): { looks: number; moves: number } {
  const options = { ...DEFAULT_BALANCE_OPTIONS, ...given, n1Guard: false };
  let looks = 0;
  let moves = 0;
  for (const group of groupsWithNodes(snapshot)) {
    const plan = planBalance(snapshot, group, options);
    const state = new ClusterState(snapshot);
    const scorer = new Scorer(state, plan.nodes);
    const carried = new LiftedScan(state, scorer, options);
    for (const step of plan.steps.slice(0, MOST_STEPS)) {
      // Sometimes only the first are asked for, and sometimes nothing, so that bounds of all ages meet.
      if (random.chance(0.8)) {
        const most = random.chance(0.3) ? 2 : Number.POSITIVE_INFINITY;
        const ceiling = step.score + random.real(0, 0.5) * (scorer.score - step.score);
        const fresh = [...new LiftedScan(state, scorer, options).below(ceiling)].slice(0, most);
        const found: Candidate[] = [];
        for (const move of carried.below(ceiling)) if (found.push(move) >= most) break;
        expect(found.length).to.equal(fresh.length);
        for (const [at, move] of found.entries()) {
          expect(move.score).to.be.closeTo(fresh[at]!.score, ROUNDING);
          if (at < 20) expect(carried.exactScore(move)).to.be.closeTo(move.score, ROUNDING);
        }
        looks++;
        moves += found.length;
      }
      applyMove(state, step.instance, step.kind, step.target, options.ignoreSoftErrors);
      state.journal.commit();
      scorer.refresh(nodesOfStep(step));
      carried.refresh(step);
    }
  }
  return { looks, moves };
}

describe('the scan without rules', () => {
  it('finds after each step what one that starts from nothing finds, in the same order', () => {
    let looks = 0;
    let moves = 0;
    forSeeds(
      16,
      (seed) => {
        const random = new Random(seed, 'lifted');
        const snapshot = randomCluster(seed, { fewestNodes: 4, mostNodes: 12, mostInstancesPerNode: 4 });
        const seen = follow(snapshot, random, random.chance(0.3) ? randomOptions(random) : {});
        looks += seen.looks;
        moves += seen.moves;
      },
      [383894612],
    );
    expect(looks, 'looks').to.be.above(40);
    expect(moves, 'moves').to.be.above(80);
  });

  it('does so where bounds rule most instances out, and where tags crowd in locations', () => {
    const plain = { ...PLAIN_SHAPE, nodesPerGroup: 24, instancesPerNode: 8 };
    const tagged = { ...plain, locationCount: 4, desiredLocationShare: 0.3, exclusionTagShare: 0.5 };
    for (const shape of [plain, tagged]) {
      const { looks, moves } = follow(clusterOfShape(shape), new Random(shape.locationCount, 'lifted'));
      expect(looks).to.be.above(7);
      expect(moves).to.be.above(60);
    }
  });
});
