import { expect } from 'chai';
import { Random } from '../../../../../bench/generate/random.ts';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import { GainBounds } from '../../../../../src/htools/planners/balance/bounds/gain-bounds.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../../../src/htools/planners/balance/options.ts';
import { nodesByGroup, randomCluster } from '../../../../builders/random-cluster.ts';
import { ScanBench } from '../../../../builders/scan-bench.ts';
import { forSeeds } from '../../../../builders/seeds.ts';

const STEPS = 3;
/** A bound counts as close when it is no further above the gain than this. */
const CLOSE = 0.01;
const ROUNDING = 1e-9;

/** The lowest of the scores by `kind target`, targets left out; Infinity for none. */
function lowestOf(scores: ReadonlyMap<string, number>, leftOut: ReadonlySet<number> = new Set()): number {
  const kept = [...scores].filter(([key]) => !leftOut.has(Number(key.split(' ')[1])));
  return Math.min(Number.POSITIVE_INFINITY, ...kept.map(([, score]) => score));
}

describe('bounds of gains', () => {
  it('are never below what an untouched instance can gain at untouched targets after some steps, and mostly close', () => {
    const seen = { bounds: 0, close: 0, unknown: 0 };
    forSeeds(40, (seed) => {
      const random = new Random(seed, 'gain bounds');
      const state = new ClusterState(
        randomCluster(seed, { fewestNodes: 4, mostNodes: 12, mostInstancesPerNode: 4 }),
      );
      for (const nodes of nodesByGroup(state.snapshot)) {
        const bench = new ScanBench(state, nodes, DEFAULT_BALANCE_OPTIONS);
        if (Number.isNaN(bench.scorer.score)) continue;
        const bounds = new GainBounds(bench.tables, bench.hoists);
        for (const i of bench.covered(DEFAULT_BALANCE_OPTIONS)) {
          bounds.gains[i] = bench.scorer.score - lowestOf(bench.scanned(i));
          bounds.refresh(i);
        }
        const touched = new Set<number>();
        for (let k = 0; k < STEPS; k++) for (const n of bench.moveSomething(random)) touched.add(n);
        bounds.nextSearch();
        for (const i of bench.covered(DEFAULT_BALANCE_OPTIONS)) {
          if (touched.has(state.primary[i]!) || touched.has(state.secondary[i]!)) continue;
          const gain = bench.scorer.score - lowestOf(bench.scanned(i), touched);
          const bound = bounds.carried(i);
          expect(bound, `seed ${seed}, instance ${i}`).to.be.at.least(gain - ROUNDING);
          if (!Number.isFinite(gain)) continue;
          seen.bounds++;
          if (!Number.isFinite(bound)) seen.unknown++;
          else if (bound < gain + CLOSE) seen.close++;
        }
      }
    });
    expect(seen.bounds).to.be.above(100);
    expect(seen.close, JSON.stringify(seen)).to.be.above(seen.bounds / 4);
  });

  it('say nothing of an instance that was not scanned yet', () => {
    const state = new ClusterState(randomCluster(1));
    const [nodes] = nodesByGroup(state.snapshot);
    const bench = new ScanBench(state, nodes!, DEFAULT_BALANCE_OPTIONS);
    const bounds = new GainBounds(bench.tables, bench.hoists);
    expect(bounds.carried(0)).to.equal(Number.POSITIVE_INFINITY);
  });
});
