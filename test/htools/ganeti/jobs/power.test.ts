/**
 * What Ganeti says about the power of nodes: a row for each, whose second cell tells whether it was switched.
 */
import { expect } from 'chai';
import { unswitched, withoutPowerProgram } from '../../../../src/htools/ganeti/jobs/power.ts';

const row = (name: string, status: number, value: unknown = null) => [
  [0, name],
  [status, value],
];

describe('switching power', () => {
  it('has happened where the result of that opcode says so', () => {
    const result = [[[null, [row('a', 0), row('b', 3), row('c', 2)]]]];
    expect(unswitched(result, 1, ['a', 'b', 'c', 'd'])).to.deep.equal(['b', 'c', 'd']);
    expect(unswitched([[[[row('a', 0)]]]], 0, ['a'])).to.deep.equal([]);
  });

  it('has not, where the result is of no form that is known', () => {
    for (const result of [undefined, [], [[null]], [[[null]]], [[[[['a', 0]]]]], [[[null, [row('a', 0)]]]]])
      expect(unswitched(result, 0, ['a'])).to.deep.equal(['a']);
  });
});

describe('what switches power', () => {
  it('is missing where the parameter is empty', () => {
    const result = {
      data: [row('a', 0, '/sbin/oob'), row('b', 0, ''), row('c', 0, null), row('other', 0, '')],
    };
    expect(withoutPowerProgram(result, ['a', 'b', 'c', 'd'])).to.deep.equal(['b', 'c']);
  });

  it('is not asked for where the cluster does not know the field', () => {
    expect(withoutPowerProgram({ data: [row('a', 1)] }, ['a'])).to.deep.equal([]);
    expect(withoutPowerProgram('nonsense', ['a'])).to.deep.equal([]);
  });
});
