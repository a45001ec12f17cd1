/** The tag htools:hands-off of a cluster, a group, a node or an instance. */
import { expect } from 'chai';
import type { Snapshot } from '../../../src/htools/cluster/snapshot.ts';
import { leftAlone, withHandsOff } from '../../../src/htools/cluster/tags/hands-off.ts';
import { barOf } from '../../../src/htools/model/rules/refusals.ts';
import { Scorer } from '../../../src/htools/model/score/scorer.ts';
import { ClusterState } from '../../../src/htools/model/state/state.ts';
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
const open = ({ nodes }: Snapshot): boolean[] => nodes.map(({ isLeftAlone }) => isLeftAlone !== true);

describe('what is to be left alone', () => {
  it('is an instance with the tag', () => {
    const after = withHandsOff(tagged('instances', 1));
    expect(movable(after)).to.deep.equal([true, false, true]);
    expect(open(after)).to.deep.equal([true, true, true]);
  });

  it('is a node with the tag, and whatever has a copy there; nothing arrives', () => {
    const after = withHandsOff(tagged('nodes', 1));
    expect(movable(after)).to.deep.equal([false, false, true]);
    expect(open(after)).to.deep.equal([true, false, true]);
    expect(after.nodes[1]).to.include({ isOffline: false });
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
      const after = withHandsOff(cluster);
      expect([...movable(after), ...open(after)]).to.deep.equal([false, false, false, false, false, false]);
    });

  it('is an instance that rests, while nodes stay as they are', () => {
    const after = withHandsOff(CLUSTER, new Set([CLUSTER.instances[2]!.name]));
    expect(movable(after)).to.deep.equal([true, true, false]);
    expect(open(after)).to.deep.equal([true, true, true]);
  });

  it('counts in the scores as it is', () => {
    const score = (snapshot: Snapshot): number => new Scorer(new ClusterState(snapshot), [0, 1, 2]).score;
    expect(score(withHandsOff(tagged('nodes', 1)))).to.equal(score(CLUSTER));
  });

  it('is told as the reason why nothing goes there, unless it does not move anyway', () => {
    const state = new ClusterState(withHandsOff(tagged('nodes', 1)));
    expect(state.admits(2, 1)).to.equal(false);
    expect(barOf(state, 2, 1)).to.deep.include({ rule: 'hands-off', names: ['htools:hands-off'] });
    expect(state.admits(0, 1)).to.equal(true);
  });

  it('leaves a cluster without tags the same object', () => {
    expect(withHandsOff(CLUSTER)).to.equal(CLUSTER);
  });
});
