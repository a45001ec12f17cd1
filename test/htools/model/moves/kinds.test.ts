import { expect } from 'chai';
import {
  FAILOVER,
  FAILOVER_AND_REPLACE,
  FAILOVER_TO_ANY,
  MOVE_KIND_NAMES,
  placementAfter,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../../../../src/htools/model/moves/kinds.ts';

describe('the kinds of move', () => {
  it('say where an instance on nodes 1 and 2 is after a move to node 3', () => {
    expect(placementAfter(FAILOVER, 1, 2, -1)).to.deep.equal([2, 1]);
    expect(placementAfter(FAILOVER_TO_ANY, 1, -1, 3)).to.deep.equal([3, -1]);
    expect(placementAfter(REPLACE_SECONDARY, 1, 2, 3)).to.deep.equal([1, 3]);
    expect(placementAfter(REPLACE_AND_FAILOVER, 1, 2, 3)).to.deep.equal([3, 1]);
    expect(placementAfter(REPLACE_PRIMARY, 1, 2, 3)).to.deep.equal([3, 2]);
    expect(placementAfter(FAILOVER_AND_REPLACE, 1, 2, 3)).to.deep.equal([2, 3]);
  });

  it('are numbered in visiting order, with a name each', () => {
    expect([
      FAILOVER,
      FAILOVER_TO_ANY,
      REPLACE_SECONDARY,
      REPLACE_AND_FAILOVER,
      REPLACE_PRIMARY,
      FAILOVER_AND_REPLACE,
    ]).to.deep.equal([0, 1, 2, 3, 4, 5]);
    expect(new Set(MOVE_KIND_NAMES).size).to.equal(6);
  });
});
