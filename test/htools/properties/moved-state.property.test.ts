import { expect } from 'chai';
import { Random } from '../../../bench/generate/random.ts';
import { ALLOWED } from '../../../src/htools/cluster/refusal.ts';
import { applyMove } from '../../../src/htools/model/moves/apply.ts';
import { scoreOf } from '../../../src/htools/model/score/scorer.ts';
import * as F from '../../../src/htools/model/state/node-fields.ts';
import { ClusterState, IS_FORTHCOMING } from '../../../src/htools/model/state/state.ts';
import { randomCluster, withoutNamed } from '../../builders/random-cluster.ts';
import { randomMove } from '../../builders/random-moves.ts';
import { forSeeds } from '../../builders/seeds.ts';
import { fieldsOf, imageOf, movedSnapshot } from '../../builders/state-image.ts';

/** Loads are sums of fractions: their last bits depend on the order in which the instances came. */
const LOADS = [F.LOAD_CPU, F.LOAD_MEM, F.LOAD_DISK, F.LOAD_NET];
const LOAD_TOLERANCE = 1e-9;
const SPINDLES = [F.FREE_SPINDLES, F.FREE_SPINDLES_FORTHCOMING];

/**
 * A state after some moves, and the nodes that real instances came to or left: reserved ones do not touch
 * N+1.
 */
function movedState(seed: number): { state: ClusterState; touched: Set<number> } {
  const random = new Random(seed, 'moved');
  const state = new ClusterState(withoutNamed(randomCluster(seed)));
  const touched = new Set<number>();
  for (let k = 0; k < 15; k++) {
    const move = randomMove(state, random);
    if (!move) continue;
    const nodes = [state.primary[move.instance]!, state.secondary[move.instance]!, move.target];
    if (applyMove(state, move.instance, move.kind, move.target, random.chance(0.5)) !== ALLOWED) continue;
    if (state.flags[move.instance]! & IS_FORTHCOMING) continue;
    for (const node of nodes) if (node >= 0) touched.add(node);
  }
  return { state, touched };
}

/**
 * Figures in which the stock programs, and so we, depend on how a cluster got where it is: free spindles of
 * nodes that do not count them become 0 at the first change, unknown ones spoil the account of those that do;
 * reported cpu loads hide the instances'.
 */
function historyFields(state: ClusterState, node: number): Set<number> {
  const skipped = new Set<number>(LOADS);
  const knowsSpindles = state.diskSpindles.every((spindles) => !Number.isNaN(spindles));
  if (!state.isExclusive[node] || !knowsSpindles) for (const field of SPINDLES) skipped.add(field);
  return skipped;
}

const without = (fields: readonly number[], skipped: ReadonlySet<number>): number[] =>
  fields.filter((_, field) => !skipped.has(field));

const sorted = (lists: readonly (readonly number[])[]): number[][] =>
  lists.map((list) => [...list].sort((a, b) => a - b));

describe('a state after moves', () => {
  it('has the figures of one that was read where the moves lead', () => {
    let moved = 0;
    forSeeds(80, (seed) => {
      const { state, touched } = movedState(seed);
      if (touched.size > 0) moved++;
      const fresh = new ClusterState(movedSnapshot(state));
      state.snapshot.nodes.forEach((record, node) => {
        const skipped = historyFields(state, node);
        const ours = fieldsOf(state, node);
        const theirs = fieldsOf(fresh, node);
        expect(without(ours, skipped), `node ${node}`).to.deep.equal(without(theirs, skipped));
        for (const field of LOADS) {
          if (field === F.LOAD_CPU && record.reportedCpuLoad !== undefined) continue;
          expect(ours[field]).to.be.closeTo(theirs[field]!, LOAD_TOLERANCE);
        }
      });
    });
    expect(moved, 'clusters in which something moved').to.be.above(50);
  });

  it('has the lists, reservations and tag counts of one that was read where the moves lead', () => {
    forSeeds(60, (seed) => {
      const { state } = movedState(seed);
      const ours = imageOf(state);
      const theirs = imageOf(new ClusterState(movedSnapshot(state)));
      for (const list of [
        'primaries',
        'secondaries',
        'forthcomingPrimaries',
        'forthcomingSecondaries',
      ] as const)
        expect(sorted(ours[list]), list).to.deep.equal(sorted(theirs[list]));
      for (const array of ['peers', 'tagCounts', 'pairCounts', 'crowding', 'locationScore'] as const)
        expect(ours[array], array).to.deep.equal(theirs[array]);
    });
  });

  it('keeps the totals of the cluster', () => {
    const total = (state: ClusterState, field: number): number => {
      let sum = 0;
      for (let n = 0; n < state.nodeCount; n++) sum += state.nodeFields[n * F.NODE_STRIDE + field]!;
      return sum;
    };
    forSeeds(40, (seed) => {
      const { state } = movedState(seed);
      const before = new ClusterState(state.snapshot);
      for (const field of [F.FREE_MEM, F.INSTANCE_MEM, F.USED_CPU, F.PRIMARY_COUNT, F.SECONDARY_COUNT])
        expect(total(state, field)).to.equal(total(before, field));
      expect(total(state, F.FREE_DISK)).to.equal(total(before, F.FREE_DISK));
    });
  });

  it('scores as one that was read there, where no history hides', () => {
    let compared = 0;
    forSeeds(60, (seed) => {
      const { state } = movedState(seed);
      const { nodes } = state.snapshot;
      if (nodes.some((node) => node.hasExclusiveStorage || node.reportedCpuLoad !== undefined)) return;
      const fresh = new ClusterState(movedSnapshot(state));
      const all = nodes.map((_, n) => n);
      const ours = scoreOf(state, all);
      if (Number.isNaN(ours)) return;
      compared++;
      expect(ours).to.be.closeTo(scoreOf(fresh, all), LOAD_TOLERANCE);
    });
    expect(compared, 'clusters compared').to.be.above(20);
  });
});
