import { expect } from 'chai';
import { NO_NODE } from '../../../../src/htools/cluster/snapshot.ts';
import { nodeRows } from '../../../../src/htools/explain/state/state-facts.ts';
import { applyMove } from '../../../../src/htools/model/moves/apply.ts';
import { FAILOVER_TO_ANY, REPLACE_SECONDARY } from '../../../../src/htools/model/moves/kinds.ts';
import { optimalScore } from '../../../../src/htools/model/score/scorer.ts';
import { PeerRow, peerSquares } from '../../../../src/htools/model/state/peer-rows.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { figuresOf } from '../../../builders/figures.ts';
import { instanceFrom, smallCluster, smallState, times } from '../../../builders/small-cluster.ts';

describe('a state', () => {
  it('accounts for a drbd instance on both nodes', () => {
    const state = smallState({ nodes: [{}, {}], instances: [{ vcpus: 2, spindleUse: 3 }] });
    expect(figuresOf(state, 0)).to.include({
      freeMem: 14336,
      instanceMem: 1024,
      freeMemForthcoming: 14336,
      freeDisk: 98304,
      freeDiskForthcoming: 98304,
      usedCpu: 2,
      usedCpuForthcoming: 2,
      instanceSpindles: 3,
      reserved: 0,
      primaries: 1,
      secondaries: 0,
      cpuLoad: 1,
      diskLoad: 1,
    });
    expect(figuresOf(state, 1)).to.include({
      freeMem: 15360,
      freeDisk: 98304,
      usedCpu: 0,
      instanceSpindles: 3,
      reserved: 1024,
      primaries: 0,
      secondaries: 1,
      cpuLoad: 0,
      diskLoad: 1,
    });
  });

  it('lists instances oldest first, reserved ones apart', () => {
    const state = smallState({
      nodes: [{}, {}],
      instances: [{}, { primary: 1, secondary: 0 }, { isForthcoming: true }, {}],
    });
    expect(state.primaries).to.deep.equal([[0, 3], [1]]);
    expect(state.secondaries).to.deep.equal([[1], [0, 3]]);
    expect(state.forthcomingPrimaries).to.deep.equal([[2], []]);
    expect(state.forthcomingSecondaries).to.deep.equal([[], [2]]);
  });

  it('counts reserved instances in the forthcoming figures alone', () => {
    const state = smallState({ nodes: [{}, {}], instances: [{ isForthcoming: true, vcpus: 2 }] });
    expect(figuresOf(state, 0)).to.include({
      freeMem: 15360,
      freeMemForthcoming: 14336,
      freeDisk: 102400,
      freeDiskForthcoming: 98304,
      usedCpu: 0,
      usedCpuForthcoming: 2,
      instanceSpindles: 0,
      instanceSpindlesForthcoming: 1,
      primaries: 0,
      cpuLoad: 0,
    });
    expect(figuresOf(state, 1)).to.include({
      freeDisk: 102400,
      freeDiskForthcoming: 98304,
      reserved: 0,
      secondaries: 0,
    });
  });

  it('finds the memory that nodes miss', () => {
    const state = smallState({ nodes: [{ freeMemMib: 10000 }, { freeMemMib: 16000 }] });
    expect([...state.missingMem]).to.deep.equal([5360, -640]);
    expect(figuresOf(state, 0).freeMem).to.equal(10000);
    expect(figuresOf(state, 1).freeMem).to.equal(15360);
  });

  it('keeps reservations by primary', () => {
    const state = smallState({
      nodes: times(3, () => ({})),
      instances: [{}, { secondary: 1, memMib: 512 }, { primary: 2, secondary: 1, memMib: 256 }],
    });
    const keeps = (node: number) => [0, 1, 2].map((primary) => state.peers.get(node, primary));
    expect(keeps(1), 'what node 1 keeps for each').to.deep.equal([1536, 0, 256]);
    expect([keeps(0), keeps(2)]).to.deep.equal([
      [0, 0, 0],
      [0, 0, 0],
    ]);
    const row = new PeerRow(state);
    expect([...row.open(0)]).to.deep.equal([0, 1536, 0]);
    expect([...row.open(2)], 'nothing is left of the row before').to.deep.equal([0, 256, 0]);
    const squares = peerSquares(state, [2, 1]);
    expect([...squares.placeOf]).to.deep.equal([-1, 1, 0]);
    expect([...squares.peers]).to.deep.equal([0, 0, 256, 0]);
    expect([...squares.byPrimary]).to.deep.equal([0, 256, 0, 0]);
    expect(state.largestPeer(1)).to.equal(1536);
    expect(state.largestPeer(0)).to.equal(0);
    expect(state.largestPeer(1, 0), 'but for those of node 0').to.equal(256);
  });

  it('leaves what an instance on shared storage has reserved with the primary that was read', () => {
    const state = smallState({
      nodes: times(4, () => ({})),
      instances: [{ diskTemplate: 'ext', secondary: 1, memMib: 512 }, { memMib: 256 }],
    });
    applyMove(state, 0, FAILOVER_TO_ANY, 2, false);
    applyMove(state, 1, REPLACE_SECONDARY, 3, false);
    expect(state.peers.get(1, 0)).to.equal(512);
    expect(figuresOf(state, 1).reserved).to.equal(512);
    expect([...peerSquares(state, [0, 1, 2]).peers]).to.deep.equal([0, 0, 0, 512, 0, 0, 0, 0, 0]);
    const row = new PeerRow(state);
    expect([...row.open(0)]).to.deep.equal([0, 512, 0, 256]);
    expect([...row.open(2)], 'where it is now').to.deep.equal([0, 0, 0, 0]);
  });

  it('lists that reservation, and counts it in the best score there can be', () => {
    const snapshot = smallCluster({
      nodes: times(3, () => ({})),
      instances: [{ diskTemplate: 'ext', secondary: 1, memMib: 512 }],
    });
    const state = new ClusterState(snapshot, { trackPeerOrder: true });
    const before = optimalScore(state, [0, 1, 2]);
    expect(before).to.be.above(0);
    applyMove(state, 0, FAILOVER_TO_ANY, 2, false);
    expect(nodeRows(state, [1])[0]!.peers).to.deep.equal([[0, 512]]);
    expect(optimalScore(state, [0, 1, 2])).to.equal(before);
  });

  it('adds instances beyond the room that it was made with, and drops them again', () => {
    const state = smallState({ nodes: [{}, {}], instances: [{}] });
    const added = times(40, (k) =>
      instanceFrom({ memMib: 100 + k, primary: NO_NODE, secondary: NO_NODE }, k + 1),
    );
    const positions = added.map((record) => state.addInstance(record));
    expect(positions).to.deep.equal(times(40, (k) => k + 1));
    expect(state.mem[40]).to.equal(139);
    expect(state.mem[0]).to.equal(1024);
    expect(state.instanceRecord(0).name).to.equal('inst1');
    expect(state.instanceRecord(40)).to.equal(added[39]);
    expect(figuresOf(state, 0).primaries).to.equal(1);
    for (const _ of added) state.dropLastInstance();
    expect(state.instanceCount).to.equal(1);
    expect(state.added).to.deep.equal([]);
  });

  it('shares common locations between a primary and a secondary only', () => {
    const tags = ['rack:1', 'room:1'];
    const state = smallState({
      tags: ['htools:nlocation:rack', 'htools:nlocation:room'],
      nodes: [{ tags }, { tags: ['rack:2', 'room:1'] }, { tags }],
    });
    expect(state.commonLocations(0, 1)).to.equal(1);
    expect(state.commonLocations(0, 2)).to.equal(2);
    expect(state.commonLocations(0, NO_NODE)).to.equal(0);
  });

  it('stands over memory that threads can share', () => {
    const state = new ClusterState(smallCluster({ nodes: [{}, {}], instances: [{}] }));
    for (const array of [
      state.nodeFields,
      peerSquares(state, [0, 1]).peers,
      state.mem,
      state.flags,
      state.primary,
      state.tags.counts,
    ])
      expect(array.buffer).to.be.instanceOf(SharedArrayBuffer);
  });
});
