import { expect } from 'chai';
import { PLAIN_SHAPE } from '../../../../../bench/generate/shape.ts';
import { groupScope } from '../../../../../src/htools/model/state/scope.ts';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import { NO_CAPS } from '../../../../../src/htools/plan/plan.ts';
import { RandomStream } from '../../../../../src/htools/planners/anneal/random.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../../../src/htools/planners/balance/options.ts';
import { Kernel } from '../../../../../src/htools/planners/search/kernel/kernel.ts';
import { makeLayout } from '../../../../../src/htools/planners/search/kernel/layout.ts';
import { runLane } from '../../../../../src/htools/planners/search/walk/lane.ts';
import { type Placement, Prices } from '../../../../../src/htools/planners/search/walk/prices.ts';
import { clusterOfShape } from '../../../../builders/random-cluster.ts';

const HOTTEST = 0.03;
const COOL = 0.0001;
const CANDIDATES = 100_000;
const COPIED_GIB = 3_000;

describe('a walk with caps', () => {
  const snapshot = clusterOfShape({ ...PLAIN_SHAPE, seed: 2 });
  const layout = makeLayout(
    new ClusterState(snapshot),
    groupScope(snapshot, 0).nodes,
    DEFAULT_BALANCE_OPTIONS,
  );
  const caps = { ...NO_CAPS, copiedGib: COPIED_GIB };
  const task = { cap: Number.POSITIVE_INFINITY, caps, candidates: CANDIDATES };
  const copied = (end: Placement): number => new Prices(layout).used('copiedGib', end);

  it('uses what it may to the end', () => {
    const shares = [1, 2, 3].map(
      (seed) => copied(runLane(layout, task, new RandomStream(seed, 1), HOTTEST)) / COPIED_GIB,
    );
    expect(Math.max(...shares)).to.be.at.most(1);
    expect(Math.min(...shares)).to.be.above(0.95);
  });

  it('ends near a target where no rate leads to it', () => {
    const target = new Kernel(layout).score / 14;
    const end = runLane(
      layout,
      { ...task, caps: { ...NO_CAPS, copiedGib: 10 * COPIED_GIB }, target },
      new RandomStream(1, 1),
      HOTTEST,
    );
    const kernel = new Kernel(layout);
    kernel.load(end.primary, end.secondary);
    // At a rate for fewer copies it would end far above the target; at any for more, at two thirds of it.
    expect(kernel.score / target).to.be.within(0.9, 1);
  });

  it('to a target goes on from where another ended without copying far more', () => {
    const target = new Kernel(layout).score / 4;
    const towards = { ...task, caps: { ...NO_CAPS, copiedGib: 10 * COPIED_GIB }, target };
    const random = new RandomStream(1, 1);
    const first = runLane(layout, towards, random, HOTTEST);
    const goOn = (rateToTarget?: number): number =>
      copied(
        runLane(layout, { ...towards, candidates: CANDIDATES / 10 }, random, COOL, {
          from: first,
          rateToTarget,
        }),
      );
    expect(goOn(first.rateToTarget)).to.be.below(1.05 * copied(first));
    expect(goOn()).to.be.above(1.05 * copied(first));
  });

  it('that time has ended comes down from far above its price in no longer than it walked', () => {
    class Counting extends RandomStream {
      draws = 0;

      override next(): number {
        this.draws++;
        return super.next();
      }
    }
    const from = runLane(layout, task, new RandomStream(1, 1), HOTTEST);
    const drawsBy = (clock: () => number): number => {
      const random = new Counting(1, 1);
      runLane(layout, { ...task, cap: 1 }, random, HOTTEST, { from, clock });
      return random.draws;
    };
    expect(drawsBy(() => 2)).to.be.below(drawsBy(() => 0) / 5);
  });
});
