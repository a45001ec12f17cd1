import { expect } from 'chai';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { checkPlan } from '../../../../src/htools/plan/checker/check.ts';
import { type Relocation, relocate } from '../../../../src/htools/planners/groups/relocate/relocation.ts';
import { planOf } from '../../../../src/htools/planners/groups/relocate/relocation-plan.ts';
import { type InstanceSketch, smallCluster, times } from '../../../builders/small-cluster.ts';

/** Rules that a move of the only instance to the second group breaks. */
function brokenRules(
  instance: InstanceSketch,
  emptiedNodes: readonly number[],
  healthyGroups: readonly number[] = [],
  freeMemMib = 15360,
): string[] {
  const start = smallCluster({
    groups: [{}, {}],
    nodes: [...times(2, () => ({})), { group: 1 }, { group: 1, freeMemMib }],
    instances: [instance, { primary: 2, secondary: 3, memMib: 9000 }],
  });
  const secondary = instance.diskTemplate === undefined ? 2 : -1;
  const moved = relocate(new ClusterState(start), 0, { group: 1, primary: 3, secondary }) as Relocation;
  const plan = planOf(start, [moved], { diskMoves: true, emptiedNodes, healthyGroups });
  return checkPlan(plan).map(({ rule }) => rule);
}

describe('a plan between groups', () => {
  it('moves what is to be balanced', () => {
    expect(brokenRules({ diskTemplate: 'ext' }, [])).to.deep.equal([]);
  });

  it('leaves alone what is not to be balanced, unless its node is emptied', () => {
    const manual: InstanceSketch = { diskTemplate: 'ext', isAutoBalanced: false };
    expect(brokenRules(manual, [])).to.deep.equal(['auto-balance']);
    expect(brokenRules(manual, [1])).to.deep.equal(['auto-balance']);
    expect(brokenRules(manual, [0])).to.deep.equal([]);
  });

  it('moves instances without disks only off nodes that are emptied', () => {
    const diskless: InstanceSketch = { diskTemplate: 'diskless', diskMib: 0, disks: [] };
    expect(brokenRules(diskless, [])).to.deep.equal(['movable', 'movable']);
    expect(brokenRules(diskless, [0])).to.deep.equal([]);
  });

  it('breaks its promise when a group that is to be healthy has a node that fails N+1', () => {
    const shared: InstanceSketch = { diskTemplate: 'ext' };
    // The target keeps 9000 MiB for its peer, of which it has fewer from the start: it may get worse, but not
    // count as healthy.
    expect(brokenRules(shared, [], [0], 8000)).to.deep.equal([]);
    // The node that keeps too little, and its peer, which could not start there.
    expect(brokenRules(shared, [], [1], 8000)).to.deep.equal(['healthy-group', 'healthy-group']);
  });

  it('breaks its promise when a group that it leaves alone is not healthy', () => {
    const start = smallCluster({
      groups: [{}, {}],
      nodes: [{}, {}, { group: 1, isOffline: true }, { group: 1 }],
      instances: [{ primary: 2, secondary: 3 }],
    });
    const plan = planOf(start, [], { diskMoves: true, emptiedNodes: [], healthyGroups: [0, 1] });
    expect(checkPlan(plan).map(({ message }) => message)).to.deep.equal([
      'offline node node3 still has 1 instance(s)',
    ]);
  });

  it('takes spindles of a node with exclusive storage for disks that are there, and for no others', () => {
    const rulesFor = (arriving: InstanceSketch): string[] => {
      const exclusive = { group: 1, hasExclusiveStorage: true, spindles: 8, freeSpindles: 4 };
      const start = smallCluster({
        groups: [{}, {}],
        nodes: [{}, {}, exclusive, exclusive, exclusive],
        instances: [
          { disks: [{ sizeMib: 1024, spindles: 2 }], ...arriving },
          { primary: 2, diskTemplate: 'plain', disks: [{ sizeMib: 1024, spindles: 3 }] },
        ],
      });
      const secondary = arriving.diskTemplate === undefined ? 4 : -1;
      const moved = relocate(new ClusterState(start), 0, { group: 1, primary: 3, secondary }) as Relocation;
      const limits = { diskMoves: true, emptiedNodes: [], healthyGroups: [1] };
      return checkPlan(planOf(start, [moved], limits)).map(({ rule }) => rule);
    };
    expect(rulesFor({ diskTemplate: 'ext' })).to.deep.equal([]);
    expect(rulesFor({})).to.deep.equal(['healthy-group']);
  });
});
