import { expect } from 'chai';
import { count, inWords, someOf } from '../../../src/kit/text/words.ts';

describe('words for numbers and lists', () => {
  it('counts one thing as one', () => {
    expect([count(1, 'node'), count(2, 'node'), count(0, 'instance finds', 'instances find')]).to.deep.equal([
      '1 node',
      '2 nodes',
      '0 instances find',
    ]);
  });

  it('lists one, two and several', () => {
    const names = ['a', 'b', 'c'];
    expect([0, 1, 2, 3].map((n) => inWords(names.slice(0, n)))).to.deep.equal([
      '',
      'a',
      'a and b',
      'a, b and c',
    ]);
    expect(inWords(names, 'or')).to.equal('a, b or c');
  });

  it('names the first, and counts the others', () => {
    const names = ['a', 'b', 'c'];
    expect([0, 1, 2, 3].map((n) => someOf(names.slice(0, n), 2))).to.deep.equal([
      '',
      'a',
      'a, b',
      'a, b and 1 more',
    ]);
  });
});
