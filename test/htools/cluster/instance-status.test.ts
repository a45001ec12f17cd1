import { expect } from 'chai';
import { reachableNodes } from '../../../src/htools/cluster/instance-status.ts';
import type { InstanceStatus } from '../../../src/htools/cluster/snapshot.ts';
import { type NodeSketch, smallCluster } from '../../builders/small-cluster.ts';

const reach = (node: NodeSketch, status: InstanceStatus): boolean | undefined =>
  reachableNodes(smallCluster({ nodes: [node, {}, {}], instances: [{ status }] }))[0];

describe('whether a node can be reached', () => {
  it('is plain where it is online, whatever its instances are', () => {
    expect(reach({}, 'ERROR_down')).to.equal(true);
  });

  it('is what the source says of a node that takes no part', () => {
    expect(reach({ isOffline: true, isReachable: true }, 'ERROR_nodeoffline')).to.equal(true);
    expect(reach({ isOffline: true, isReachable: false }, 'running')).to.equal(false);
  });

  it('is told by an instance that runs there where the source says nothing', () => {
    expect(reach({ isOffline: true }, 'running')).to.equal(true);
    expect(reach({ isOffline: true }, 'ERROR_up')).to.equal(true);
    expect(reach({ isOffline: true }, 'ERROR_nodeoffline')).to.equal(false);
  });

  it('is not told by an instance that only has its copy there', () => {
    const { nodes, instances } = smallCluster({ nodes: [{}, { isOffline: true }], instances: [{}] });
    expect(reachableNodes({ nodes, instances })).to.deep.equal([true, false]);
  });
});
