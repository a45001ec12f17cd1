import { setImmediate as later } from 'node:timers/promises';
import { expect } from 'chai';
import { severalAtOnce } from '../../src/kit/several.ts';

describe('severalAtOnce', () => {
  it('begins all in their order, no more at once than it may', async () => {
    const begun: number[] = [];
    let [underWay, most] = [0, 0];
    await severalAtOnce(3, [1, 2, 3, 4, 5, 6, 7], async (item) => {
      begun.push(item);
      most = Math.max(most, ++underWay);
      await later();
      underWay--;
    });
    expect(begun).to.deep.equal([1, 2, 3, 4, 5, 6, 7]);
    expect({ underWay, most }).to.deep.equal({ underWay: 0, most: 3 });
  });

  it('fails as the work does', async () => {
    const error = await severalAtOnce(2, [1, 2, 3], async (item) => {
      if (item === 2) throw new Error('no');
    }).catch((thrown: Error) => thrown);
    expect(error).to.have.property('message', 'no');
  });
});
