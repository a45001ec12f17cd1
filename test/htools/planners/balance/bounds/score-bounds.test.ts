import { expect } from 'chai';
import { Random } from '../../../../../bench/generate/random.ts';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import { ScoreBounds } from '../../../../../src/htools/planners/balance/bounds/score-bounds.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../../../src/htools/planners/balance/options.ts';
import { nodesByGroup, randomCluster } from '../../../../builders/random-cluster.ts';
import { ScanBench } from '../../../../builders/scan-bench.ts';
import { forSeeds } from '../../../../builders/seeds.ts';

const ROUNDS = 3;
const ROUNDING = 1e-9;

/** Random clusters with a scan of each group and what a search knows of its instances. */
function forGroups(
  check: (bench: ScanBench, bounds: ScoreBounds, random: Random, label: string) => void,
): void {
  forSeeds(40, (seed) => {
    const random = new Random(seed, 'score bounds');
    const state = new ClusterState(
      randomCluster(seed, { fewestNodes: 4, mostNodes: 12, mostInstancesPerNode: 4 }),
    );
    for (const nodes of nodesByGroup(state.snapshot)) {
      const bench = new ScanBench(state, nodes, DEFAULT_BALANCE_OPTIONS);
      // Where all nodes are offline there is nowhere to move to.
      if (bench.tables.targets.length > 0 && !Number.isNaN(bench.scorer.score))
        check(
          bench,
          new ScoreBounds(bench.scan, [...state.snapshot.instances.keys()]),
          random,
          `seed ${seed}, group of ${nodes.length}`,
        );
    }
  });
}

/** Instances of the bench; those that steps touched, or that are new, have their hoists taken over. */
function takeOver(
  bench: ScanBench,
  bounds: ScoreBounds,
  touched: ReadonlySet<number>,
  known: Map<number, string>,
) {
  const covered = bench.covered(DEFAULT_BALANCE_OPTIONS);
  const { primary, secondary, locationClassCount } = bench.scan.data;
  for (const i of covered) {
    // With locations a step changes what others with its exclusion tags would meet, wherever they are.
    const isKin = locationClassCount > 0;
    if (known.has(i) && !isKin && !touched.has(primary[i]!) && !touched.has(secondary[i]!)) continue;
    bench.hoists.refresh(i);
    const place = `${primary[i]} ${secondary[i]}`;
    bounds.refresh(i, known.get(i) !== place);
    known.set(i, place);
  }
  bounds.nextSearch([...touched].filter((node) => bench.tables.targets.includes(node)));
  bounds.look(0, primary.length);
  return covered;
}

describe('bounds of scores', () => {
  it('are never above what any move of an instance leads to, after any steps', () => {
    let bounded = 0;
    forGroups((bench, bounds, random, label) => {
      const known = new Map<number, string>();
      let touched = new Set<number>();
      for (let round = 0; round < ROUNDS; round++) {
        for (const i of takeOver(bench, bounds, touched, known)) {
          const lowest = Math.min(Number.POSITIVE_INFINITY, ...bench.scanned(i).values());
          const bound = bounds.arrays.lowest[i]!;
          expect(bound, `${label}, round ${round}, instance ${i}`).to.be.at.most(lowest + ROUNDING);
          if (Number.isFinite(bound)) bounded++;
        }
        touched = new Set(bench.moveSomething(random));
      }
    });
    expect(bounded).to.be.above(300);
  });

  it('leave out no candidate of a scan that is near enough to the best, and score few others', () => {
    const seen = { candidates: 0, scored: 0, all: 0 };
    forGroups((bench, bounds, random, label) => {
      const known = new Map<number, string>();
      let touched = new Set<number>();
      for (let round = 0; round < ROUNDS; round++) {
        for (const i of takeOver(bench, bounds, touched, known)) {
          const scores = [...bench.scanned(i)];
          const ceiling = bench.scorer.score * random.real(0.7, 1);
          bench.found.reset(ceiling, 0);
          const before = bench.scan.visited;
          bounds.scanBest(i, bench.tables.tolerance());
          seen.scored += bench.scan.visited - before;
          seen.all += scores.length;
          const best = Math.min(ceiling, ...scores.map(([, score]) => score));
          const nearest = scores.flatMap(([key, score]) => (score <= best && score < ceiling ? [key] : []));
          const { found } = bench;
          const kept = found.closest().map(({ kind, target }) => `${kind} ${target}`);
          expect(kept, `${label}, round ${round}, instance ${i}`).to.include.members(nearest);
          seen.candidates += nearest.length;
        }
        touched = new Set(bench.moveSomething(random));
      }
    });
    expect(seen.candidates).to.be.above(50);
    expect(seen.scored, JSON.stringify(seen)).to.be.below(seen.all / 2);
  });
});
