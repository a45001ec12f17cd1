import { expect } from 'chai';
import { DEFAULT_POLICY } from '../../../src/htools/cluster/policy.ts';
import { type Lifted, liftsOf } from '../../../src/htools/explain/lifts.ts';
import { smallCluster } from '../../builders/small-cluster.ts';

/** What is said of an instance that the node refuses until it is changed. */
const liftWith = (vcpuRatio: number, name = 'node1'): Lifted =>
  liftsOf(
    smallCluster({
      groups: [{ policy: { ...DEFAULT_POLICY, vcpuRatio } }],
      nodes: [{ name }, {}],
      instances: [{}],
    }),
    0,
    () => undefined,
    {
      rule: 'vcpu-ratio',
      mode: 'FailCPU',
      node: name,
      role: 'primary',
      needed: 2,
      available: 0,
      unit: 'vcpus',
    },
  );

describe('what lifts a refusal', () => {
  it('is as many cpus as a node can have', () => {
    expect(liftWith(1e-9).lift).to.deep.equal(['resize node node1 cpus=+2000000000']);
  });

  it('is nothing where more would be needed, or the words cannot name the node', () => {
    expect(liftWith(1e-12).lift).to.equal(null);
    expect(liftWith(4, 'node one').lift).to.equal(null);
  });
});
