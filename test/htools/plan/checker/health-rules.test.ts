import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Snapshot } from '../../../../src/htools/cluster/snapshot.ts';
import { describeStorage } from '../../../../src/htools/cluster/storage/storage.ts';
import { SharedStorageN1 } from '../../../../src/htools/model/redundancy/shared/shared-storage.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { buildReplica } from '../../../../src/htools/plan/checker/built-replica.ts';
import { type RestartVerdict, restartVerdict } from '../../../../src/htools/plan/checker/health-rules.ts';
import { brimfulClusters, smallClusters } from '../../model/redundancy/random-clusters.ts';
import { aCluster, type NodeSketch } from '../cluster-builder.ts';

const verdictsOf = (snapshot: Snapshot): RestartVerdict[] => {
  const replica = buildReplica(snapshot);
  const storage = describeStorage(snapshot);
  return replica.nodes.map((node) => {
    const members = replica.nodes.filter(({ record }) => record.group === node.record.group);
    return restartVerdict(replica, storage, node, members);
  });
};

const withRoom = (mib: number): NodeSketch => ({ totalMemMib: mib, nodeMemMib: 0 });

describe('the checker’s own answer about restarts', () => {
  it('starts a mirrored instance on its secondary only, which needs more memory than that', () => {
    const pair = (mib: number) =>
      verdictsOf(
        aCluster({ nodes: [withRoom(4000), withRoom(mib), withRoom(9000)], instances: [{ memMib: 1000 }] }),
      )[0];
    expect([pair(1001), pair(1000)]).to.deep.equal(['possible', 'impossible']);
  });

  it('has no restart for a mirrored instance whose secondary is offline', () => {
    const nodes = [{}, { isOffline: true }, {}];
    expect(verdictsOf(aCluster({ nodes, instances: [{ memMib: 1 }] }))[0]).to.equal('impossible');
  });

  it('looks further than the tightest node where that leads nowhere', () => {
    const sizes = [4, 3, 3, 2, 2, 2];
    const nodes = [withRoom(99), withRoom(9), withRoom(9)];
    const instances = sizes.map((memMib) => ({ diskTemplate: 'ext' as const, memMib }));
    expect(verdictsOf(aCluster({ nodes, instances }))[0]).to.equal('possible');
    const tight = [withRoom(99), withRoom(9), withRoom(8)];
    expect(verdictsOf(aCluster({ nodes: tight, instances }))[0]).to.equal('impossible');
  });

  it('asks for disk where the disks are lost, and for access where they are not', () => {
    const nodes = (totalDiskMib: number) => [{}, { totalDiskMib }, { isOffline: true }];
    const lost = (mib: number) =>
      verdictsOf(aCluster({ nodes: nodes(mib), instances: [{ diskTemplate: 'plain', diskMib: 500 }] }))[0];
    expect([lost(501), lost(500)]).to.deep.equal(['possible', 'impossible']);
    const reached = (pool: `external/${string}`) =>
      verdictsOf(
        aCluster({
          nodes: [{ storagePools: ['external/nas'] }, { storagePools: [pool] }],
          instances: [{ diskTemplate: 'ext', storagePool: 'external/nas' }],
        }),
      )[0];
    expect([reached('external/nas'), reached('external/san')]).to.deep.equal(['possible', 'impossible']);
  });

  it('leaves open what would take too many tries', () => {
    // Thirteen that go two to a node of which there are six, and no two in the same way.
    const nodes = [withRoom(9999), ...Array.from({ length: 6 }, (_, k) => withRoom(1000 + k))];
    const instances = Array.from({ length: 13 }, (_, k) => ({
      diskTemplate: 'ext' as const,
      memMib: 400 + k,
    }));
    expect(verdictsOf(aCluster({ nodes, instances }))[0]).to.equal('open');
  });

  it('agrees with the planners’ check wherever both know', () => {
    const seen = { possible: 0, impossible: 0 };
    const compare = (snapshot: Snapshot): void => {
      const n1 = new SharedStorageN1(new ClusterState(snapshot), describeStorage(snapshot));
      verdictsOf(snapshot).forEach((verdict, node) => {
        const theirs = n1.verdictOf(node);
        if (verdict === 'open' || theirs === 'unproven') return;
        expect(verdict === 'possible', `node ${node}`).to.equal(theirs === 'yes');
        seen[verdict]++;
      });
    };
    fc.assert(fc.property(smallClusters({ nodes: 5, instances: 9 }), compare), { numRuns: 300, seed: 7 });
    fc.assert(fc.property(brimfulClusters, compare), { numRuns: 100, seed: 7 });
    expect(seen.possible).to.be.above(200);
    expect(seen.impossible).to.be.above(100);
  });
});
