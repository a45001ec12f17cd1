import { expect } from 'chai';
import { DEFAULT_POLICY } from '../../../../../src/htools/cluster/policy.ts';
import {
  hardwareOf,
  obstacleOf,
  offlineCandidates,
  squeeze,
  stayingNodes,
} from '../../../../../src/htools/planners/maintain/squeeze/squeeze.ts';
import { type ClusterSketch, smallCluster, smallState } from '../../../../builders/small-cluster.ts';

const EXT = { diskTemplate: 'ext', secondary: -1 } as const;

/** Four nodes on shared storage, two instances on each of the last three; the first is the master. */
const SHARED: ClusterSketch = {
  nodes: [{ isMaster: true }, {}, {}, {}],
  instances: [1, 1, 2, 2, 3, 3].map((primary) => ({ ...EXT, primary })),
};

const FACTORS = { minimalResources: 1, targetResources: 1, isExact: true };

describe('switching nodes off', () => {
  it('asks only nodes that hold nothing but instances on shared storage, and never the master', () => {
    const state = smallState({
      nodes: [{ isMaster: true }, {}, {}, {}, { isOffline: true }],
      instances: [
        { primary: 1, secondary: 2 },
        { ...EXT, primary: 3 },
        { ...EXT, primary: 1 },
      ],
    });
    expect([0, 1, 2, 3, 4].map((n) => obstacleOf(state, n)?.reason)).to.deep.equal([
      'master',
      'local-storage',
      'secondaries',
      undefined,
      'offline',
    ]);
  });

  it('looks at the node with most instances first', () => {
    const state = smallState({
      nodes: [{ isMaster: true }, {}, {}],
      instances: [1, 2, 2].map((primary) => ({ ...EXT, primary })),
    });
    expect(offlineCandidates(state)).to.deep.equal([2, 1]);
  });

  it('takes as many nodes as leave room for the wanted instance on every other, and moves what is on them', () => {
    const snapshot = smallCluster(SHARED);
    const found = squeeze(snapshot, FACTORS);
    expect(found.action).to.equal('offline');
    const gone = new Set(found.nodes);
    const { state } = found.result()!;
    expect(found.nodes).to.have.length.above(0);
    for (let i = 0; i < state.instanceCount; i++) expect(gone.has(state.primary[i]!)).to.equal(false);
    expect(hardwareOf(snapshot, found.nodes).nodes).to.equal(found.nodes.length);
    expect(stayingNodes(snapshot, found.nodes).map(({ reason }) => reason)).to.include('master');
  });

  it('goes around what is to be left alone: no such node goes, nor one with such an instance, and nothing comes there', () => {
    const TAGS = ['htools:hands-off'];
    const cluster = smallCluster({
      ...SHARED,
      nodes: [{ isMaster: true }, {}, { tags: TAGS }, {}, {}, {}],
      instances: [1, 1, 2, 2, 3, 3, 4].map((primary) => ({ ...EXT, primary })),
    });
    const instances = cluster.instances.map((one, i) => (i === 6 ? { ...one, tags: TAGS } : one));
    const snapshot = { ...cluster, instances };
    for (const isExact of [true, false]) {
      const found = squeeze(snapshot, { ...FACTORS, isExact });
      expect(found.offlineCandidates).to.deep.equal([1, 3, 5]);
      expect(found.action).to.equal('offline');
      const { state, groups } = found.result()!;
      expect([2, 3, 6].map((i) => state.primary[i])).to.deep.equal([2, 2, 4]);
      for (const { target } of groups.flatMap(({ steps }) => steps)) expect(target).not.to.equal(2);
      const why = stayingNodes(snapshot, found.nodes).filter(({ reason }) => reason === 'hands-off');
      expect(why.map(({ node }) => node)).to.deep.equal([2, 4].map((n) => snapshot.nodes[n]!.name));
      expect(why[1]!.instances).to.deep.equal([snapshot.instances[6]!.name]);
    }
  });

  it('leaves all on when nothing may be left short', () => {
    const snapshot = smallCluster(SHARED);
    const all = snapshot.nodes[0]!.totalMemMib / DEFAULT_POLICY.standard.memoryMib;
    expect(squeeze(snapshot, { minimalResources: 0, targetResources: all, isExact: true }).action).to.equal(
      'none',
    );
  });
});

describe('decisions that are carried out again and again', () => {
  it('leave a cluster alone that was just squeezed: nothing is free on nodes without power', () => {
    const snapshot = smallCluster({
      nodes: [{ isMaster: true }, {}, { isOffline: true, freeMemMib: 0, tags: ['htools:standby:auto'] }],
      instances: [],
    });
    expect(squeeze(snapshot, { ...FACTORS, minimalResources: 1 }).action).to.equal('online');
    expect(squeeze(snapshot, { ...FACTORS, targetResources: 1e3, isSteady: true }).action).to.equal('none');
  });

  it('keep the room of one standard instance between them', () => {
    const { memoryMib } = DEFAULT_POLICY.standard;
    // Nodes with room for one and a half.
    const empty = { totalMemMib: 1.5 * memoryMib, nodeMemMib: 0, freeMemMib: 1.5 * memoryMib };
    const snapshot = smallCluster({ nodes: [{ ...empty, isMaster: true }, empty, empty], instances: [] });
    const at = (minimalResources: number, isSteady: boolean) =>
      squeeze(snapshot, { minimalResources, targetResources: 0, isExact: true, isSteady }).action;
    expect([at(1, false), at(1, true), at(0.25, true)]).to.deep.equal(['offline', 'none', 'offline']);
  });

  it('ask no node for room that is left alone', () => {
    const { memoryMib } = DEFAULT_POLICY.standard;
    const empty = { totalMemMib: 1.5 * memoryMib, nodeMemMib: 0, freeMemMib: 1.5 * memoryMib };
    const full = { ...empty, nodeMemMib: 1.5 * memoryMib, freeMemMib: 0, tags: ['htools:hands-off'] };
    const snapshot = smallCluster({ nodes: [{ ...empty, isMaster: true }, empty, full], instances: [] });
    const limits = { minimalResources: 0.25, targetResources: 0, isSteady: true };
    for (const isExact of [true, false])
      expect(squeeze(snapshot, { ...limits, isExact })).to.deep.include({ action: 'offline', nodes: [1] });
  });
});

describe('switching nodes on', () => {
  const standby = { isOffline: true, tags: ['htools:standby:auto'] } as const;

  it('takes the first standby nodes that make room enough, when there is too little', () => {
    const full = smallCluster({ nodes: [{}, standby, standby], instances: [{ ...EXT, primary: 0 }] });
    const { memMib } = full.instances[0]!;
    const room = (full.nodes[0]!.freeMemMib + memMib / 2) / full.policy.standard.memoryMib;
    const found = squeeze(full, { minimalResources: room, targetResources: room, isExact: true });
    expect(found.action).to.equal('online');
    expect(found.onlineCandidates).to.deep.equal([1, 2]);
  });

  it('does not switch on what is to be left alone', () => {
    const tags = [...standby.tags, 'htools:hands-off'];
    const snapshot = smallCluster({
      nodes: [{}, { isOffline: true, tags }, standby],
      instances: [{ ...EXT, primary: 0 }],
    });
    const found = squeeze(snapshot, { minimalResources: 1e6, targetResources: 1, isExact: true });
    expect(found.onlineCandidates).to.deep.equal([2]);
  });

  it('does not count on nodes that were never on standby', () => {
    const snapshot = smallCluster({ nodes: [{}, { isOffline: true }], instances: [{ ...EXT, primary: 0 }] });
    const found = squeeze(snapshot, { minimalResources: 1e6, targetResources: 1, isExact: true });
    expect([found.action, found.nodes, found.isEnough()]).to.deep.equal(['online', [], false]);
  });
});
