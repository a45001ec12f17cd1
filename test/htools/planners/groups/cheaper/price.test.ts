import { expect } from 'chai';
import { USUAL_RATES, unitPrices } from '../../../../../src/htools/plan/price.ts';
import { placementPrice } from '../../../../../src/htools/planners/groups/cheaper/price.ts';
import { SuperCluster } from '../../../../../src/htools/planners/groups/homes/super-cluster.ts';
import { type Home, homeOf } from '../../../../../src/htools/planners/groups/relocate/relocation.ts';
import { smallCluster } from '../../../../builders/small-cluster.ts';

const DISK_MIB = 10_000;

/**
 * Three nodes in a group, two in one of last resort; a mirrored instance on the first two nodes, and one on
 * shared storage on the first.
 */
const cluster = new SuperCluster(
  smallCluster({
    groups: [{}, { allocPolicy: 'last_resort' }],
    nodes: [{}, {}, {}, { group: 1 }, { group: 1 }],
    instances: [{ diskMib: DISK_MIB }, { diskTemplate: 'ext', diskMib: DISK_MIB }],
  }),
);
const priceLeaving = (leaves: readonly number[]) =>
  placementPrice(
    cluster,
    {
      movable: [0, 1],
      leaves: Uint8Array.from({ length: 5 }, (_, n) => (leaves.includes(n) ? 1 : 0)),
      healed: new Set(),
      staysWithin: true,
      targetsOf: () => [1],
    },
    [0, 1].map((i) => homeOf(cluster.state, i)),
  );
const priceOf = (i: number, home: Home, leaves: readonly number[] = []): number =>
  priceLeaving(leaves).ofHome(i, home);
const { copy, change, job } = unitPrices(cluster.snapshot.instances[0]!, USUAL_RATES);
const within = (primary: number, secondary: number): Home => ({ group: 0, primary, secondary });

describe('the price of a home', () => {
  it('is what the steps there count: disks, changes of the primary, jobs', () => {
    expect(priceOf(0, within(0, 1))).to.equal(0);
    expect(priceOf(0, within(1, 0))).to.equal(change + job);
    expect(priceOf(0, within(0, 2))).to.equal(copy + job);
    expect(priceOf(0, within(2, 0))).to.equal(copy + change + job);
    expect(priceOf(0, within(2, 1))).to.equal(copy + 2 * change + job);
  });

  it('has no disks on shared storage', () => {
    expect(priceOf(1, within(2, -1))).to.equal(change + job);
  });

  it('is more in another group, most of all in one of last resort', () => {
    const across = priceOf(0, { group: 1, primary: 3, secondary: 4 }) - 2 * (copy + job) - change;
    expect(across).to.be.within(3 * copy, 3.1 * copy);
  });

  it('has a share for each node that is to be left', () => {
    expect(priceOf(0, within(0, 1), [0])).to.equal(6 * copy);
    expect(priceOf(0, within(0, 1), [0, 1])).to.equal(12 * copy);
  });
});
