import { expect } from 'chai';
import { applyMove } from '../../../../src/htools/model/moves/apply.ts';
import { FAILOVER_TO_ANY, REPLACE_SECONDARY } from '../../../../src/htools/model/moves/kinds.ts';
import { SharedStorageN1 } from '../../../../src/htools/model/redundancy/shared/shared-storage.ts';
import { TrueSpindles } from '../../../../src/htools/model/state/true-spindles.ts';
import { type InstanceSketch, smallState, times } from '../../../builders/small-cluster.ts';

const withSpindles = (spindles: number): Pick<InstanceSketch, 'disks'> => ({
  disks: [{ sizeMib: 4096, spindles }],
});

/**
 * Three nodes of ten spindles, of which so many are free; 5 of them are taken on the first by the first
 * instance.
 */
const stateOf = (instances: readonly InstanceSketch[], free: readonly number[]) =>
  smallState({
    nodes: free.map((freeSpindles) => ({ hasExclusiveStorage: true, spindles: 10, freeSpindles })),
    instances,
  });

describe('spindles of exclusive storage', () => {
  it('are taken and given back by what has disks on the node', () => {
    const state = stateOf([withSpindles(3)], [7, 7, 10]);
    const spindles = new TrueSpindles(state);
    const free = () => [0, 1, 2].map((n) => spindles.freeOf(n));
    expect(free()).to.deep.equal([7, 7, 10]);
    applyMove(state, 0, REPLACE_SECONDARY, 2, true);
    expect(free()).to.deep.equal([7, 10, 7]);
  });

  it('are not taken by an instance whose disks are elsewhere, whatever the books of balancing say', () => {
    const elsewhere = { ...withSpindles(3), diskTemplate: 'ext' } as const;
    const state = stateOf([elsewhere, { ...withSpindles(5), diskTemplate: 'plain' }], [5, 10, 10]);
    const spindles = new TrueSpindles(state);
    applyMove(state, 0, FAILOVER_TO_ANY, 1, true);
    expect([0, 1, 2].map((n) => spindles.freeOf(n))).to.deep.equal([5, 10, 10]);
  });

  it('are not taken by instances that are only reserved, nor by those that do not say how many they have', () => {
    const state = stateOf(
      [{ ...withSpindles(3), isForthcoming: true }, { disks: [{ sizeMib: 4096 }] }],
      [7, 7, 10],
    );
    const spindles = new TrueSpindles(state);
    expect([0, 1].map((n) => spindles.freeOf(n))).to.deep.equal([7, 7]);
  });

  it('are room only where storage is exclusive, and never less than none', () => {
    const state = smallState({
      nodes: [{ freeSpindles: 4 }, { hasExclusiveStorage: true, spindles: 2, freeSpindles: -3 }],
    });
    const spindles = new TrueSpindles(state);
    expect([spindles.roomOf(0), spindles.roomOf(1)]).to.deep.equal([Number.POSITIVE_INFINITY, 0]);
    expect([spindles.freeOf(0), spindles.freeOf(1)]).to.deep.equal([4, -3]);
  });

  it('decide whether what runs on a node could be made anew elsewhere', () => {
    const verdictWith = (freeSpindles: number) => {
      const state = stateOf([{ ...withSpindles(5), diskTemplate: 'plain' }], [5, freeSpindles, 0]);
      return new SharedStorageN1(state, state.anyStorage()).verdictOf(0);
    };
    expect(times(2, (k) => verdictWith(4 + k))).to.deep.equal(['no', 'yes']);
  });
});
