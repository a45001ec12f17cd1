import { expect } from 'chai';
import { allocationMap } from '../../../../src/htools/programs/hspace/text.ts';

describe('the map of new instances', () => {
  it('has room for more of them than a function takes arguments', () => {
    const one = { name: 'new', primary: 'n1', secondary: null, memMib: 1, diskMib: 1, vcpus: 1, spindles: 0 };
    const instances = Array.from({ length: 200_000 }, () => one);
    const map = allocationMap(
      { kind: 'tiered', instances } as unknown as Parameters<typeof allocationMap>[0],
      false,
    );
    expect(map.split('\n').slice(0, 2)).to.deep.equal(['Tiered allocation map', ' new n1  1 1 1 ']);
  });
});
