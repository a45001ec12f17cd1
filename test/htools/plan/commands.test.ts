import { expect } from 'chai';
import { FAILOVER, FAILOVER_TO_ANY, type MoveKind } from '../../../src/htools/model/moves/kinds.ts';
import { moveCommands, moveNotation } from '../../../src/htools/plan/commands.ts';
import { aCluster, aPlan, type InstanceSketch } from './cluster-builder.ts';

function inWords(kind: MoveKind, sketch: InstanceSketch = {}): readonly string[] {
  const start = aCluster({ nodes: [{}, {}, {}], instances: [sketch] });
  const target = kind === FAILOVER ? -1 : 2;
  const step = aPlan({ start, moves: [{ instance: 0, kind, target }] }).steps[0]!;
  return [moveNotation(start, step), ...moveCommands(start, step)];
}

describe('a move in words', () => {
  const expected: readonly (readonly [MoveKind, string, readonly string[]])[] = [
    [0, 'f', ['migrate -f inst1']],
    [2, 'r:node3', ['replace-disks -n node3 inst1']],
    [3, 'r:node3 f', ['replace-disks -n node3 inst1', 'migrate -f inst1']],
    [4, 'f r:node3 f', ['migrate -f inst1', 'replace-disks -n node3 inst1', 'migrate -f inst1']],
    [5, 'f r:node3', ['migrate -f inst1', 'replace-disks -n node3 inst1']],
  ];
  for (const [kind, notation, commands] of expected) {
    it(`is ${notation} with its commands, on aliases`, () => {
      expect(inWords(kind)).to.deep.equal([
        notation,
        ...commands.map((command) => `gnt-instance ${command}`),
      ]);
    });
  }

  it('names the node for shared storage', () => {
    expect(inWords(FAILOVER_TO_ANY, { diskTemplate: 'ext' })).to.deep.equal([
      'fa:node3',
      'gnt-instance migrate -f -n node3 inst1',
    ]);
  });

  it('fails over what does not run', () => {
    expect(inWords(FAILOVER, { status: 'ADMIN_down' })[1]).to.equal('gnt-instance failover -f inst1');
    expect(inWords(FAILOVER_TO_ANY, { diskTemplate: 'ext', status: 'ERROR_down' })[1]).to.equal(
      'gnt-instance failover -f -n node3 inst1',
    );
  });

  it('migrates what runs although it should not', () => {
    expect(inWords(FAILOVER, { status: 'ERROR_up' })[1]).to.equal('gnt-instance migrate -f inst1');
  });
});
