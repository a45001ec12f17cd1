/** The tag htools:hands-off of a cluster, a group, a node or an instance. */
import { expect } from 'chai';
import type { Snapshot } from '../../../src/htools/cluster/snapshot.ts';
import { leftAlone, withHandsOff, withoutHandsOff } from '../../../src/htools/cluster/tags/hands-off.ts';
import { smallCluster } from '../../builders/small-cluster.ts';

const TAGS = ['other', 'htools:hands-off'];
/** Three nodes in one group; one instance on the first two, one on the last two, one on the last alone. */
const CLUSTER = smallCluster({
  nodes: [{}, {}, {}],
  instances: [
    { primary: 0, secondary: 1 },
    { primary: 1, secondary: 2 },
    { primary: 2, secondary: -1, diskTemplate: 'ext' },
  ],
});
const tagged = <K extends 'nodes' | 'instances' | 'groups'>(kind: K, at: number): Snapshot => ({
  ...CLUSTER,
  [kind]: CLUSTER[kind].map((one, k) => (k === at ? { ...one, tags: TAGS } : one)),
});
const movable = ({ instances }: Snapshot): boolean[] => instances.map(({ isMovable }) => isMovable);
const open = ({ nodes }: Snapshot): boolean[] => nodes.map(({ isOffline }) => !isOffline);
const NOBODY: ReadonlySet<string> = new Set();

describe('what is to be left alone', () => {
  it('is an instance with the tag', () => {
    const after = withHandsOff(tagged('instances', 1), NOBODY);
    expect(movable(after)).to.deep.equal([true, false, true]);
    expect(open(after)).to.deep.equal([true, true, true]);
  });

  it('is a node with the tag, and whatever has a copy there; nothing arrives', () => {
    const after = withHandsOff(tagged('nodes', 1), NOBODY);
    expect(movable(after)).to.deep.equal([false, false, true]);
    expect(open(after)).to.deep.equal([true, false, true]);
    expect(after.nodes[1]).to.include({ isReachable: true });
    const cluster = tagged('nodes', 1);
    expect([...leftAlone(cluster)]).to.deep.equal([
      CLUSTER.nodes[1]!.name,
      CLUSTER.instances[0]!.name,
      CLUSTER.instances[1]!.name,
    ]);
  });

  for (const [what, cluster] of [
    ['a group with the tag', tagged('groups', CLUSTER.nodes[0]!.group)],
    ['a cluster with the tag', { ...CLUSTER, tags: TAGS }],
  ] as const)
    it(`is all of ${what}`, () => {
      const after = withHandsOff(cluster, NOBODY);
      expect([...movable(after), ...open(after)]).to.deep.equal([false, false, false, false, false, false]);
      const scored = withHandsOff(cluster, NOBODY, true);
      expect([...movable(scored), ...open(scored)]).to.deep.equal([false, false, false, true, true, true]);
    });

  it('is an instance that rests, while nodes stay as they are', () => {
    const after = withHandsOff(CLUSTER, new Set([CLUSTER.instances[2]!.name]));
    expect(movable(after)).to.deep.equal([true, true, false]);
    expect(open(after)).to.deep.equal([true, true, true]);
  });

  it('is no matter of the state that is saved: its nodes are online there, and others as the plan has them', () => {
    const before = tagged('nodes', 1);
    const planned = withHandsOff(before, NOBODY);
    const nodes = planned.nodes.map((node, n) => (n === 2 ? { ...node, isOffline: true } : node));
    expect(open(withoutHandsOff({ ...planned, nodes }, before))).to.deep.equal([true, true, false]);
  });

  it('leaves a dead node dead, and a cluster without tags the same object', () => {
    const cluster = tagged('nodes', 1);
    const dead = {
      ...cluster,
      nodes: cluster.nodes.map((node) => ({ ...node, isOffline: true, isReachable: false })),
    };
    expect(withHandsOff(dead, NOBODY).nodes[1]).to.include({ isOffline: true, isReachable: false });
    expect(withHandsOff(CLUSTER, NOBODY)).to.equal(CLUSTER);
  });
});
