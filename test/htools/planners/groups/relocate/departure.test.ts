import { expect } from 'chai';
import { barOf } from '../../../../../src/htools/model/rules/refusals.ts';
import { setRefusal } from '../../../../../src/htools/model/rules/sets.ts';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import {
  departureRefusals,
  neverLeaving,
} from '../../../../../src/htools/planners/groups/relocate/departure.ts';
import { clusterOfAnySort } from '../../../../builders/random-cluster.ts';
import { forSeeds } from '../../../../builders/seeds.ts';
import { type ClusterSketch, smallCluster } from '../../../../builders/small-cluster.ts';
import { imageOf } from '../../../../builders/state-image.ts';

/** Nodes of 3 GiB, 1 GiB of it their own. */
const stateOf = (sketch: Partial<ClusterSketch>): ClusterState =>
  new ClusterState(smallCluster({ nodes: [{ totalMemMib: 3072 }, { totalMemMib: 3072 }, {}], ...sketch }));

const rulesOf = (state: ClusterState): string[] =>
  departureRefusals(state, 0).map(({ node, role, rule }) => `${role} ${node}: ${rule}`);

describe('leaving the nodes of an instance', () => {
  it('is no question for one on shared storage', () => {
    expect(rulesOf(stateOf({ instances: [{ diskTemplate: 'ext', memMib: 2048 }] }))).to.deep.equal([]);
  });

  it('needs room on the primary for the while that its disks are copied, or on the secondary', () => {
    expect(rulesOf(stateOf({ instances: [{ memMib: 2047 }] }))).to.deep.equal([]);
    const full = [{ memMib: 2048 }];
    expect(rulesOf(stateOf({ instances: full }))).to.deep.equal(['primary 0: memory', 'secondary 1: memory']);
    const nodes = [{ totalMemMib: 3072 }, { totalMemMib: 4096 }, {}];
    expect(rulesOf(stateOf({ nodes, instances: full }))).to.deep.equal([]);
  });

  it('needs a node that can be reached', () => {
    const nodes = [{ isOffline: true }, { totalMemMib: 2048 }, {}];
    const dead = stateOf({ nodes, instances: [{ status: 'ERROR_nodeoffline' }] });
    expect(rulesOf(dead)).to.deep.equal(['primary 0: offline', 'secondary 1: memory']);
    const drained = stateOf({ nodes, instances: [{}] });
    expect(rulesOf(drained)).to.deep.equal([]);
  });

  it('comes to be possible once others have left, and to be known as impossible when none ever makes room', () => {
    const nodes = [{ isOffline: true }, { totalMemMib: 3072 }, {}];
    const waiting = { memMib: 1500, status: 'ERROR_nodeoffline' } as const;
    const guest = { memMib: 1000, diskTemplate: 'ext', primary: 1 } as const;
    const state = stateOf({ nodes, instances: [waiting, guest] });
    const before = imageOf(state);
    expect(rulesOf(state)).to.have.length(2);
    expect(neverLeaving(state, [0, 1])).to.deep.equal([]);
    expect(neverLeaving(state, [0])).to.deep.equal([0]);
    expect(imageOf(state)).to.deep.equal(before);
  });

  it('is forbidden by migration tags between a dead primary and the secondary, as nothing else leads off the primary', () => {
    const tags = ['htools:migration:cpu', 'htools:allowmigration:cpu:old::cpu:new'];
    const status = 'ERROR_nodeoffline' as const;
    const between = (from: string, to: string) =>
      stateOf({
        tags,
        nodes: [{ isOffline: true, tags: [from] }, { tags: [to] }, {}],
        instances: [{ status }],
      });
    expect(rulesOf(between('cpu:new', 'cpu:old'))).to.deep.equal([
      'primary 0: offline',
      'secondary 1: migration-tags',
    ]);
    expect(rulesOf(between('cpu:old', 'cpu:new'))).to.deep.equal([]);
    expect(neverLeaving(between('cpu:new', 'cpu:old'), [0])).to.deep.equal([0]);
    const alive = stateOf({
      tags,
      nodes: [{ tags: ['cpu:new'] }, { tags: ['cpu:old'] }, {}],
      instances: [{}],
    });
    expect(rulesOf(alive)).to.deep.equal([]);
  });

  it('names a rule that does refuse', () => {
    const seen = new Set<string>();
    forSeeds(150, (seed) => {
      const state = new ClusterState(clusterOfAnySort(seed));
      for (let i = 0; i < state.instanceCount; i++)
        for (const { node, rule } of departureRefusals(state, i)) {
          seen.add(rule);
          const holds = {
            'exclusion-tags': () => state.tags.conflicts(i, node),
            together: () => setRefusal(state, i, node) === rule,
            pinned: () => barOf(state, i, node)?.rule === rule,
            'keep-off': () => barOf(state, i, node)?.rule === rule,
          }[rule as string];
          expect(holds?.() ?? true, `seed ${seed}, instance ${i}, ${rule} on ${node}`).to.equal(true);
        }
    });
    expect([...seen]).to.include.members(['exclusion-tags', 'together', 'pinned', 'keep-off']);
  });
});
