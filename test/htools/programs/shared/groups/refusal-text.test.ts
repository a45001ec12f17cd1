import { expect } from 'chai';
import { bucketsOf } from '../../../../../src/htools/programs/shared/groups/refusal-text.ts';
import type { Stranded } from '../../../../../src/htools/results/groups.ts';

const stranded = (instance: number, needed: number, available: number, group = 1): Stranded => ({
  instance: `i${instance}`,
  reason: null,
  departure: [],
  refusals: [{ group: `g${group}`, rule: 'memory', needed, available, unit: 'MiB', nodes: 2 }],
  isAfterOthers: false,
});

describe('instances that find no home for the same reasons', () => {
  it('are put together, with figures that hold for all of them', () => {
    const [bucket, ...others] = bucketsOf([stranded(3, 900, 100), stranded(5, 500, 120)], true);
    expect(others).to.deep.equal([]);
    expect(bucket!.instances).to.deep.equal(['i3', 'i5']);
    expect(bucket!.refusals).to.deep.equal([
      {
        groups: ['g1'],
        refusal: { group: 'g1', rule: 'memory', needed: 500, available: 120, unit: 'MiB', nodes: 2 },
      },
    ]);
  });

  it('are put together however many groups refuse them all', () => {
    const list = Array.from({ length: 3000 }, (_, i) => ({
      ...stranded(i, 900, 100),
      refusals: Array.from({ length: 100 }, (_, group) => stranded(i, 900, 100, group).refusals[0]!),
    }));
    const [bucket] = bucketsOf(list, true);
    expect(bucket!.instances).to.have.lengthOf(3000);
    expect(bucket!.refusals[0]!.groups).to.have.lengthOf(100);
    expect(bucket!.refusals[0]!.refusal).to.include({ needed: 900, available: 100 });
  });

  it('show no figures where these would contradict one another', () => {
    const [bucket] = bucketsOf([stranded(3, 900, 600), stranded(5, 500, 120)], true);
    expect(bucket!.refusals[0]!.refusal).to.not.have.property('needed');
  });

  it('stay apart where reasons differ, and on demand', () => {
    const list = [stranded(1, 500, 1), stranded(2, 500, 1, 2), stranded(3, 500, 1)];
    expect(bucketsOf(list, true).map(({ instances }) => instances)).to.deep.equal([['i1', 'i3'], ['i2']]);
    expect(bucketsOf(list, false).map(({ instances }) => instances)).to.deep.equal([['i1'], ['i2'], ['i3']]);
  });
});
