import { expect } from 'chai';
import { DEFAULT_BALANCE_OPTIONS } from '../../../../src/htools/planners/balance/options.ts';
import { explainHealth } from '../../../../src/htools/programs/hcheck/explain.ts';
import { type InstanceSketch, smallCluster } from '../../../builders/small-cluster.ts';

describe('hcheck --explain', () => {
  it('tells the same of a group whether it stands alone, or shares a set of instances with another', () => {
    const factsWith = (...more: readonly InstanceSketch[]) =>
      explainHealth(
        smallCluster({
          groups: [{}, {}],
          nodes: [
            { isOffline: true },
            {},
            {},
            { group: 1, isOffline: true },
            { group: 1 },
            { group: 1, totalMemMib: 8192 },
          ],
          instances: [{ primary: 0, secondary: 1 }, { primary: 3, secondary: 4 }, ...more],
        }),
        DEFAULT_BALANCE_OPTIONS,
      ).document.map(({ group, steps }) => [
        group,
        steps.map((one) => [one.instance, one.notation, one.gain]),
      ]);
    const alone = factsWith();
    expect(alone.map(([group, steps]) => [group, steps!.length])).to.deep.equal([
      ['group1', 1],
      ['group2', 1],
    ]);
    const idle = {
      diskTemplate: 'ext',
      memMib: 0,
      diskMib: 0,
      vcpus: 0,
      spindleUse: 0,
      tags: ['htools:together:web'],
    } as const;
    expect(factsWith({ ...idle, primary: 1 }, { ...idle, primary: 4 })).to.deep.equal(alone);
  });
});
