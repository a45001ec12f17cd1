import { expect } from 'chai';
import type { EvacuationMode } from '../../../../src/htools/cluster/iallocator-request.ts';
import { GroupAllocation } from '../../../../src/htools/planners/allocate/by-group/group-allocation.ts';
import { EvacuationTrace } from '../../../../src/htools/planners/evacuate/evacuation-trace.ts';
import { Evacuator } from '../../../../src/htools/planners/evacuate/evacuator.ts';
import { type ClusterSketch, smallState } from '../../../builders/small-cluster.ts';
import { imageOf } from '../../../builders/state-image.ts';

/** What is said about one evacuation: the trace's only entry. */
function traced(sketch: ClusterSketch, mode: EvacuationMode, instance = 0) {
  const state = smallState(sketch);
  const before = imageOf(state);
  const trace = new EvacuationTrace(state);
  const [outcome] = new Evacuator(state, false, trace).evacuate([instance], mode);
  if (!outcome!.isMoved) expect(imageOf(state)).to.deep.equal(before);
  expect(trace.entries).to.have.length(1);
  return trace.entries[0]!;
}

const SMALL = { totalMemMib: 2048 };

describe('the account of an evacuation', () => {
  it('tells of every node what it lacks for an instance on shared storage', () => {
    const { refused, primary } = traced(
      { nodes: [{}, SMALL], instances: [{ diskTemplate: 'ext', memMib: 15000 }] },
      'primary-only',
    );
    expect(primary).to.equal(0);
    expect(refused).to.have.length(1);
    expect(refused[0]).to.include({
      node: 1,
      role: 'primary',
      rule: 'memory',
      needed: 15000,
      available: 1024,
    });
  });

  it('tells why the secondary does not take over', () => {
    const { refused } = traced({ nodes: [{}, SMALL], instances: [{ memMib: 4096 }] }, 'primary-only');
    expect(refused).to.have.length(1);
    expect(refused[0]).to.include({
      node: 1,
      role: 'primary',
      rule: 'memory',
      needed: 4096,
      available: 1024,
    });
  });

  it('tells what each node lacks to become the secondary', () => {
    const asked = traced(
      { nodes: [{}, {}, { totalDiskMib: 4000 }, SMALL], instances: [{ memMib: 4096 }] },
      'secondary-only',
    );
    expect(asked.refused.map(({ node, role, rule }) => [node, role, rule])).to.deep.equal([
      [2, 'secondary', 'disk'],
      [3, 'secondary', 'failover-memory'],
    ]);
  });

  it('tells of both roles where a new pair is looked for', () => {
    const { refused, outcome } = traced(
      { nodes: [{}, {}, SMALL, { totalDiskMib: 4000 }], instances: [{ memMib: 4096 }] },
      'all',
    );
    expect(outcome.isMoved).to.equal(false);
    expect(refused.map(({ node, role, rule }) => [node, role, rule])).to.deep.equal([
      [2, 'primary', 'memory'],
      [2, 'secondary', 'failover-memory'],
      [3, 'primary', 'disk'],
      [3, 'secondary', 'disk'],
    ]);
  });

  it('names the pool that a node does not reach', () => {
    const pools = ['internal/lvm', 'external/nas'];
    const { refused } = traced(
      {
        nodes: [{ storagePools: pools }, { storagePools: ['internal/lvm'] }],
        instances: [{ diskTemplate: 'ext', storagePool: 'external/nas' }],
      },
      'primary-only',
    );
    expect(refused[0]).to.include({ node: 1, rule: 'pool-access', pool: 'external/nas' });
  });

  it('goes by the rules that a change of group keeps to, whatever the search for the group leaves out', () => {
    const tags = ['htools:apart:web'];
    const state = smallState({
      groups: [{}, {}],
      nodes: [{}, {}, { group: 1 }, { group: 1 }],
      instances: [{ tags }, { tags, primary: 2, secondary: 3 }, { tags, primary: 3, secondary: 2 }],
    });
    const trace = new EvacuationTrace(state);
    const allocation = new GroupAllocation(state, { ignoreSoftErrors: true, capacityChecks: false });
    const [outcome] = new Evacuator(state, false, trace).changeGroup([0], [1], allocation);
    expect(outcome!.isMoved).to.equal(false);
    const refused = trace.entries[0]!.refused.map(({ node, role, rule }) => [node, role, rule]);
    expect(refused).to.deep.equal([
      [2, 'primary', 'exclusion-tags'],
      [3, 'primary', 'exclusion-tags'],
    ]);
  });

  it('has nothing to refuse where an instance moved', () => {
    const { outcome, refused, secondary } = traced(
      { nodes: [{}, {}, {}], instances: [{}] },
      'secondary-only',
    );
    expect(outcome).to.include({ isMoved: true, secondary: 2 });
    expect([refused, secondary]).to.deep.equal([[], 1]);
  });
});
