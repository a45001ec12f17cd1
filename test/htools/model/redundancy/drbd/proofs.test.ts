import { expect } from 'chai';
import { applyMove } from '../../../../../src/htools/model/moves/apply.ts';
import { FAILOVER_TO_ANY } from '../../../../../src/htools/model/moves/kinds.ts';
import { type Ground, Proofs } from '../../../../../src/htools/model/redundancy/drbd/proofs.ts';
import { smallState, times } from '../../../../builders/small-cluster.ts';

/** 15360 MiB of memory are for instances on each node. */
const ground = (node: number, mem: number, disk = 0): Ground => ({ node, mem, disk });

describe('proofs that nodes can be left', () => {
  it('are missing for all nodes at first, by group', () => {
    const proofs = new Proofs(smallState({ groups: [{}, {}], nodes: [{}, { group: 1 }, {}] }), [0, 1, 2]);
    expect([...proofs.unprovenOf(0)]).to.deep.equal([0, 2]);
    proofs.note(0, []);
    expect([...proofs.unprovenOf(0)]).to.deep.equal([2]);
    expect([...proofs.unprovenOf(1)]).to.deep.equal([1]);
  });

  it('hold until the node itself changes, or another has no more room than they need of it', () => {
    const ext = { diskTemplate: 'ext' as const, memMib: 1000 };
    const state = smallState({ nodes: times(4, () => ({})), instances: [{ ...ext, primary: 3 }] });
    const proofs = new Proofs(state, [0, 1, 2, 3]);
    const unprovenAfter = (changed: readonly number[]): number[] => {
      proofs.note(0, [ground(1, 14_359), ground(2, 100)]);
      proofs.note(1, [ground(2, 100), ground(2, 14_360)]);
      proofs.note(2, [ground(0, 100)]);
      proofs.note(3, [ground(0, 0, 1e9)]);
      proofs.refresh(changed);
      return [...proofs.unprovenOf(0)].sort();
    };
    expect(unprovenAfter([])).to.deep.equal([]);
    expect(unprovenAfter([1])).to.deep.equal([1]);
    expect(unprovenAfter([0])).to.deep.equal([0, 3]);
    applyMove(state, 0, FAILOVER_TO_ANY, 1, false);
    expect(proofs.brokenBy(1)).to.deep.equal([]);
    applyMove(state, 0, FAILOVER_TO_ANY, 2, false);
    expect(proofs.brokenBy(2)).to.deep.equal([1]);
    expect(unprovenAfter([2])).to.deep.equal([1, 2]);
  });

  it('take the place of those that were known before', () => {
    const proofs = new Proofs(smallState({ nodes: times(3, () => ({})) }), [0, 1, 2]);
    proofs.note(0, [ground(1, 1e9)]);
    proofs.note(0, [ground(2, 1e9)]);
    expect(proofs.brokenBy(1)).to.deep.equal([]);
    expect(proofs.brokenBy(2)).to.deep.equal([0]);
  });

  it('leave what others claim of a node, however often they name it themselves', () => {
    const proofs = new Proofs(smallState({ nodes: times(3, () => ({})) }), [0, 1, 2]);
    proofs.note(0, [ground(1, 1e9), ground(1, 2e9)]);
    proofs.note(2, [ground(1, 3e9)]);
    proofs.note(0, []);
    expect(proofs.brokenBy(1)).to.deep.equal([2]);
    proofs.note(2, []);
    expect(proofs.brokenBy(1)).to.deep.equal([]);
  });
});
