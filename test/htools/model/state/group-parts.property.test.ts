import { expect } from 'chai';
import type { Snapshot } from '../../../../src/htools/cluster/snapshot.ts';
import { capacityCheck } from '../../../../src/htools/model/redundancy/capacity-check.ts';
import { scoreOf } from '../../../../src/htools/model/score/scorer.ts';
import { GroupParts } from '../../../../src/htools/model/state/group-parts.ts';
import { badNodes, groupScope, groupsWithNodes } from '../../../../src/htools/model/state/scope.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../../src/htools/planners/balance/options.ts';
import { balanceSteps } from '../../../../src/htools/planners/balance/steps/balance.ts';
import { forSeeds, halved } from '../../../builders/seeds.ts';
import { randomSuperCluster } from '../../../builders/super-cluster.ts';

/** What a balancing of some nodes does, as names, and what is known of them afterwards. */
function balanced(state: ClusterState, nodes: readonly number[]) {
  const nameOf = (n: number): string | undefined => state.snapshot.nodes[n]?.name;
  const known = () => ({
    score: scoreOf(state, nodes),
    bad: badNodes(state, nodes).map(nameOf),
    stuck: capacityCheck(state, nodes).stuckNodes().map(nameOf),
  });
  const before = known();
  const steps = [...balanceSteps(state, nodes, DEFAULT_BALANCE_OPTIONS)].map((step) => ({
    instance: state.instanceRecord(step.instance).name,
    homes: [step.fromPrimary, step.fromSecondary, step.toPrimary, step.toSecondary].map(nameOf),
    score: step.score,
  }));
  return { before, steps, after: known() };
}

/** The same cluster with something that concerns several groups at once. */
function entangled(snapshot: Snapshot, seed: number): Snapshot {
  const { nodes, instances } = snapshot;
  const last = instances.length - 1;
  if (seed % 4 === 0)
    return {
      ...snapshot,
      instances: instances.map((one, i) =>
        i % last === 0 ? { ...one, tags: [...one.tags, 'htools:together:them'] } : one,
      ),
    };
  if (seed % 4 === 1)
    return {
      ...snapshot,
      nodes: nodes.map((one) => (one.group === 0 ? { ...one, storagePools: ['internal/lvm'] } : one)),
    };
  return snapshot;
}

describe('groups as clusters of their own', () => {
  it('have the scores, the steps and the stuck nodes that they have in the cluster', () => {
    const seen = { own: 0, whole: 0, steps: 0, pools: 0 };
    forSeeds(halved(20), (seed) => {
      const snapshot = entangled(randomSuperCluster(seed, { groups: [2, 4], nodes: [2, 6] }), seed);
      const parts = new GroupParts(snapshot);
      const whole = new ClusterState(snapshot);
      for (const group of groupsWithNodes(snapshot)) {
        const part = parts.of(group);
        const wanted = balanced(whole, groupScope(snapshot, group).nodes);
        expect(balanced(part.state, part.nodes), `seed ${seed}, group ${group}`).to.deep.equal(wanted);
        seen[part.state.snapshot === snapshot ? 'whole' : 'own']++;
        seen.steps += wanted.steps.length;
        if (part.state.storage) seen.pools++;
      }
    });
    expect(seen.own).to.be.above(20);
    expect(seen.whole).to.be.above(5);
    expect(seen.pools).to.be.above(10);
    expect(seen.steps).to.be.above(100);
  });
});
