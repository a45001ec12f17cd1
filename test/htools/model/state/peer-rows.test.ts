import { expect } from 'chai';
import { peerSquares } from '../../../../src/htools/model/state/peer-rows.ts';
import { ExecutionError } from '../../../../src/kit/faults.ts';
import { smallState } from '../../../builders/small-cluster.ts';

describe('the squares of reservations', () => {
  it('end with a word on what to do where memory cannot hold them', () => {
    const nodes = new Array<number>(1_000_000);
    expect(() => peerSquares(smallState({ nodes: [{}] }), nodes)).to.throw(
      ExecutionError,
      '1000000 nodes are too many to be balanced together',
    );
  });
});
