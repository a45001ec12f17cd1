import { expect } from 'chai';
import type { InstancePolicy } from '../../../../src/htools/cluster/snapshot.ts';
import {
  FAILOVER,
  FAILOVER_TO_ANY,
  type Move,
  REPLACE_SECONDARY,
} from '../../../../src/htools/model/moves/kinds.ts';
import {
  aCluster,
  brokenRules,
  type GroupSketch,
  type InstanceSketch,
  OPEN_POLICY,
} from '../cluster-builder.ts';

/** A mirrored instance goes to another group in three steps. */
const ACROSS: readonly Move[] = [
  { instance: 0, kind: REPLACE_SECONDARY, target: 2 },
  { instance: 0, kind: FAILOVER, target: -1 },
  { instance: 0, kind: REPLACE_SECONDARY, target: 3 },
];
const SHARED_ACROSS: readonly Move[] = [{ instance: 0, kind: FAILOVER_TO_ANY, target: 2 }];

interface Trial {
  readonly second?: GroupSketch;
  readonly first?: InstanceSketch;
  readonly tags?: readonly string[];
  readonly moves?: readonly Move[];
}

function tried({ second, first, tags, moves }: Trial): string[] {
  const start = aCluster({
    groups: [{}, second ?? {}],
    nodes: [{}, {}, { group: 1 }, { group: 1 }],
    instances: [first ?? {}],
    tags: tags ?? [],
  });
  return brokenRules({ start, moves: moves ?? ACROSS, nodes: [2, 3], limits: { betweenGroups: true } });
}

const shared = (trial: Trial): string[] =>
  tried({ ...trial, first: { diskTemplate: 'ext', ...trial.first }, moves: SHARED_ACROSS });

const policyWith = (max: Partial<InstancePolicy['standard']>): InstancePolicy => ({
  ...OPEN_POLICY,
  ranges: [{ min: OPEN_POLICY.ranges[0]!.min, max: { ...OPEN_POLICY.ranges[0]!.max, ...max } }],
});

describe('group rules of the checker', () => {
  it('let a mirrored instance go to another group over a split stage', () => {
    expect(tried({})).to.deep.equal([]);
  });

  it('let an instance on shared storage go there in one step', () => {
    expect(shared({})).to.deep.equal([]);
  });

  it('find a mirrored instance that ends in two groups', () => {
    expect(tried({ moves: ACROSS.slice(0, 1) })).to.deep.equal(['2 one-group']);
    expect(tried({ moves: ACROSS.slice(0, 2) })).to.deep.equal(['3 one-group']);
  });

  it('find a group that takes no new instances', () => {
    expect(shared({ second: { allocPolicy: 'unallocable' } })).to.deep.equal(['1 group-allocation']);
    expect(shared({ second: { allocPolicy: 'last_resort' } })).to.deep.equal([]);
  });

  const misfits: readonly (readonly [string, InstancePolicy, InstanceSketch])[] = [
    ['memory', policyWith({ memoryMib: 512 }), {}],
    ['virtual cpus', policyWith({ cpuCount: 1 }), { vcpus: 2 }],
    ['disk size', policyWith({ diskMib: 2048 }), {}],
    ['second disk', policyWith({ diskMib: 4096 }), { disks: [{ sizeMib: 4096 }, { sizeMib: 4097 }] }],
    ['number of disks', policyWith({ diskCount: 1 }), { disks: [{ sizeMib: 2048 }, { sizeMib: 2048 }] }],
    ['spindle use', policyWith({ spindleUse: 1 }), { spindleUse: 2 }],
    ['template', { ...OPEN_POLICY, diskTemplates: ['drbd'] }, {}],
    ['memory below the smallest', OPEN_POLICY, { memMib: 64 }],
  ];
  for (const [what, policy, first] of misfits) {
    it(`find a policy that refuses the instance for its ${what}`, () => {
      expect(shared({ second: { policy }, first })).to.deep.equal(['1 group-policy']);
    });
  }

  it('accept spindles that fit with or without exclusive storage', () => {
    const second = { policy: policyWith({ spindleUse: 1 }) };
    const withSpindles = (spindles: number): InstanceSketch => ({
      spindleUse: 2,
      disks: [{ sizeMib: 2048, spindles }],
    });
    expect(shared({ second, first: withSpindles(1) })).to.deep.equal([]);
    expect(shared({ second, first: withSpindles(2) })).to.deep.equal(['1 group-policy']);
  });

  it('accept an instance that fits one of several ranges, or a policy without ranges', () => {
    const { ranges } = policyWith({ memoryMib: 512 });
    expect(
      shared({ second: { policy: { ...OPEN_POLICY, ranges: [...ranges, ...OPEN_POLICY.ranges] } } }),
    ).to.deep.equal([]);
    expect(
      shared({ second: { policy: { ...OPEN_POLICY, ranges: [] } }, first: { memMib: 64 } }),
    ).to.deep.equal([]);
  });

  it('find a network that the group is not connected to', () => {
    const first: InstanceSketch = { nics: [{ network: 'net-1' }, {}] };
    expect(shared({ first })).to.deep.equal(['1 group-network']);
    expect(shared({ first, second: { networks: ['net-1'] } })).to.deep.equal([]);
  });

  it('find instances that a tag keeps in their group', () => {
    expect(shared({ tags: ['htools:nointergroup'] })).to.deep.equal(['1 group-pinned']);
    expect(shared({ first: { tags: ['htools:nointergroup'] } })).to.deep.equal(['1 group-pinned']);
  });

  it('ask nothing of a move inside the home group', () => {
    const moves: Move[] = [{ instance: 0, kind: FAILOVER_TO_ANY, target: 1 }];
    const first: InstanceSketch = { diskTemplate: 'ext', memMib: 64, tags: ['htools:nointergroup'] };
    expect(tried({ first, moves })).to.deep.equal([]);
  });
});
