import { expect } from 'chai';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { checkPlan } from '../../../../src/htools/plan/checker/check.ts';
import { findRefuges, seekElsewhere } from '../../../../src/htools/planners/answer/elsewhere.ts';
import { SuperCluster } from '../../../../src/htools/planners/groups/homes/super-cluster.ts';
import { planOf } from '../../../../src/htools/planners/groups/relocate/relocation-plan.ts';
import { forSeeds, halved } from '../../../builders/seeds.ts';
import { type ClusterSketch, smallCluster, times } from '../../../builders/small-cluster.ts';
import { imageOf } from '../../../builders/state-image.ts';
import { randomSuperCluster } from '../../../builders/super-cluster.ts';

/** Two groups of two nodes; the first one's instances are to be moved. */
const pairOf = (sketch: Partial<ClusterSketch> = {}) =>
  smallCluster({
    groups: [{}, {}],
    nodes: [...times(2, () => ({})), ...times(2, () => ({ group: 1 }))],
    instances: [{}, { diskTemplate: 'ext' }, { diskTemplate: 'plain' }],
    ...sketch,
  });

describe('instances that their own group cannot keep', () => {
  it('go to another group, if there is a way to move them at all', () => {
    const snapshot = pairOf();
    const { relocations, stranded } = findRefuges(new SuperCluster(snapshot), [0, 1, 2]);
    expect(relocations.map(({ instance, to }) => [instance, to.group])).to.deep.equal([
      [0, 1],
      [1, 1],
    ]);
    expect(stranded.map(({ instance }) => instance)).to.deep.equal([snapshot.instances[2]!.name]);
  });

  it('go to a healthy group, though a weak one would score better; to a weak one where no other takes them', () => {
    const ext = { memMib: 1024, diskTemplate: 'ext' } as const;
    const nodes = [
      { totalMemMib: 8192 },
      // Healthy, but uneven.
      { group: 1, totalMemMib: 8192 },
      { group: 1, totalMemMib: 8192 },
      // Weak: what runs on its only node could start nowhere.
      { group: 2, totalMemMib: 8192 },
    ];
    const instances = [ext, ...times(2, () => ({ ...ext, primary: 1 })), { ...ext, primary: 3 }];
    const home = (groups: ClusterSketch['groups']) => {
      const snapshot = smallCluster({ groups: groups ?? [], nodes, instances });
      return findRefuges(new SuperCluster(snapshot), [0]).relocations[0]?.to.group;
    };
    expect(home([{}, {}, {}])).to.equal(1);
    expect(home([{}, { allocPolicy: 'last_resort' }, {}])).to.equal(1);
    expect(home([{}, { allocPolicy: 'unallocable' }, {}])).to.equal(2);
  });

  it('stay where the cluster, or their own tag, says so', () => {
    const tag = 'htools:nointergroup';
    const refuges = (sketch: Partial<ClusterSketch>) => {
      const { relocations, stranded } = findRefuges(new SuperCluster(pairOf(sketch)), [0]);
      return [relocations.length, stranded.length];
    };
    expect(refuges({ tags: [tag] })).to.deep.equal([0, 0]);
    expect(refuges({ instances: [{ tags: [tag] }] })).to.deep.equal([0, 1]);
  });

  it('do not go to nodes that are to be left, too', () => {
    const snapshot = pairOf({ instances: [{ diskTemplate: 'ext' }] });
    const home = (leaving: readonly number[]) => {
      const state = new ClusterState(snapshot);
      return seekElsewhere(state, [0], new Set(leaving), true).moved.map(({ primary }) => primary);
    };
    expect([home([0, 2]), home([0, 3]), home([0, 2, 3])]).to.deep.equal([[3], [2], []]);
  });

  it('move one after another in ways that the checker finds sound; as a question only, nothing changes', () => {
    let moved = 0;
    forSeeds(halved(40), (seed) => {
      const snapshot = randomSuperCluster(seed, { groups: [2, 4], nodes: [3, 6] });
      const node = snapshot.instances[0]?.primary ?? 0;
      const residents = [...snapshot.instances.keys()].filter((i) => snapshot.instances[i]!.primary === node);
      const asked = new ClusterState(snapshot);
      const before = imageOf(asked);
      const answer = seekElsewhere(asked, residents, new Set([node]), false);
      expect(imageOf(asked)).to.deep.equal(before);

      const cluster = new SuperCluster(snapshot, { leaving: new Set([node]) });
      const { relocations } = findRefuges(cluster, residents);
      expect(
        answer.moved.map(({ instance, primary, secondary }) => ({ instance, primary, secondary })),
      ).to.deep.equal(
        relocations.map(({ instance, to: { primary, secondary } }) => ({ instance, primary, secondary })),
      );
      const plan = planOf(snapshot, relocations, {
        diskMoves: true,
        emptiedNodes: [node],
        healthyGroups: [],
      });
      expect(checkPlan(plan)).to.deep.equal([]);
      for (const { from, to } of relocations) expect(to.group).not.to.equal(from.group);
      moved += relocations.length;
    });
    expect(moved).to.be.greaterThan(50);
  });
});
