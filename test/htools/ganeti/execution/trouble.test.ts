/** What keeps hands off a cluster that nobody watches. */
import { expect } from 'chai';
import type { Node, Snapshot } from '../../../../src/htools/cluster/snapshot.ts';
import { plainTroubles } from '../../../../src/htools/ganeti/execution/run/trouble.ts';
import { smallCluster } from '../../../builders/small-cluster.ts';

const CALM = smallCluster({ nodes: [{}, {}, {}], instances: [{ primary: 0, secondary: 1 }] });
const withNode = (figures: Partial<Node>): Snapshot => ({
  ...CALM,
  nodes: CALM.nodes.map((node, n) => (n === 2 ? { ...node, ...figures } : node)),
});
const QUIET = [null, false];

describe('a cluster in trouble', () => {
  it('is none where all is well, and where nodes are as somebody wanted them', () => {
    expect(plainTroubles(CALM, QUIET)).to.deep.equal([]);
    expect(plainTroubles(withNode({ isOffline: true, isReachable: true }), QUIET)).to.deep.equal([]);
    expect(plainTroubles(withNode({ isOffline: true, tags: ['htools:standby:auto'] }), QUIET)).to.deep.equal(
      [],
    );
    expect(plainTroubles(CALM, 'nonsense')).to.deep.equal([]);
  });

  it('has its watcher paused, its queue drained, nodes that are dead, or instances that are not as they should be', () => {
    expect(plainTroubles(CALM, [1_800_000_000, false])).to.deep.equal(['the watcher is paused']);
    expect(plainTroubles(CALM, [null, true])).to.deep.equal(['the job queue is drained']);
    expect(plainTroubles(withNode({ isOffline: true }), QUIET)).to.deep.equal([
      `offline: ${CALM.nodes[2]!.name}`,
    ]);
    const sketch = Array.from({ length: 7 }, () => ({
      primary: 0,
      secondary: 1,
      status: 'ERROR_down' as const,
    }));
    const broken = smallCluster({ nodes: [{}, {}], instances: sketch });
    const names = broken.instances.slice(0, 5).map(({ name }) => name);
    expect(plainTroubles(broken, QUIET)).to.deep.equal([
      `not as they should be: ${names.join(', ')} and 2 more`,
    ]);
    const five = { ...broken, instances: broken.instances.slice(0, 5) };
    expect(plainTroubles(five, QUIET)).to.deep.equal([`not as they should be: ${names.join(', ')}`]);
  });
});
