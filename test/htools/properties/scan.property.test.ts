import { expect } from 'chai';
import { Random } from '../../../bench/generate/random.ts';
import { PLAIN_SHAPE } from '../../../bench/generate/shape.ts';
import { ALLOWED } from '../../../src/htools/cluster/refusal.ts';
import { ClusterState } from '../../../src/htools/model/state/state.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../src/htools/planners/balance/options.ts';
import { tryAllOf } from '../../builders/every-candidate.ts';
import { clusterOfAnySort, clusterOfShape, nodesByGroup } from '../../builders/random-cluster.ts';
import { randomOptions } from '../../builders/random-moves.ts';
import { ScanBench } from '../../builders/scan-bench.ts';
import { forSeeds } from '../../builders/seeds.ts';

/** Two scores that are off in opposite directions must still be told apart: each may be off by half. */
const SHARE_OF_TOLERANCE = 0.5;
/** Far below any gain that is worth a step. */
const USEFUL_TOLERANCE = 1e-5;

describe('the scan', () => {
  const seen = { allowed: 0, refused: 0, kinds: new Set<number>(), clusters: 0 };

  it('allows what applying allows and scores within half its tolerance', () => {
    forSeeds(80, (seed) => {
      const random = new Random(seed, 'scan');
      const state = new ClusterState(clusterOfAnySort(seed));
      const options = randomOptions(random);
      for (const nodes of nodesByGroup(state.snapshot)) {
        const bench = new ScanBench(state, nodes, options);
        for (let round = 0; round < 2; round++) {
          if (Number.isNaN(bench.scorer.score)) continue;
          const margin = SHARE_OF_TOLERANCE * bench.tables.tolerance();
          for (const i of bench.covered(options)) {
            const scanned = bench.scanned(i);
            const tried = tryAllOf(state, bench.scorer, i, options);
            const allowed = tried.filter(({ refusal }) => refusal === ALLOWED);
            const label = `instance ${i}, round ${round}`;
            expect([...scanned.keys()].sort(), label).to.deep.equal(
              allowed.map(({ kind, target }) => `${kind} ${target}`).sort(),
            );
            for (const { kind, target, score } of allowed) {
              seen.kinds.add(kind);
              const error = Math.abs(scanned.get(`${kind} ${target}`)! - score);
              if (error > margin)
                expect.fail(`${label}, kind ${kind} to ${target}: off by ${error}, ${margin} allowed`);
            }
            seen.allowed += allowed.length;
            seen.refused += tried.length - allowed.length;
          }
          seen.clusters++;
          for (let k = 0; k < 8; k++) bench.moveSomething(random);
        }
      }
    });
  });

  it('does so on larger clusters, with a tolerance that is of use', () => {
    const shape = { ...PLAIN_SHAPE, nodesPerGroup: 40, instancesPerNode: 4, hasOddSizes: true };
    for (const more of [
      {},
      { locationCount: 3, hasCpuSpeeds: true, templates: { drbd: 2, ext: 1, plain: 1 } },
    ]) {
      const state = new ClusterState(clusterOfShape({ ...shape, ...more }));
      const nodes = state.snapshot.nodes.map((_, node) => node);
      const bench = new ScanBench(state, nodes, DEFAULT_BALANCE_OPTIONS);
      const tolerance = bench.tables.tolerance();
      expect(tolerance).to.be.below(USEFUL_TOLERANCE);
      for (const i of bench.covered(DEFAULT_BALANCE_OPTIONS).slice(0, 25)) {
        const scanned = bench.scanned(i);
        const allowed = tryAllOf(state, bench.scorer, i, DEFAULT_BALANCE_OPTIONS).filter(
          ({ refusal }) => refusal === ALLOWED,
        );
        expect(scanned.size).to.equal(allowed.length);
        for (const { kind, target, score } of allowed)
          expect(scanned.get(`${kind} ${target}`)).to.be.closeTo(score, SHARE_OF_TOLERANCE * tolerance);
      }
    }
  });

  it('was held against every kind of move, allowed and refused', () => {
    expect([...seen.kinds].sort()).to.deep.equal([0, 1, 2, 3, 4, 5]);
    expect(seen.allowed).to.be.above(2500);
    expect(seen.refused).to.be.above(600);
  });
});
