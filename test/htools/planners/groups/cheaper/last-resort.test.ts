import { expect } from 'chai';
import { lastResorts } from '../../../../../src/htools/planners/groups/cheaper/aim.ts';
import { SuperCluster } from '../../../../../src/htools/planners/groups/homes/super-cluster.ts';
import type { Home } from '../../../../../src/htools/planners/groups/relocate/relocation.ts';
import { smallCluster, times } from '../../../../builders/small-cluster.ts';

describe('moves to groups of last resort', () => {
  it('are those from another group to one of that kind', () => {
    const cluster = new SuperCluster(
      smallCluster({
        groups: [{}, { allocPolicy: 'last_resort' }, {}],
        nodes: times(3, (group) => ({ group })),
        instances: [],
      }),
    );
    const home = (group: number): Home => ({ group, primary: group, secondary: -1 });
    const move = (from: number, to: number) => ({ instance: 0, from: home(from), to: home(to), steps: [] });
    expect(lastResorts(cluster, [move(0, 1)])).to.equal(1);
    expect(lastResorts(cluster, [move(0, 2), move(1, 2), move(1, 1)])).to.equal(0);
    expect(lastResorts(cluster, [move(2, 1), move(0, 2), move(0, 1)])).to.equal(2);
  });
});
