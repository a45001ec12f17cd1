import { expect } from 'chai';
import {
  FAILOVER,
  FAILOVER_AND_REPLACE,
  type MoveKind,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../../../../../src/htools/model/moves/kinds.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../../../src/htools/planners/balance/options.ts';
import { makeLayout } from '../../../../../src/htools/planners/search/kernel/layout.ts';
import { Attempt } from '../../../../../src/htools/planners/search/order/attempt.ts';
import { smallState } from '../../../../builders/small-cluster.ts';

/**
 * An instance on nodes 0 and 1, with nodes 2 and 3 to go to.
 * @param offline position of a node that is gone
 */
function scoresWithout(offline: number | undefined): (kind: MoveKind, p: number, s: number) => number {
  const state = smallState({
    nodes: [0, 1, 2, 3].map((n) => ({ isOffline: n === offline })),
    instances: [{}],
  });
  const layout = makeLayout(state, [0, 1, 2, 3], DEFAULT_BALANCE_OPTIONS);
  const stay = { primary: Int32Array.of(0), secondary: Int32Array.of(1) };
  const attempt = new Attempt(layout, stay);
  attempt.restart();
  return (kind, primary, secondary) =>
    attempt.scoreAfter(0, { kind, target: kind === FAILOVER ? -1 : 2, primary, secondary });
}

describe('a step of a plan', () => {
  const ways: readonly [MoveKind, number, number][] = [
    [FAILOVER, 1, 0],
    [FAILOVER_AND_REPLACE, 1, 2],
    [REPLACE_PRIMARY, 2, 1],
  ];

  it('goes by way of the secondary only where that is there', () => {
    const [all, halved] = [scoresWithout(undefined), scoresWithout(1)];
    for (const [kind, p, s] of ways) {
      expect(all(kind, p, s), `kind ${kind}`).to.be.finite;
      expect(halved(kind, p, s), `kind ${kind} without node 1`).to.equal(Number.POSITIVE_INFINITY);
    }
    expect(halved(REPLACE_SECONDARY, 0, 2)).to.be.finite;
  });

  it('goes to no node that is offline', () => {
    expect(scoresWithout(2)(REPLACE_SECONDARY, 0, 2)).to.equal(Number.POSITIVE_INFINITY);
  });
});
