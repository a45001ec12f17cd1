import { expect } from 'chai';
import { DEFAULT_POLICY } from '../../../../../src/htools/cluster/policy.ts';
import type { Snapshot } from '../../../../../src/htools/cluster/snapshot.ts';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import { checkPlan } from '../../../../../src/htools/plan/checker/check.ts';
import {
  isTooLargeToBalance,
  switchOffByPlacing,
  switchOnByPlacing,
} from '../../../../../src/htools/planners/maintain/squeeze/by-placing.ts';
import {
  offlineCandidates,
  onlineCandidates,
  squeeze,
} from '../../../../../src/htools/planners/maintain/squeeze/squeeze.ts';
import {
  everyNodeTakes,
  roomOf,
  type Switch,
  TO_THE_END,
} from '../../../../../src/htools/planners/maintain/squeeze/switched.ts';
import { randomCluster } from '../../../../builders/random-cluster.ts';
import { forSeeds } from '../../../../builders/seeds.ts';
import { smallCluster } from '../../../../builders/small-cluster.ts';

const room = roomOf(DEFAULT_POLICY.standard, 1);

/** Everything that switching promises; and the checker replays the moves. */
function expectRight({ nodes, result }: Switch, isOffline: boolean): void {
  const { start, state, groups } = result();
  for (const node of nodes) expect(start.nodes[node]!.isOffline).to.equal(isOffline);
  for (const group of groups)
    expect(checkPlan({ start, ...group, limits: { ...TO_THE_END, betweenGroups: false } })).to.deep.equal([]);
  if (isOffline)
    for (const node of nodes)
      expect([...state.primaries[node]!, ...state.secondaries[node]!]).to.deep.equal([]);
  expect(everyNodeTakes(state, room)).to.equal(true);
  const moved = groups.flatMap(({ steps }) => steps.map(({ instance }) => instance));
  expect(new Set(moved).size).to.equal(moved.length);
}

/** A random cluster of instances on shared storage alone. */
function sharedCluster(seed: number): Snapshot {
  const { nodes, ...rest } = randomCluster(seed);
  const instances = rest.instances.map((instance) =>
    instance.diskTemplate === 'drbd' || instance.diskTemplate === 'plain'
      ? { ...instance, diskTemplate: 'ext' as const, secondary: -1 }
      : instance,
  );
  return { ...rest, nodes: nodes.map((node, n) => ({ ...node, isMaster: n === 0 })), instances };
}

describe('switching nodes off without balancing', () => {
  it('keeps room for whole figures', () => {
    const size = { ...DEFAULT_POLICY.standard, memoryMib: 1001, cpuCount: 3, spindleUse: 3 };
    expect(roomOf(size, 1.5)).to.include({ memMib: 1501, vcpus: 4, spindleUse: 4, diskMib: 0 });
  });

  it('empties what it switches off, keeps the room on every node, and moves each instance once', () => {
    let found = 0;
    forSeeds(60, (seed) => {
      const snapshot = sharedCluster(seed);
      const candidates = offlineCandidates(new ClusterState(snapshot));
      const placed = switchOffByPlacing({ snapshot, candidates, room });
      if (!placed) return;
      found++;
      expectRight(placed, true);
    });
    expect(found).to.be.above(5);
  });

  it('leaves a node on whose instances find no room', () => {
    const ext = { diskTemplate: 'ext', secondary: -1, memMib: 12_000 } as const;
    const snapshot = smallCluster({
      nodes: [{ isMaster: true }, {}, {}].map((node) => ({ ...node, totalMemMib: 16_384 })),
      instances: [0, 1, 2].map((primary) => ({ ...ext, primary })),
    });
    expect(switchOffByPlacing({ snapshot, candidates: [1, 2], room })).to.equal(undefined);
  });

  it('makes room first on a node that lacks it', () => {
    const ext = { diskTemplate: 'ext', secondary: -1, memMib: 2048 } as const;
    const snapshot = smallCluster({
      nodes: [{ isMaster: true }, {}, {}].map((node) => ({ ...node, totalMemMib: 9000, nodeMemMib: 0 })),
      instances: [0, 0, 0, 0].map((primary) => ({ ...ext, primary })),
    });
    const large = roomOf({ ...DEFAULT_POLICY.standard, memoryMib: 2048 }, 1);
    expect(everyNodeTakes(new ClusterState(snapshot), large)).to.equal(false);
    const placed = switchOffByPlacing({ snapshot, candidates: [2], room: large })!;
    expect(placed.nodes).to.deep.equal([2]);
    expect(everyNodeTakes(placed.result().state, large)).to.equal(true);
  });
});

describe('switching nodes on without balancing', () => {
  const ext = { diskTemplate: 'ext', secondary: -1, memMib: 2048 } as const;
  const crowded = (standby: number): Snapshot =>
    smallCluster({
      nodes: [
        { isMaster: true, totalMemMib: 9000, nodeMemMib: 0 },
        ...Array.from({ length: standby }, () => ({
          totalMemMib: 7000,
          nodeMemMib: 0,
          isOffline: true,
          tags: ['htools:standby:auto'],
        })),
      ],
      instances: [0, 0, 0, 0].map((primary) => ({ ...ext, primary })),
    });
  const large = roomOf({ ...DEFAULT_POLICY.standard, memoryMib: 4096 }, 1);

  it('takes as few as make room, in their order', () => {
    const snapshot = crowded(40);
    const candidates = onlineCandidates(new ClusterState(snapshot));
    const placed = switchOnByPlacing({ snapshot, candidates, room: large })!;
    expect(placed.nodes).to.deep.equal([1, 2]);
    expect(everyNodeTakes(placed.result().state, large)).to.equal(true);
    const { start, groups } = placed.result();
    for (const group of groups)
      expect(checkPlan({ start, ...group, limits: { ...TO_THE_END, betweenGroups: false } })).to.deep.equal(
        [],
      );
  });

  it('does with one node less nothing, on any cluster', () => {
    let found = 0;
    forSeeds(60, (seed) => {
      const shared = sharedCluster(seed);
      const nodes = shared.nodes.map((node, n) =>
        n % 2 === 1 ? { ...node, isOffline: true, tags: ['htools:standby:auto'] } : node,
      );
      const snapshot = { ...shared, nodes };
      const candidates = onlineCandidates(new ClusterState(snapshot));
      const placed = switchOnByPlacing({ snapshot, candidates, room });
      if (!placed || placed.nodes.length === 0) return;
      found++;
      expect(placed.nodes).to.deep.equal(candidates.slice(0, placed.nodes.length));
      const fewer = candidates.slice(0, placed.nodes.length - 1);
      expect(switchOnByPlacing({ snapshot, candidates: fewer, room })).to.equal(undefined);
    });
    expect(found).to.be.above(0);
  });

  it('says so when all of them are not enough', () => {
    expect(
      switchOnByPlacing({ snapshot: crowded(1), candidates: [1], room: roomOf(DEFAULT_POLICY.standard, 99) }),
    ).to.equal(undefined);
  });
});

describe('the way in which nodes are chosen', () => {
  const wide = (nodes: number): Snapshot =>
    smallCluster({
      nodes: Array.from({ length: nodes }, (_, n) => ({ isMaster: n === 0, totalMemMib: 65_536 })),
      instances: Array.from({ length: 4 * nodes }, (_, i) => ({
        diskTemplate: 'ext',
        secondary: -1,
        memMib: 1024,
        primary: i % nodes,
      })),
    });

  it('goes by the size of the cluster, and both ways agree on an easy one', () => {
    expect(isTooLargeToBalance(wide(8), [1])).to.equal(false);
    const large = wide(64);
    const candidates = offlineCandidates(new ClusterState(large));
    expect(isTooLargeToBalance(large, candidates)).to.equal(true);
    const small = wide(8);
    const exact = squeeze(small, { minimalResources: 1, targetResources: 1, isExact: true });
    const task = { snapshot: small, candidates: offlineCandidates(new ClusterState(small)), room };
    const placed = switchOffByPlacing(task)!;
    expect(placed.nodes).to.have.length(exact.nodes.length);
  });
});
