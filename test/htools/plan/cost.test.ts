import { expect } from 'chai';
import {
  FAILOVER,
  type Move,
  type MoveKind,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../../../src/htools/model/moves/kinds.ts';
import { moveCost, planCost, planDowntimeSeconds } from '../../../src/htools/plan/cost.ts';
import { planPrice, planSeconds } from '../../../src/htools/plan/price.ts';
import { aCluster, aPlan, type InstanceSketch } from './cluster-builder.ts';

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

describe('the cost of an instance that is only reserved', () => {
  it('is a job: it has no disks yet', () => {
    expect(costOf(REPLACE_SECONDARY, { isForthcoming: true, status: 'ADMIN_down' })).to.deep.equal([
      0, 0, 0, 0,
    ]);
    const start = aCluster({
      nodes: [{}, {}, {}],
      instances: [{ isForthcoming: true, status: 'ADMIN_down' }],
    });
    const plan = aPlan({ start, moves: [{ instance: 0, kind: REPLACE_SECONDARY, target: 2 }] });
    expect(planPrice(plan, RATES)).to.equal(RATES.job);
  });
});

describe('the downtime of a plan', () => {
  it('is that of failovers of what runs', () => {
    const secondsOf = (sketch: InstanceSketch): number => {
      const start = aCluster({ nodes: [{}, {}, {}], instances: [sketch] });
      return planDowntimeSeconds(
        aPlan({ start, moves: [{ instance: 0, kind: REPLACE_PRIMARY, target: 2 }] }),
      );
    };
    expect(secondsOf({})).to.equal(0);
    expect(secondsOf({ tags: ['htools:nomigrate'] })).to.equal(120);
    expect(secondsOf({ tags: ['htools:nomigrate'], status: 'ADMIN_down' })).to.equal(0);
  });
});

const RATES = { bandwidth: 64, migration: 32, rewritten: 2, downtime: 3, job: 7 };

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
    // The first two share no node: 2048 MiB of memory; the third waits for them: 4096 MiB of disk.
    expect(planSeconds(plan, RATES)).to.equal((2 * 2048) / 32 + 7 + 4096 / 64 + 7);
    expect(planSeconds(aPlan({ start, moves: [] }), RATES)).to.equal(0);
    // One job at a time: 1024 MiB, 2048 MiB, then the disk.
    expect(planSeconds(plan, { ...RATES, parallel: 1 })).to.equal((2 * 3072) / 32 + 4096 / 64 + 3 * 7);
    expect(planSeconds(plan, { ...RATES, parallel: 2 })).to.equal(planSeconds(plan, RATES));
  });

  it('has a price: transfers one after another, each job, and what a downtime counts, by the tag of the instance', () => {
    expect(planPrice(plan, RATES)).to.equal((2 * (1024 + 2048)) / 32 + 4096 / 64 + 3 * 7);
    const first = (tags: readonly string[], status: 'running' | 'ADMIN_down' = 'running') =>
      planPrice(
        aPlan({
          start: aCluster({ nodes: [{}, {}], instances: [{ tags, status }] }),
          moves: [{ instance: 0, kind: FAILOVER, target: -1 }],
        }),
        RATES,
      );
    expect(first([])).to.equal((2 * 1024) / 32 + 7);
    expect(first(['htools:nomigrate'])).to.equal(3 * 60 + 7);
    expect(first([], 'ADMIN_down')).to.equal(7);
    expect(first(['htools:sticky:5'])).to.equal(5 * first([]));
    expect(first(['htools:sticky:0'])).to.equal(0);
  });
});
