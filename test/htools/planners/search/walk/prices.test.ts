import { expect } from 'chai';
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
});
