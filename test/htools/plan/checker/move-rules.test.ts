import { expect } from 'chai';
import {
  FAILOVER,
  FAILOVER_AND_REPLACE,
  FAILOVER_TO_ANY,
  type Move,
  type MoveKind,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../../../../src/htools/model/moves/kinds.ts';
import type { PlanLimits } from '../../../../src/htools/plan/plan.ts';
import { aCluster, brokenRules, type InstanceSketch, type NodeSketch } from '../cluster-builder.ts';

const MIRRORED: readonly MoveKind[] = [
  FAILOVER,
  REPLACE_SECONDARY,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  FAILOVER_AND_REPLACE,
];

const moveOf = (kind: MoveKind): Move => ({ instance: 0, kind, target: kind === FAILOVER ? -1 : 2 });

function tried(
  kind: MoveKind,
  limits: Partial<PlanLimits>,
  first: InstanceSketch = {},
  nodes: readonly NodeSketch[] = [{}, {}, {}],
): string[] {
  return brokenRules({ start: aCluster({ nodes, instances: [first] }), moves: [moveOf(kind)], limits });
}

/** Kinds of move of a mirrored instance that break nothing. */
const allowed = (limits: Partial<PlanLimits>, nodes?: readonly NodeSketch[]): readonly MoveKind[] =>
  MIRRORED.filter((kind) => tried(kind, limits, {}, nodes).length === 0);

describe('move rules of the checker', () => {
  it('allow all kinds that suit a mirrored instance', () => {
    expect(allowed({})).to.deep.equal(MIRRORED);
  });

  it('find an instance that was left out of the selection', () => {
    expect(tried(FAILOVER, {}, { isMovable: false })).to.deep.equal(['1 movable']);
  });

  it('find a template that cannot be moved', () => {
    const first: InstanceSketch = { diskTemplate: 'plain', isMovable: true };
    expect(tried(FAILOVER_TO_ANY, {}, first)).to.deep.equal(['1 movable', '1 kind']);
  });

  it('find an instance with auto_balance off', () => {
    expect(tried(FAILOVER, {}, { isAutoBalanced: false })).to.deep.equal(['1 auto-balance']);
  });

  it('find a mirrored instance that is moved as if on shared storage', () => {
    expect(tried(FAILOVER_TO_ANY, {})).to.include('1 kind');
  });

  describe('in evacuation mode', () => {
    it('find an instance on no offline node', () => {
      expect(tried(FAILOVER, { evacuationOnly: true })).to.deep.equal(['1 evacuation']);
    });

    it('allow one whose primary or mirrored secondary is offline', () => {
      const limits = { evacuationOnly: true };
      expect(tried(FAILOVER, limits, {}, [{ isOffline: true }, {}, {}])).to.deep.equal([]);
      expect(tried(REPLACE_SECONDARY, limits, {}, [{}, { isOffline: true }, {}])).to.deep.equal([]);
    });
  });

  it('without disk moves allow failovers alone', () => {
    expect(allowed({ diskMoves: false })).to.deep.equal([FAILOVER]);
    expect(tried(REPLACE_SECONDARY, { diskMoves: false })).to.deep.equal(['1 disk-moves']);
    expect(tried(FAILOVER_TO_ANY, { diskMoves: false }, { diskTemplate: 'ext' })).to.deep.equal([]);
  });

  it('without instance moves allow new secondaries alone', () => {
    expect(allowed({ instanceMoves: false })).to.deep.equal([REPLACE_SECONDARY]);
    expect(tried(FAILOVER, { instanceMoves: false })).to.deep.equal(['1 instance-moves']);
    expect(tried(FAILOVER_TO_ANY, { instanceMoves: false }, { diskTemplate: 'ext' })).to.deep.equal([
      '1 instance-moves',
    ]);
  });

  it('with restricted migration allow what needs no migration, and more off an offline primary', () => {
    expect(allowed({ restrictedMigration: true })).to.deep.equal([FAILOVER, REPLACE_SECONDARY]);
    expect(allowed({ restrictedMigration: true }, [{ isOffline: true }, {}, {}])).to.deep.equal([
      FAILOVER,
      REPLACE_SECONDARY,
      REPLACE_AND_FAILOVER,
      FAILOVER_AND_REPLACE,
    ]);
    expect(tried(REPLACE_PRIMARY, { restrictedMigration: true })).to.deep.equal(['1 restricted-migration']);
  });

  it('find an offline target', () => {
    expect(tried(REPLACE_SECONDARY, {}, {}, [{}, {}, { isOffline: true }])).to.deep.equal(['1 online']);
  });

  it('find kinds that start on an offline secondary', () => {
    const nodes = [{}, { isOffline: true }, {}];
    expect(allowed({}, nodes)).to.deep.equal([REPLACE_SECONDARY, REPLACE_AND_FAILOVER]);
    expect(tried(FAILOVER_AND_REPLACE, {}, {}, nodes)).to.deep.equal(['1 online']);
  });

  it('find nodes outside of the plan, but not when moves may leave it', () => {
    const start = aCluster({ nodes: [{}, {}, {}], instances: [{}] });
    const moves = [moveOf(REPLACE_SECONDARY)];
    expect(brokenRules({ start, moves, nodes: [0, 1] })).to.deep.equal(['1 plan-nodes']);
    expect(brokenRules({ start, moves, nodes: [1, 2] })).to.deep.equal(['1 plan-nodes']);
    expect(brokenRules({ start, moves, nodes: [0, 1], limits: { betweenGroups: true } })).to.deep.equal([]);
  });
});
