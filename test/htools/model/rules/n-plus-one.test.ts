import { expect } from 'chai';
import { ALLOWED, FAIL_MEM } from '../../../../src/htools/cluster/refusal.ts';
import { primaryRefusal, secondaryRefusal } from '../../../../src/htools/model/rules/admission.ts';
import { failsWith, reservationOf, reservedWith } from '../../../../src/htools/model/rules/n-plus-one.ts';
import { smallState } from '../../../builders/small-cluster.ts';

describe('the N+1 rule of a node', () => {
  it('fails when free memory is as large as the largest reservation', () => {
    expect(failsWith(1024, 1024)).to.equal(true);
    expect(failsWith(1025, 1024)).to.equal(false);
  });

  it('reserves by the primary whose failure is covered', () => {
    const state = smallState({
      nodes: [{}, {}, {}],
      instances: [
        { memMib: 1000, primary: 0, secondary: 2 },
        { memMib: 700, primary: 1, secondary: 2 },
        { memMib: 400, primary: 1, secondary: 0 },
      ],
    });
    expect(reservedWith(state, 2, 2, 1), 'beside another of that primary').to.equal(1100);
    expect(reservedWith(state, 2, 2, 0), 'beside another of that primary').to.equal(1400);
    const alone = smallState({
      nodes: [{}, {}, {}],
      instances: [{ memMib: 1000, secondary: 2 }, { memMib: 300 }],
    });
    expect(reservedWith(alone, 1, 2, 1), 'below the largest').to.equal(1000);
  });

  it('needs nothing reserved for instances that are not balanced or set offline', () => {
    const state = smallState({
      nodes: [{}, {}],
      instances: [{}, { isAutoBalanced: false }, { status: 'ADMIN_offline' }, { status: 'ADMIN_down' }],
    });
    expect([0, 1, 2, 3].map((i) => reservationOf(state, i))).to.deep.equal([1024, 0, 0, 1024]);
  });

  /** Node 2 has 4096 MiB free and must take over 2048 from node 0. */
  const covering = (memMib: number, freeMemMib?: number) =>
    smallState({
      nodes: [{}, {}, { totalMemMib: 5120, ...(freeMemMib !== undefined && { freeMemMib }) }],
      instances: [
        { memMib: 2048, primary: 0, secondary: 2 },
        { memMib, primary: 0, secondary: 1 },
      ],
    });

  it('refuses a primary that would make the node fail, softly', () => {
    expect(primaryRefusal(covering(2047), 1, 2, false)).to.equal(ALLOWED);
    expect(primaryRefusal(covering(2048), 1, 2, false)).to.equal(FAIL_MEM);
    expect(primaryRefusal(covering(2048), 1, 2, true)).to.equal(ALLOWED);
  });

  it('refuses a secondary that would make the node fail, softly', () => {
    expect(secondaryRefusal(covering(2047), 1, 2, 0, false, false)).to.equal(ALLOWED);
    expect(secondaryRefusal(covering(2048), 1, 2, 0, false, false)).to.equal(FAIL_MEM);
    expect(secondaryRefusal(covering(2048), 1, 2, 1, false, false), 'another primary').to.equal(ALLOWED);
    expect(secondaryRefusal(covering(2048), 1, 2, 0, false, true)).to.equal(ALLOWED);
  });

  it('lets a node that fails already get worse', () => {
    const failing = covering(1024, 2000);
    expect(primaryRefusal(failing, 1, 2, false)).to.equal(ALLOWED);
    expect(secondaryRefusal(failing, 1, 2, 0, false, false)).to.equal(ALLOWED);
  });
});
