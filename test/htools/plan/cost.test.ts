import { expect } from 'chai';
import type { Move, MoveKind } from '../../../src/htools/model/moves/kinds.ts';
import { FAILOVER, REPLACE_PRIMARY, REPLACE_SECONDARY } from '../../../src/htools/model/moves/kinds.ts';
import { moveCost, planCost, planSeconds } from '../../../src/htools/plan/cost.ts';
import type { InstanceSketch } from './cluster-builder.ts';
import { aCluster, aPlan } from './cluster-builder.ts';

function costOf(kind: MoveKind, sketch: InstanceSketch = {}): readonly number[] {
  const start = aCluster({ nodes: [{}, {}, {}], instances: [sketch] });
  const plan = aPlan({ start, moves: [{ instance: 0, kind, target: kind === FAILOVER ? -1 : 2 }] });
  const { copiedMib, migratedMemMib, migrations, failovers } = moveCost(plan, plan.steps[0]!);
  return [copiedMib, migratedMemMib, migrations, failovers];
}

describe('the cost of a move', () => {
  const expected: readonly (readonly [string, MoveKind, readonly number[]])[] = [
    ['f', 0, [0, 1024, 1, 0]],
    ['fa', 1, [0, 1024, 1, 0]],
    ['r', 2, [4096, 0, 0, 0]],
    ['r f', 3, [4096, 1024, 1, 0]],
    ['f r f', 4, [4096, 2048, 2, 0]],
    ['f r', 5, [4096, 1024, 1, 0]],
  ];
  for (const [name, kind, cost] of expected) {
    it(`counts disk, memory and migrations of ${name}`, () => {
      expect(costOf(kind)).to.deep.equal(cost);
    });
  }

  it('counts failovers and no memory for an instance that is down', () => {
    expect(costOf(REPLACE_PRIMARY, { status: 'ADMIN_down' })).to.deep.equal([4096, 0, 0, 2]);
  });
});

describe('the cost of a plan', () => {
  const start = aCluster({
    nodes: [{}, {}, {}, {}],
    instances: [{}, { primary: 2, secondary: 3, memMib: 2048 }, { primary: 1, secondary: 2 }],
  });
  const moves: Move[] = [
    { instance: 0, kind: FAILOVER, target: -1 },
    { instance: 1, kind: FAILOVER, target: -1 },
    { instance: 2, kind: REPLACE_SECONDARY, target: 3 },
  ];
  const plan = aPlan({ start, moves });

  it('is the sum over its steps', () => {
    expect(planCost(plan)).to.deep.equal({
      copiedMib: 4096,
      migrations: 2,
      migratedMemMib: 3072,
      failovers: 0,
    });
    expect(planCost(aPlan({ start, moves: [] })).copiedMib).to.equal(0);
  });

  it('takes the time of the longest job of each set', () => {
    // The first two share no node: 2048 MiB; the third waits for them: 4096 MiB.
    expect(planSeconds(plan, 64)).to.equal((2048 + 4096) / 64);
    expect(planSeconds(aPlan({ start, moves: [] }), 64)).to.equal(0);
  });
});
