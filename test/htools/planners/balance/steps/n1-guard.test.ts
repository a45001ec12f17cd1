import { expect } from 'chai';
import { applyMove } from '../../../../../src/htools/model/moves/apply.ts';
import { FAILOVER_TO_ANY, type Move } from '../../../../../src/htools/model/moves/kinds.ts';
import { guardFor, N1Guard } from '../../../../../src/htools/planners/balance/steps/n1-guard.ts';
import { smallState } from '../../../../builders/small-cluster.ts';
import { imageOf } from '../../../../builders/state-image.ts';

const NODES = [0, 1, 2];

/** Two nodes that can just stand in for each other, and a small one whose instance may go to either. */
const brimful = (memMib: number) =>
  smallState({
    nodes: [{}, {}, { totalMemMib: 3000 }],
    instances: [
      { diskTemplate: 'ext', memMib: 6000 },
      { diskTemplate: 'ext', memMib: 9000, primary: 1 },
      { diskTemplate: 'ext', memMib, primary: 2 },
    ],
  });
const to = (target: number): Move => ({ instance: 2, kind: FAILOVER_TO_ANY, target });

describe('the guard of N+1', () => {
  it('refuses a step after which a node could not be restarted elsewhere, and leaves no trace', () => {
    const state = brimful(500);
    const guard = new N1Guard(state, NODES);
    const before = imageOf(state);
    expect([guard.allows(to(0), false), guard.allows(to(1), false)]).to.deep.equal([false, false]);
    expect(imageOf(state)).to.deep.equal(before);
  });

  it('allows a step after which every node still could', () => {
    const state = brimful(100);
    const guard = new N1Guard(state, NODES);
    const before = imageOf(state);
    expect([guard.allows(to(0), false), guard.allows(to(1), false)]).to.deep.equal([true, true]);
    expect(imageOf(state)).to.deep.equal(before);
  });

  it('refuses what the rules of the nodes refuse', () => {
    const state = smallState({ nodes: [{}, { totalMemMib: 1500 }], instances: [{ diskTemplate: 'ext' }] });
    const guard = new N1Guard(state, [0, 1]);
    expect(guard.allows({ instance: 0, kind: FAILOVER_TO_ANY, target: 1 }, false)).to.equal(false);
  });

  it('does not hold against a step that a node fails already', () => {
    const state = brimful(500);
    const guard = new N1Guard(state, NODES);
    applyMove(state, 2, FAILOVER_TO_ANY, 1, false);
    guard.refresh([2, 1]);
    // The first node fails now; going on to it breaks the second one, going back mends everything.
    expect(guard.allows(to(0), false)).to.equal(false);
    expect(guard.allows(to(2), false)).to.equal(true);
  });

  it('watches where it is asked to, or where pools are stated', () => {
    const state = brimful(500);
    const stated = smallState({ nodes: [{ storagePools: ['external/ext'] }, {}] });
    const isThere = (of: typeof state, n1Guard?: boolean) => guardFor(of, [0, 1], { n1Guard }) !== undefined;
    expect([isThere(state), isThere(state, true), isThere(state, false)]).to.deep.equal([false, true, false]);
    expect([isThere(stated), isThere(stated, true), isThere(stated, false)]).to.deep.equal([
      true,
      true,
      false,
    ]);
  });
});
