import { expect } from 'chai';
import {
  FAILOVER,
  REPLACE_AND_FAILOVER,
  REPLACE_SECONDARY,
} from '../../../../../src/htools/model/moves/kinds.ts';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../../../src/htools/planners/balance/options.ts';
import { makeLayout } from '../../../../../src/htools/planners/search/kernel/layout.ts';
import { Prices } from '../../../../../src/htools/planners/search/walk/prices.ts';
import { smallCluster, times } from '../../../../builders/small-cluster.ts';

describe('what a placement needs', () => {
  it('is a copy for each new node, and none of what is only reserved', () => {
    const there = { memMib: 1024, diskMib: 2048, primary: 0, secondary: 1 };
    const snapshot = smallCluster({
      nodes: times(4, () => ({})),
      instances: [there, { ...there, isForthcoming: true }],
    });
    const layout = makeLayout(new ClusterState(snapshot), [0, 1, 2, 3], DEFAULT_BALANCE_OPTIONS);
    const prices = new Prices(layout);
    const copied = [0, 1].map((i) => [
      prices.amount('copiedGib', i, prices.needs(i, 2, 1)),
      prices.amount('copiedGib', i, prices.needs(i, 2, 3)),
    ]);
    expect(copied).to.deep.equal([
      [2, 4],
      [0, 0],
    ]);
  });

  it('is less than its steps use where one copies what the next copies again', () => {
    const snapshot = smallCluster({
      nodes: times(4, () => ({})),
      instances: [{ memMib: 1024, diskMib: 2048, primary: 0, secondary: 1 }],
    });
    const prices = new Prices(makeLayout(new ClusterState(snapshot), [0, 1, 2, 3], DEFAULT_BALANCE_OPTIONS));
    const caps = { copiedGib: 10, memoryGib: 2, migrations: 1, stops: 0, steps: 9 };
    const steps = ([REPLACE_SECONDARY, REPLACE_AND_FAILOVER, FAILOVER] as const).map((kind) => ({
      instance: 0,
      kind,
    }));
    expect(prices.left(caps, steps)).to.deep.equal({
      copiedGib: 6,
      memoryGib: 0,
      migrations: 0,
      stops: 0,
      steps: 6,
    });
  });
});
