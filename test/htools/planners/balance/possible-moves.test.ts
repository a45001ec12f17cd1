import { expect } from 'chai';
import {
  FAILOVER_AND_REPLACE,
  FAILOVER_TO_ANY,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../../../../src/htools/model/moves/kinds.ts';
import {
  type BalanceOptions,
  DEFAULT_BALANCE_OPTIONS,
} from '../../../../src/htools/planners/balance/options.ts';
import {
  isCandidate,
  kindsWithTarget,
  mayFailOver,
} from '../../../../src/htools/planners/balance/possible-moves.ts';
import { smallState } from '../../../builders/small-cluster.ts';

/** Instances: mirrored; mirrored off node 2 (offline); mirrored with its secondary there; shared; local. */
const state = smallState({
  nodes: [{}, {}, { isOffline: true }],
  instances: [
    {},
    { primary: 2, secondary: 1 },
    { secondary: 2 },
    { diskTemplate: 'ext' },
    { diskTemplate: 'plain', isMovable: true },
  ],
});
const [MIRRORED, FROM_OFFLINE, BESIDE_OFFLINE, SHARED, LOCAL] = [0, 1, 2, 3, 4];
const options = (more: Partial<BalanceOptions> = {}): BalanceOptions => ({
  ...DEFAULT_BALANCE_OPTIONS,
  ...more,
});
const kinds = (i: number, more?: Partial<BalanceOptions>) => kindsWithTarget(state, i, options(more));

describe('the possible kinds of move', () => {
  it('are all four with a target for a mirrored instance, in visiting order', () => {
    const all = [REPLACE_SECONDARY, REPLACE_AND_FAILOVER, REPLACE_PRIMARY, FAILOVER_AND_REPLACE];
    expect(kinds(MIRRORED)).to.deep.equal(all);
    expect(kinds(FROM_OFFLINE)).to.deep.equal(all);
  });

  it('do not use an offline secondary', () => {
    expect(kinds(BESIDE_OFFLINE)).to.deep.equal([REPLACE_SECONDARY, REPLACE_AND_FAILOVER]);
    expect(mayFailOver(state, BESIDE_OFFLINE, options())).to.equal(false);
    expect(mayFailOver(state, MIRRORED, options())).to.equal(true);
  });

  it('are one for shared storage, none for local disks', () => {
    expect(kinds(SHARED)).to.deep.equal([FAILOVER_TO_ANY]);
    expect(kinds(LOCAL)).to.deep.equal([]);
    expect(mayFailOver(state, SHARED, options())).to.equal(false);
  });

  it('shrink when disks or instances are to stay', () => {
    expect(kinds(MIRRORED, { diskMoves: false })).to.deep.equal([]);
    expect(mayFailOver(state, MIRRORED, options({ diskMoves: false }))).to.equal(true);
    expect(kinds(MIRRORED, { instanceMoves: false })).to.deep.equal([REPLACE_SECONDARY]);
    expect(mayFailOver(state, MIRRORED, options({ instanceMoves: false }))).to.equal(false);
    expect(kinds(SHARED, { instanceMoves: false })).to.deep.equal([]);
    expect(kinds(SHARED, { diskMoves: false })).to.deep.equal([FAILOVER_TO_ANY]);
  });

  it('replace no disk from a primary that nobody can ask, when they are to be carried out', () => {
    const carriedOut = { isForExecution: true };
    const dead = smallState({
      nodes: [{}, {}, { isOffline: true }],
      instances: [{ primary: 2, secondary: 1, status: 'ERROR_nodeoffline' }],
    });
    const kindsOfDead = (more?: Partial<BalanceOptions>) => kindsWithTarget(dead, 0, options(more));
    expect(kindsOfDead(carriedOut)).to.deep.equal([REPLACE_PRIMARY, FAILOVER_AND_REPLACE]);
    expect(kindsOfDead({ ...carriedOut, instanceMoves: false })).to.deep.equal([]);
    // As in the stock programs where the plan is only shown; and an instance that runs has a primary that
    // answers.
    expect(kindsOfDead()).to.have.length(4);
    expect(kinds(FROM_OFFLINE, carriedOut)).to.have.length(4);
  });

  it('shrink under restricted migration, but for instances that come off an offline node', () => {
    const restricted = { restrictedMigration: true };
    expect(kinds(MIRRORED, restricted)).to.deep.equal([REPLACE_SECONDARY]);
    expect(kinds(FROM_OFFLINE, restricted)).to.deep.equal([
      REPLACE_SECONDARY,
      REPLACE_AND_FAILOVER,
      FAILOVER_AND_REPLACE,
    ]);
  });

  it('are not looked at for instances that stay, nor for a mirror that has lost its other half', () => {
    const staying = smallState({
      nodes: [{}, {}, { isOffline: true }],
      instances: [
        { isAutoBalanced: false },
        { isMovable: false },
        { primary: 2, secondary: 1, isAutoBalanced: false },
        { primary: 2, secondary: -1 },
      ],
    });
    const seen = [0, 1, 2, 3].map((i) => isCandidate(staying, i, options()));
    expect(seen).to.deep.equal([false, false, false, false]);
  });

  it('are looked at for instances on offline nodes alone when evacuating', () => {
    const seen = [MIRRORED, FROM_OFFLINE, BESIDE_OFFLINE, SHARED].map((i) =>
      isCandidate(state, i, options({ evacuationOnly: true })),
    );
    expect(seen).to.deep.equal([false, true, true, false]);
    expect(isCandidate(state, MIRRORED, options())).to.equal(true);
  });
});
