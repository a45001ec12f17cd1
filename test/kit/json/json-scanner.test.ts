import { expect } from 'chai';
import fc from 'fast-check';
import { scanJson } from '../../../src/kit/json/json-scanner.ts';
import { isObject, mapMembers } from '../../../src/kit/json/json-value.ts';

describe('the slow JSON scanner', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.nat(3), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        expect(JSON.stringify(scanJson(text))).to.equal(JSON.stringify({ value: JSON.parse(text) }));
      }),
    );
  });

  it('keeps members in order, and all that share a name; the first of them counts', () => {
    const parsed = scanJson('{"b":1,"2":2,"1":3,"b":4}');
    const object = 'value' in parsed && isObject(parsed.value) ? parsed.value : {};
    expect(mapMembers(object, (name, value) => [name, value])).to.deep.equal([
      ['b', 1],
      ['2', 2],
      ['1', 3],
      ['b', 4],
    ]);
    expect(object.b).to.equal(1);
  });

  it('refuses to go deeper than its stack', () => {
    expect(scanJson('{"a":'.repeat(100_000)))
      .to.have.property('problem')
      .that.includes('nested too deeply');
  });
});
