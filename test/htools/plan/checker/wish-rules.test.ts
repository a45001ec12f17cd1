/** Rules as tags, for each kind of move and each exception. */
import { expect } from 'chai';
import {
  FAILOVER,
  FAILOVER_TO_ANY,
  type Move,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../../../../src/htools/model/moves/kinds.ts';
import type { PlanLimits } from '../../../../src/htools/plan/plan.ts';
import { aCluster, brokenRules, type InstanceSketch, type NodeSketch } from '../cluster-builder.ts';

const NODES: readonly NodeSketch[] = [{}, {}, {}, {}];
const WISHES = ['1 pinned', '1 sticky', '1 together'];

/** The rules about wishes that moving the first instance breaks. */
function broken(
  instances: readonly InstanceSketch[],
  move: Partial<Move>,
  limits: Partial<PlanLimits> = {},
  nodes = NODES,
): string[] {
  const found = brokenRules({
    start: aCluster({ nodes, instances }),
    moves: [{ instance: 0, kind: FAILOVER_TO_ANY, target: 1, ...move }],
    limits,
  });
  return found.filter((rule) => WISHES.includes(rule));
}

const ext = (more: InstanceSketch = {}): InstanceSketch => ({ diskTemplate: 'ext', ...more });

describe('the checker’s rules as tags', () => {
  it('keep a primary and a secondary off the nodes that are barred, and leave alone what stays', () => {
    const tags = ['htools:keepoff:node2'];
    expect(broken([ext({ tags })], { target: 1 })).to.deep.equal(['1 pinned']);
    expect(broken([ext({ tags })], { target: 2 })).to.deep.equal([]);
    const offTheFirst = ext({ tags: ['htools:keepoff:node1'], primary: 1 });
    expect(broken([offTheFirst], { target: 0 })).to.deep.equal(['1 pinned']);
    const mirrored: InstanceSketch = { tags: ['htools:keepoff:node3'] };
    expect(broken([mirrored], { kind: REPLACE_SECONDARY, target: 2 })).to.deep.equal(['1 pinned']);
    expect(broken([mirrored], { kind: REPLACE_SECONDARY, target: 3 })).to.deep.equal([]);
    expect(broken([{ tags }], { kind: REPLACE_SECONDARY, target: 2 })).to.deep.equal([]);
    expect(broken([{ tags }], { kind: FAILOVER, target: -1 })).to.include('1 pinned');
  });

  it('keep a sticky instance where it is, unless it is on an offline node or somebody asks for it', () => {
    const sticky = ext({ tags: ['htools:sticky'] });
    expect(broken([sticky], {})).to.deep.equal(['1 sticky']);
    expect(broken([sticky], {}, { requestedInstances: [0] })).to.deep.equal([]);
    expect(broken([sticky], {}, {}, [{ isOffline: true }, {}, {}, {}])).to.deep.equal([]);
  });

  it('keep a set on one node: an instance goes only where most of the others are', () => {
    const tags = ['htools:together:web'];
    const set = (...nodes: readonly number[]) => nodes.map((primary) => ext({ tags, primary }));
    expect(broken(set(0, 0), { target: 1 })).to.deep.equal(['1 together']);
    expect(broken(set(0, 1), { target: 1 })).to.deep.equal([]);
    expect(broken(set(0, 1), { target: 2 })).to.deep.equal(['1 together']);
    expect(broken(set(0, 1, 1, 2), { target: 2 })).to.deep.equal(['1 together']);
    expect(broken(set(0, 1, 2), { target: 2 })).to.deep.equal([]);
    expect(broken(set(0), { target: 2 })).to.deep.equal([]);
  });

  it('count nobody of a set on an offline node, and let go who comes off one', () => {
    const tags = ['htools:together:web'];
    const pair = [ext({ tags }), ext({ tags, primary: 3 })];
    expect(broken(pair, { target: 1 }, {}, [{}, {}, {}, { isOffline: true }])).to.deep.equal([]);
    expect(broken(pair, { target: 1 }, {}, [{ isOffline: true }, {}, {}, {}])).to.deep.equal([]);
    expect(broken(pair, { target: 1 }, { ignoreSoftErrors: true })).to.deep.equal([]);
    expect(broken(pair, { target: 1 })).to.deep.equal(['1 together']);
    const mirrored: InstanceSketch[] = [{ tags }, ext({ tags, primary: 3 })];
    const byTarget = { kind: REPLACE_AND_FAILOVER, target: 2 } as const;
    expect(broken(mirrored, byTarget, {}, [{ isOffline: true }, {}, {}, {}])).to.deep.equal(['1 together']);
  });

  it('look at the secondary that carries an instance while its primary is replaced', () => {
    const tags = ['htools:keepoff:node2'];
    expect(broken([{ tags }], { kind: REPLACE_PRIMARY, target: 2 })).to.deep.equal(['1 pinned']);
    expect(broken([{ tags }], { kind: REPLACE_SECONDARY, target: 3 })).to.deep.equal([]);
  });
});
