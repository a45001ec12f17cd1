/** Moves that somebody asks for by name: what is lifted for them, and what holds for them alone. */
import { expect } from 'chai';
import {
  FAILOVER,
  FAILOVER_TO_ANY,
  type Move,
  REPLACE_SECONDARY,
} from '../../../../src/htools/model/moves/kinds.ts';
import type { PlanLimits } from '../../../../src/htools/plan/plan.ts';
import { aCluster, brokenRules, type InstanceSketch, type NodeSketch } from '../cluster-builder.ts';

const FREE: readonly NodeSketch[] = [{}, {}, {}, { group: 1 }];
const PINNED = 'htools:nointergroup';

const broken = (
  move: Partial<Move>,
  limits: Partial<PlanLimits>,
  instance: InstanceSketch = { diskTemplate: 'ext' },
  nodes = FREE,
) =>
  brokenRules({
    start: aCluster({ groups: [{}, {}], nodes, instances: [instance] }),
    moves: [{ instance: 0, kind: FAILOVER_TO_ANY, target: 1, ...move }],
    limits: { betweenGroups: true, ...limits },
  });

describe('a move that somebody asks for', () => {
  it('may be of an instance that is not balanced, or not to be moved otherwise', () => {
    const manual: InstanceSketch = { diskTemplate: 'ext', isAutoBalanced: false, isMovable: false };
    expect(broken({}, {}, manual)).to.deep.equal(['1 movable', '1 auto-balance']);
    expect(broken({}, { requestedInstances: [0] }, manual)).to.deep.equal([]);
  });

  it('is of none that is left alone, not even to empty its node', () => {
    const alone: InstanceSketch = { diskTemplate: 'ext', isLeftAlone: true };
    for (const limits of [{}, { requestedInstances: [0] }, { emptiedNodes: [0] }])
      expect(broken({}, limits, alone)).to.deep.equal(['1 hands-off']);
  });

  it('is of no instance that is not named', () => {
    expect(broken({}, { requestedInstances: [1] })).to.deep.equal(['1 requested']);
    expect(broken({}, { requestedInstances: [] })).to.deep.equal(['1 requested']);
  });

  it('never moves what has its disks on its node alone', () => {
    const plain: InstanceSketch = { diskTemplate: 'plain' };
    expect(broken({}, { requestedInstances: [0] }, plain)).to.include('1 movable');
  });

  it('fails over to a drained secondary, as in stock, and goes to no other node that is drained or offline', () => {
    const drained = { isOffline: true, isReachable: true };
    const nodes = [{}, drained, drained, { group: 1 }];
    const offline = [{}, { isOffline: true, isReachable: false }, {}, { group: 1 }];
    const drbd: InstanceSketch = {};
    const failover = { kind: FAILOVER, target: -1 } as const;
    expect(broken(failover, {}, drbd, nodes)).to.deep.equal(['1 online']);
    expect(broken(failover, { requestedInstances: [0] }, drbd, nodes)).to.deep.equal([]);
    expect(broken(failover, { requestedInstances: [0] }, drbd, offline)).to.deep.equal(['1 online']);
    const replace = { kind: REPLACE_SECONDARY, target: 2 } as const;
    expect(broken(replace, { requestedInstances: [0] }, drbd, nodes)).to.deep.equal(['1 online']);
  });

  it('leaves an instance on two groups that was there before, and brings none there', () => {
    const limits = { requestedInstances: [0] };
    const failover = { kind: FAILOVER, target: -1 } as const;
    expect(broken(failover, limits, { secondary: 3 })).to.deep.equal([]);
    expect(broken(failover, {}, { secondary: 3 })).to.deep.equal(['2 one-group']);
    expect(broken({ kind: REPLACE_SECONDARY, target: 3 }, limits, {})).to.deep.equal(['2 one-group']);
    const named: InstanceSketch = { diskTemplate: 'ext', secondary: 3 };
    expect(broken({}, {}, named), 'where there is no second copy').to.deep.equal([]);
  });

  it('takes nothing to a node that is to be left', () => {
    expect(broken({}, { closedNodes: [1] })).to.deep.equal(['1 closed']);
    expect(broken({}, { closedNodes: [0, 2] })).to.deep.equal([]);
  });

  it('to another group goes to those that are named, whatever tag keeps it where it is', () => {
    const pinned: InstanceSketch = { diskTemplate: 'ext', tags: [PINNED] };
    expect(broken({ target: 3 }, { requestedInstances: [0] }, pinned)).to.deep.equal(['1 group-pinned']);
    const asked = (requestedGroups: number[]) =>
      broken({ target: 3 }, { requestedInstances: [0], requestedGroups }, pinned);
    expect(asked([1])).to.deep.equal([]);
    expect(asked([0])).to.deep.equal(['1 requested']);
  });
});
