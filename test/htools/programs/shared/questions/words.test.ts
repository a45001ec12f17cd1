import { expect } from 'chai';
import { shortAmount } from '../../../../../src/htools/programs/shared/page/words.ts';
import { moveWords, refusalWords } from '../../../../../src/htools/programs/shared/questions/words.ts';

describe('the words of moves and refusals', () => {
  it('do not say fail over of what may well be a live migration', () => {
    expect(moveWords('f r:node10 f')).to.equal('swap nodes, copy to node10, swap nodes');
    expect(moveWords('fa:node3')).to.equal('move to node3');
  });

  it('count one and several', () => {
    const refusal = {
      rule: 'spindles',
      node: 'n1',
      role: 'primary',
      available: 0,
      unit: 'spindles',
    } as const;
    const needing = (needed: number): string => refusalWords({ ...refusal, needed });
    expect(needing(1)).to.equal('free spindles on n1 as primary: 1 spindle needed, 0 there');
    expect(needing(2)).to.equal('free spindles on n1 as primary: 2 spindles needed, 0 there');
    expect(shortAmount(1, 'vcpus')).to.equal('1 vcpu');
    expect(shortAmount(1500, 'vcpus')).to.equal('1,500 vcpus');
  });
});
