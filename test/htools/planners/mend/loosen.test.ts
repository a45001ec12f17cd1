import { expect } from 'chai';
import { PLAIN_SHAPE } from '../../../../bench/generate/shape.ts';
import { ALLOWED } from '../../../../src/htools/cluster/refusal.ts';
import { applyMove } from '../../../../src/htools/model/moves/apply.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { Budget } from '../../../../src/htools/planners/anneal/budget.ts';
import { DEFAULT_BALANCE_OPTIONS } from '../../../../src/htools/planners/balance/options.ts';
import { BrokenRules } from '../../../../src/htools/planners/mend/broken-rules.ts';
import { leastMoves } from '../../../../src/htools/planners/mend/fewest-moves.ts';
import { mend } from '../../../../src/htools/planners/mend/mend.ts';
import { clusterOfShape } from '../../../builders/random-cluster.ts';
import { runsOf } from '../../../builders/seeds.ts';
import { smallCluster, smallState } from '../../../builders/small-cluster.ts';
import { brokenNow } from './every-way.ts';

const NODES = 20;
const TAG = 'service:dns';

/** As many instances as nodes exclude each other: each node has to take one. */
function taggedAlike(seed: number) {
  const whole = clusterOfShape({ ...PLAIN_SHAPE, seed, nodesPerGroup: NODES });
  const instances = whole.instances.map((one, k) =>
    k < NODES ? { ...one, tags: [TAG], exclusionTags: [TAG] } : one,
  );
  return { ...whole, tags: ['htools:iextags:service'], instances };
}

describe('mending where no move mends by itself', () => {
  for (const seed of [4, 1, 11].slice(0, runsOf(0.75)))
    it(`gives each node one of as many instances that exclude each other: seed ${seed}`, () => {
      const snapshot = taggedAlike(seed);
      const nodes = [...snapshot.nodes.keys()];
      const state = new ClusterState(snapshot);
      const found = mend(state, nodes, DEFAULT_BALANCE_OPTIONS, { tries: 6_000 });
      expect(found.before).to.be.above(5);
      expect(found.after).to.equal(0);
      for (const { instance, kind, target } of found.moves)
        expect(applyMove(state, instance, kind, target, false)).to.equal(ALLOWED);
      expect(brokenNow(state, nodes, true)).to.equal(0);
      // Detours are joined: hardly an instance moves twice.
      const moved = new Set(found.moves.map(({ instance }) => instance));
      expect(found.moves.length - moved.size).to.be.below(3);
    });

  it('does not count what a set is parted by that may not be moved, and brings the others there', () => {
    const tags = ['htools:together:db'];
    const fixed = { isMovable: false, tags };
    const snapshot = smallCluster({
      nodes: [{}, {}, {}],
      instances: [
        { primary: 0, secondary: 1, ...fixed },
        { primary: 0, secondary: 2, ...fixed },
        { primary: 1, secondary: 2, ...fixed },
        { primary: 2, secondary: 0, tags },
      ],
    });
    const state = new ClusterState(snapshot);
    const found = mend(state, [0, 1, 2], DEFAULT_BALANCE_OPTIONS);
    expect(found.moves.map(({ instance }) => instance)).to.deep.equal([3]);
    expect([found.before, found.after, found.isCheapest]).to.deep.equal([1, 0, true]);
  });

  it('does not count what nodes break even without all that may move, and proves the rest', () => {
    const fixed = { primary: 0, secondary: -1, diskTemplate: 'plain', isMovable: false } as const;
    const tagged = { exclusionTags: ['service:dns'], tags: ['service:dns'] };
    const snapshot = smallCluster({
      tags: ['htools:iextags:service'],
      nodes: [{ totalMemMib: 4096, nodeMemMib: 0 }, { totalMemMib: 4096, nodeMemMib: 0 }, {}, {}],
      instances: [
        { ...fixed, ...tagged, memMib: 2048 },
        { ...fixed, ...tagged, memMib: 2048 },
        // The first node has too little memory without this one, the second only with the next.
        { primary: 0, secondary: 2, memMib: 128 },
        { ...fixed, primary: 1, memMib: 3072 },
        { primary: 1, secondary: 2, memMib: 1024, ...tagged },
      ],
    });
    const state = new ClusterState(snapshot);
    const found = mend(state, [0, 1, 2, 3], DEFAULT_BALANCE_OPTIONS);
    expect(found.moves.map(({ instance }) => instance)).to.deep.equal([4]);
    expect([found.before, found.after]).to.deep.equal([1, 0]);
    expect(brokenNow(state, [0, 1, 2, 3], true)).to.equal(1);
    expect([found.isFewest, found.isCheapest]).to.deep.equal([true, true]);
    for (const { instance, kind, target } of found.moves) applyMove(state, instance, kind, target, false);
    const book = new BrokenRules(state, [0, 1, 2, 3], DEFAULT_BALANCE_OPTIONS, [2, 4]);
    expect(leastMoves(book, new Set())).to.equal(0);
  });

  it('names of an offline node who is on it, and not whose tags conflict there', () => {
    const tags = ['htools:apart:dns'];
    const instances = [{ tags }, { tags }];
    const rulesOf = (isOffline: boolean) => {
      const state = smallState({ nodes: [{ isOffline }, {}], instances });
      return new BrokenRules(state, [0, 1], DEFAULT_BALANCE_OPTIONS, []).list().map(({ rule }) => rule);
    };
    expect([rulesOf(false), rulesOf(true)]).to.deep.equal([['exclusion-tags'], ['offline']]);
  });

  it('goes on with a deep search, which mends what was left', () => {
    const snapshot = taggedAlike(1);
    const nodes = [...snapshot.nodes.keys()];
    const state = new ClusterState(snapshot);
    const little = { tries: 100, loosening: 1 };
    const plain = mend(state, nodes, DEFAULT_BALANCE_OPTIONS, little);
    const deep = mend(state, nodes, DEFAULT_BALANCE_OPTIONS, {
      ...little,
      deep: { seed: 3, budget: new Budget({ candidates: 50_000 }) },
    });
    expect(plain.after).to.be.above(0);
    expect(deep.after).to.equal(0);
  });
});
