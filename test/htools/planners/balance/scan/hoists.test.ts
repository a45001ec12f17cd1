import { expect } from 'chai';
import { MOVE_KIND_NAMES } from '../../../../../src/htools/model/moves/kinds.ts';
import {
  type BalanceOptions,
  DEFAULT_BALANCE_OPTIONS,
} from '../../../../../src/htools/planners/balance/options.ts';
import { IS_FORCED, IS_POSSIBLE, SLOTS } from '../../../../../src/htools/planners/balance/scan/hoists.ts';
import { ScanBench } from '../../../../builders/scan-bench.ts';
import { type ClusterSketch, smallState, times } from '../../../../builders/small-cluster.ts';

/**
 * What the hoists say of the first instance: names of the kinds of move, those that soft rules do not hold
 * for with a star.
 */
function kindsOf(sketch: Partial<ClusterSketch>, options: Partial<BalanceOptions> = {}): string[] {
  const state = smallState({ nodes: times(4, () => ({})), ...sketch });
  const nodes = [...state.snapshot.nodes.keys()];
  const { hoists } = new ScanBench(state, nodes, { ...DEFAULT_BALANCE_OPTIONS, ...options });
  hoists.refresh(0);
  return Array.from({ length: SLOTS }, (_, kind) => {
    const slot = hoists.slot(0, kind);
    if (hoists.data[slot + IS_POSSIBLE] === 0) return '';
    return `${MOVE_KIND_NAMES[kind as keyof typeof MOVE_KIND_NAMES]}${hoists.data[slot + IS_FORCED] ? '*' : ''}`;
  }).filter((name) => name !== '');
}

const ALL = ['f', 'r:x', 'r:x f', 'f r:x f', 'f r:x'];
const offline = { isOffline: true };

describe('hoists', () => {
  it('name the kinds of move that an instance has by its template', () => {
    expect(kindsOf({ instances: [{}] }).length).to.equal(ALL.length);
    expect(kindsOf({ instances: [{ diskTemplate: 'ext' }] })).to.have.length(1);
    expect(kindsOf({ instances: [{ diskTemplate: 'plain' }] })).to.deep.equal([]);
  });

  it('are found beside a node of -0.0 cpus, on which no number of vcpus exceeds the ratio', () => {
    const kindsWith = (secondary: number): string[] =>
      kindsOf({ nodes: [{}, {}, { totalCpus: -0 }], instances: [{ vcpus: 999, secondary }] });
    expect(kindsWith(1)).to.not.include('failover');
    expect(kindsWith(2)).to.include('failover');
  });

  it('leave out what the options forbid', () => {
    const instances = [{}];
    const all = kindsOf({ instances });
    const withoutDisks = kindsOf({ instances }, { diskMoves: false });
    const withoutInstances = kindsOf({ instances }, { instanceMoves: false });
    expect(withoutDisks).to.have.length(1);
    expect(withoutInstances).to.have.length(1);
    expect(new Set([...withoutDisks, ...withoutInstances]).size).to.equal(2);
    for (const name of [...withoutDisks, ...withoutInstances]) expect(all).to.include(name);
  });

  it('lift soft rules for what leaves an offline node, and only there', () => {
    const free = kindsOf({ instances: [{}] });
    expect(free.filter((name) => name.endsWith('*'))).to.deep.equal([]);
    const ofPrimary = kindsOf({ nodes: [offline, {}, {}, {}], instances: [{}] });
    expect(ofPrimary.some((name) => name.endsWith('*'))).to.equal(true);
    expect(
      kindsOf({ instances: [{}] }, { ignoreSoftErrors: true }).every((name) => name.endsWith('*')),
    ).to.equal(true);
  });

  it('know that a full secondary cannot take over, and that the primary may keep its disks all the same', () => {
    const nodes = [{}, { totalMemMib: 1536 }, {}, {}];
    const full = kindsOf({ nodes, instances: [{ memMib: 1024 }] });
    const free = kindsOf({ instances: [{ memMib: 1024 }] });
    expect(full.length).to.be.below(free.length);
    expect(full).to.not.be.empty;
    for (const name of full) expect(free).to.include(name);
  });
});
