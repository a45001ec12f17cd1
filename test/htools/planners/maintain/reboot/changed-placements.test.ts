import { expect } from 'chai';
import { changedPlacements } from '../../../../../src/htools/planners/maintain/reboot/clear-nodes.ts';
import { smallCluster } from '../../../../builders/small-cluster.ts';

describe('the placements that a round changes', () => {
  const start = smallCluster({
    nodes: [{}, {}, {}],
    instances: [{}, {}, { diskTemplate: 'plain', secondary: 1 }],
  });

  it('are where instances end, without those that only change their roles', () => {
    const swapped = { instance: 0, primary: 1, secondary: 0 };
    const underway = { instance: 1, primary: 1, secondary: 0 };
    const moved = { instance: 1, primary: 2, secondary: 0 };
    expect(changedPlacements(start, [swapped, underway, moved])).to.deep.equal([moved]);
  });

  it('have no secondary where the disks have no copy, whatever the record says', () => {
    expect(changedPlacements(start, [{ instance: 2, primary: 2, secondary: 1 }])).to.deep.equal([
      { instance: 2, primary: 2, secondary: -1 },
    ]);
  });
});
