import { expect } from 'chai';
import { Random } from '../../../../../bench/generate/random.ts';
import { ALLOWED } from '../../../../../src/htools/cluster/refusal.ts';
import { NO_NODE } from '../../../../../src/htools/cluster/snapshot.ts';
import { applyMove } from '../../../../../src/htools/model/moves/apply.ts';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../../../src/htools/planners/balance/options.ts';
import { Kernel } from '../../../../../src/htools/planners/search/kernel/kernel.ts';
import { makeLayout, type SearchLayout } from '../../../../../src/htools/planners/search/kernel/layout.ts';
import { nodesByGroup, randomCluster } from '../../../../builders/random-cluster.ts';
import { randomMove } from '../../../../builders/random-moves.ts';
import { forSeeds } from '../../../../builders/seeds.ts';
import { smallCluster, times } from '../../../../builders/small-cluster.ts';

/** Copies: the arrays of a layout lie in shared memory. */
const figuresOf = (layout: SearchLayout): object =>
  Object.fromEntries(
    Object.entries(layout).map(([key, value]) => [
      key,
      ArrayBuffer.isView(value) ? [...(value as Float64Array)] : value,
    ]),
  );

describe('the layout of a search', () => {
  it('leaves alone what names a secondary without a second copy: its moves would not end', () => {
    const named = { diskTemplate: 'ext' as const, primary: 0, secondary: 1 };
    const instances = [named, { ...named, secondary: NO_NODE }];
    const state = new ClusterState(smallCluster({ nodes: [{}, {}, {}], instances }));
    const layout = makeLayout(state, [0, 1, 2], DEFAULT_BALANCE_OPTIONS);
    expect([...layout.movable]).to.deep.equal([1]);
    expect(layout.uncovered).to.equal(1);
  });

  it('leaves alone what has no number for a load, and scores the others', () => {
    const utilisation = { cpu: Number.NaN, mem: 1, disk: 1, net: 1 };
    const nodes = times(3, () => ({ reportedCpuLoad: 0 }));
    const state = new ClusterState(smallCluster({ nodes, instances: [{}, { utilisation }] }));
    const layout = makeLayout(state, [0, 1, 2], DEFAULT_BALANCE_OPTIONS);
    expect([...layout.movable]).to.deep.equal([0]);
    const kernel = new Kernel(layout);
    kernel.load(layout.primary, layout.secondary);
    expect(kernel.score).to.be.above(0);
  });

  it('stays as it is while the state goes on', () => {
    let moves = 0;
    forSeeds(30, (seed) => {
      const snapshot = randomCluster(seed);
      const [nodes] = nodesByGroup(snapshot);
      const state = new ClusterState(snapshot);
      const layout = makeLayout(state, nodes!, DEFAULT_BALANCE_OPTIONS);
      const before = figuresOf(layout);
      const random = new Random(seed, 'on');
      for (let k = 0; k < 20; k++) {
        const move = randomMove(state, random);
        if (move && applyMove(state, move.instance, move.kind, move.target, true) === ALLOWED) moves++;
      }
      expect(figuresOf(layout)).to.deep.equal(before);
    });
    expect(moves).to.be.above(50);
  });
});
