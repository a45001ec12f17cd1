import { expect } from 'chai';
import {
  isBarredFrom,
  isSticky,
  meansNode,
  stickyFactor,
  wishesOf,
} from '../../../../src/htools/cluster/tags/placement-tags.ts';

const node = (name: string, ...tags: string[]) => ({ name, tags });

describe('rules as tags', () => {
  it('reads the wishes of an instance, each once, and passes over empty ones', () => {
    const tags = [
      'x',
      'htools:together:a',
      'htools:together:a',
      'htools:apart:b',
      'htools:pinned:n1',
      'htools:keepoff:',
      'htools:keepoff:n2',
    ];
    expect(wishesOf(tags)).to.deep.include({
      together: ['a'],
      apart: ['b'],
      pinned: ['n1'],
      keepOff: ['n2'],
    });
  });

  it('means nodes by name, by the beginning of a name up to a dot, and by tag', () => {
    expect(meansNode('n1', node('n1.example.com'))).to.equal(true);
    expect(meansNode('n1.example.com', node('n1.example.com'))).to.equal(true);
    expect(meansNode('n1', node('n10.example.com'))).to.equal(false);
    expect(meansNode('ssd', node('n1', 'ssd'))).to.equal(true);
    expect(meansNode('ss', node('n1', 'ssd'))).to.equal(false);
  });

  it('bars nodes that are not among the pinned ones, and those to keep off', () => {
    const pinned = wishesOf(['htools:pinned:n1', 'htools:pinned:ssd']);
    expect([node('n1'), node('n2', 'ssd'), node('n3')].map((one) => isBarredFrom(pinned, one))).to.deep.equal(
      [false, false, true],
    );
    expect(isBarredFrom(wishesOf(['htools:keepoff:n1']), node('n1'))).to.equal(true);
    expect(isBarredFrom(wishesOf(['htools:pinned:n1', 'htools:keepoff:n1']), node('n1'))).to.equal(true);
    expect(isBarredFrom(wishesOf([]), node('n1'))).to.equal(false);
  });

  it('knows sticky, and its factor', () => {
    expect(isSticky(['htools:sticky'])).to.equal(true);
    expect(isSticky(['htools:sticky:3'])).to.equal(false);
    expect(
      ['htools:sticky:3', 'htools:sticky:0', 'htools:sticky:', 'htools:sticky:-1', 'htools:sticky:x'].map(
        (tag) => stickyFactor([tag]),
      ),
    ).to.deep.equal([3, 0, 1, 1, 1]);
    expect(stickyFactor(['htools:sticky:2', 'htools:sticky:5'])).to.equal(5);
  });
});
