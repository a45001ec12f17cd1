import { expect } from 'chai';
import { shownJson } from '../../../src/kit/json/shown-json.ts';

/** As deep as no recursion goes. */
const deep = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);

describe('a value in a message', () => {
  it('is written as JSON', () => {
    const value = { name: 'web"1', sizes: [1, 2.5, null, true] };
    expect(shownJson(value)).to.equal(JSON.stringify(value));
    expect(shownJson(-3)).to.equal('-3');
  });

  it('is cut where it is too deep or too long', () => {
    expect(shownJson(deep(100_000))).to.match(/^(\{"a":){8}\{\.\.\.\}+$/);
    expect(shownJson(Array.from({ length: 10_000 }, () => [[]]))).to.have.lengthOf.at.most(62);
    expect(shownJson('x'.repeat(1_000_000))).to.have.lengthOf.at.most(62);
  });
});
