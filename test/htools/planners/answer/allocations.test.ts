import { expect } from 'chai';
import { DEFAULT_POLICY } from '../../../../src/htools/cluster/policy.ts';
import type { Instance } from '../../../../src/htools/cluster/snapshot.ts';
import { requiredNodes } from '../../../../src/htools/cluster/templates.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { GroupAllocation } from '../../../../src/htools/planners/allocate/by-group/group-allocation.ts';
import { accountOf } from '../../../../src/htools/planners/answer/allocations.ts';
import {
  type GroupSketch,
  instanceFrom,
  type NodeSketch,
  smallCluster,
} from '../../../builders/small-cluster.ts';

const NETWORK = 'net-uuid';
const BOTH = ['internal/lvm', 'external/nas'];

/** Two nodes for each of the groups. */
function clusterOf(
  groups: readonly GroupSketch[],
  nodes: readonly NodeSketch[],
  tags: readonly string[] = [],
) {
  return smallCluster({
    tags,
    groups: groups.map((group) => ({ networks: [NETWORK], ...group })),
    nodes: nodes.flatMap((node, group) => [
      { storagePools: BOTH, ...node, group },
      { storagePools: BOTH, ...node, group },
    ]),
  });
}

const wanted: Instance = {
  ...instanceFrom({ diskTemplate: 'ext', storagePool: 'external/nas' }, 0),
  nics: [{ network: NETWORK }],
  primary: -1,
  secondary: -1,
};

const inSecond = (allocation: GroupAllocation) => ({
  kind: 'in-group' as const,
  group: 1,
  answer: allocation.inGroup(1, { instance: wanted, requiredNodes: 1 }),
});

/** The account of a search for a place in any group. */
function accountIn(snapshot: ReturnType<typeof clusterOf>, instance = wanted) {
  const state = new ClusterState(snapshot, { toAdd: [instance] });
  const allocation = new GroupAllocation(state, { ignoreSoftErrors: false, capacityChecks: true });
  const search = allocation.search({ instance, requiredNodes: requiredNodes(instance.diskTemplate) });
  return accountOf(state, instance, { kind: 'over-groups', search }, allocation.isLess);
}

describe('the account of the groups', () => {
  it('sorts those that could take an instance by policy, then by score', () => {
    const groups = [{ allocPolicy: 'last_resort' as const }, {}, {}];
    const { choices, leftOut } = accountIn(clusterOf(groups, [{}, { totalMemMib: 4096 }, {}]));
    expect(choices.map(({ group }) => group).at(-1)).to.equal(0);
    expect(choices[0]!.metric).to.be.at.most(choices[1]!.metric);
    expect(leftOut).to.deep.equal([]);
  });

  it('begins with the first group, which is chosen, where scores are no numbers', () => {
    // A node without memory: shares of 0 in 0 are in the score of the whole cluster.
    const snapshot = clusterOf([{}, {}], [{}, {}]);
    const broken = { ...snapshot, nodes: snapshot.nodes.with(0, { ...snapshot.nodes[0]!, totalMemMib: 0 }) };
    const state = new ClusterState(broken, { toAdd: [wanted] });
    const allocation = new GroupAllocation(state, { ignoreSoftErrors: false, capacityChecks: false });
    const search = allocation.search({ instance: wanted, requiredNodes: 1 });
    const { choices } = accountOf(state, wanted, { kind: 'over-groups', search }, allocation.isLess);
    expect(choices.map(({ metric }) => metric)).to.deep.equal([Number.NaN, Number.NaN]);
    expect(choices.map(({ group }) => group)).to.deep.equal([0, 1]);
    expect(search.best!.group).to.equal(0);
  });

  it('leaves no group out for its storage where some of its nodes reach the pool', () => {
    const some = smallCluster({
      groups: [{ networks: [NETWORK] }],
      nodes: [
        { storagePools: ['internal/lvm'] },
        { storagePools: BOTH, totalMemMib: 1100 },
        { storagePools: BOTH, totalMemMib: 1100 },
      ],
    });
    expect(accountIn(some).leftOut.map(({ reason }) => reason)).to.deep.equal(['allocation']);
  });

  it('tells of each other group the first reason that leaves it out', () => {
    const snapshot = clusterOf(
      [
        {},
        { networks: [] },
        { allocPolicy: 'unallocable' },
        { policy: { ...DEFAULT_POLICY, diskTemplates: ['drbd'] } },
        {},
        {},
        {},
      ],
      [{}, {}, {}, {}, { storagePools: ['internal/lvm'] }, { totalMemMib: 1100 }, { isOffline: true }],
    );
    const { choices, leftOut } = accountIn(snapshot);
    expect(choices.map(({ group }) => group)).to.deep.equal([0]);
    expect(leftOut.map(({ group, reason, detail }) => [group, reason, detail])).to.deep.equal([
      [1, 'network', NETWORK],
      [2, 'policy', 'unallocable'],
      [3, 'policy', 'FailDisk'],
      [4, 'storage', 'external/nas'],
      [5, 'allocation', undefined],
      [6, 'nodes', undefined],
    ]);
    expect(leftOut[4]!.refusals![1], 'nodes without memory').to.equal(2);
  });

  it('names the pool that is too full, in every group', () => {
    const { choices, leftOut } = accountIn(
      clusterOf([{}, {}], [{}, {}], ['htools:poolsize:external/nas:4095']),
    );
    expect(choices).to.deep.equal([]);
    expect(leftOut.map(({ reason, detail }) => [reason, detail])).to.deep.equal([
      ['storage', 'external/nas'],
      ['storage', 'external/nas'],
    ]);
  });

  it('does not ask the others where one group is asked for', () => {
    const state = new ClusterState(clusterOf([{}, {}], [{}, {}]), { toAdd: [wanted] });
    const allocation = new GroupAllocation(state, { ignoreSoftErrors: false, capacityChecks: true });
    const { choices, leftOut } = accountOf(state, wanted, inSecond(allocation), allocation.isLess);
    expect(choices.map(({ group }) => group)).to.deep.equal([1]);
    expect(leftOut).to.deep.equal([{ group: 0, reason: 'not-asked' }]);
  });

  it('tells what the nodes of a group lack that is closed to all but those who ask for it', () => {
    const snapshot = clusterOf([{}, { allocPolicy: 'unallocable' }], [{}, { totalMemMib: 2048 }]);
    const state = new ClusterState(snapshot, { toAdd: [wanted] });
    const allocation = new GroupAllocation(state, { ignoreSoftErrors: false, capacityChecks: true });
    const { leftOut } = accountOf(state, wanted, inSecond(allocation), allocation.isLess);
    expect(leftOut[1]).to.include({ group: 1, reason: 'allocation' });
    expect(leftOut[1]!.refusals![1], 'nodes without memory').to.equal(2);
  });
});
