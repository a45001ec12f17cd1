import { expect } from 'chai';
import { type ClusterShape, PLAIN_SHAPE } from '../../../../../bench/generate/shape.ts';
import type { ChangedWeights } from '../../../../../src/htools/cluster/metric-table.ts';
import type { RefusalTerm } from '../../../../../src/htools/model/redundancy/drbd/global-n-plus-one.ts';
import { Scorer } from '../../../../../src/htools/model/score/scorer.ts';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import { Allocator } from '../../../../../src/htools/planners/allocate/choose/allocator.ts';
import { RefusalTable } from '../../../../../src/htools/planners/allocate/choose/refusal-table.ts';
import { NodeSearch } from '../../../../../src/htools/planners/allocate/search/node-search.ts';
import { placeForGood } from '../../../../../src/htools/planners/allocate/tentative-placement.ts';
import { clusterOfShape } from '../../../../builders/random-cluster.ts';
import { forSeeds, halved } from '../../../../builders/seeds.ts';
import { instanceFrom } from '../../../../builders/small-cluster.ts';

const WANTED = {
  ...instanceFrom({ memMib: 512, diskTemplate: 'ext', primary: -1 }, 0),
  disks: [{ sizeMib: 4096, spindles: 1 }],
  name: 'new',
  index: -1,
};

/** Instances there count in the metrics of locations; what comes does not. */
const LOCATED = { locationCount: 4, desiredLocationShare: 0.5, exclusionTagShare: 0.5 };

/** A search on some groups, to be told which nodes changed. */
function searchOn(
  seed: number,
  groupCount: number,
  nodesPerGroup: number,
  further: Partial<ClusterShape> = {},
  weights: ChangedWeights = {},
) {
  const sizes = { seed, groupCount, nodesPerGroup, instancesPerNode: 2, memoryFill: 0.3 };
  const shape = { ...PLAIN_SHAPE, ...sizes, ...further };
  const snapshot = { ...clusterOfShape(shape), weights };
  const state = new ClusterState(snapshot);
  const all = [...snapshot.nodes.keys()];
  const nodes = all.filter((n) => !state.isOffline[n]);
  const scorer = new Scorer(state, all);
  const table = new RefusalTable(state, { kind: 'singles', nodes });
  const search = new NodeSearch(scorer, nodes);
  let isFirst = true;
  const find = (
    changed: readonly number[],
    ask?: (node: number) => 'yes' | RefusalTerm,
    isHopeless = (_: number): boolean => false,
    moved = 0,
  ): number | undefined => {
    const i = state.addInstance(WANTED);
    scorer.refresh(changed);
    table.touch(changed);
    table.update(i);
    expect(search.update(i, isFirst ? all : changed, isFirst)).to.equal(true);
    isFirst = false;
    const found = search.find(i, table, ask && { isHopeless, ask, moved });
    state.dropLastInstance();
    return found;
  };
  return { state, all, nodes, find, search };
}

describe('the search for the best node', () => {
  /** Compares with trying all nodes, while one instance after the other comes. */
  function expectBest(seed: number, further?: Partial<ClusterShape>, weights?: ChangedWeights): void {
    const { state, all, nodes, find, search } = searchOn(seed, 3, 50, further, weights);
    const expectFound = (found: number | undefined, candidates: readonly number[], what: string): void => {
      const targets = { kind: 'singles' as const, nodes: candidates };
      const { best } = new Allocator(state, all).allocate(WANTED, targets, { ignoreSoftErrors: false });
      expect(found, `seed ${seed}, ${what}`).to.equal(best?.primary);
    };
    let changed: readonly number[] = [];
    for (let count = 0; count < 20; count++) {
      const found = find(changed);
      expectFound(found, nodes, `${count}`);
      if (found === undefined) break;
      if (count % 4 === 3) {
        const isHopeless = (node: number): boolean => node === found || node % 3 === 0;
        const next = find([], () => 'yes', isHopeless);
        expectFound(
          next,
          nodes.filter((n) => !isHopeless(n)),
          `${count}, tested`,
        );
        search.forget();
      }
      placeForGood(state, WANTED, { primary: found, secondary: -1 });
      changed = [found];
    }
  }

  it('finds the node that trying all of them finds', () => {
    forSeeds(halved(12), (seed) => {
      expectBest(seed);
      expectBest(seed, { exclusiveStorage: 'some' });
      expectBest(seed, LOCATED);
    });
  });

  it('leaves instances alone whose own tags make locations count', () => {
    const { state, nodes } = searchOn(1, 1, 6, LOCATED);
    const search = new NodeSearch(new Scorer(state, nodes), nodes);
    const isSearched = (tags: Partial<typeof WANTED>): boolean =>
      search.update(state.addInstance({ ...WANTED, ...tags }), nodes, true);
    expect(isSearched({})).to.equal(true);
    expect(isSearched({ exclusionTags: ['service:web'] })).to.equal(false);
    expect(isSearched({ desiredLocationTags: ['power:a'] })).to.equal(false);
  });

  it('finds it where only rounding tells nodes apart', () => {
    forSeeds(halved(6), (seed) => {
      expectBest(seed, { oddNodeShare: 0, hasEqualInstances: true, lateNodeShare: 0 });
      // Scores of 1e9 and more are the same for nodes that are not.
      expectBest(seed, { offlineNodes: 2 }, { offline_all_cnt: 1e8 });
    });
  });

  it('asks what failed a test again only when that may have changed', () => {
    const { state, nodes, find } = searchOn(1, 3, 8);
    const terms = ['for-now', 'while-group-stays', 'for-good', 2] as const;
    const term = (node: number): RefusalTerm => terms[node % terms.length]!;
    const asked: number[] = [];
    const test = (node: number): RefusalTerm => {
      asked.push(node);
      return term(node);
    };
    expect(find([], test)).to.equal(undefined);
    expect(asked.toSorted((a, b) => a - b)).to.deep.equal(nodes);
    const expectAsked = (changed: number, moved: number, isAgain: (node: number) => boolean): void => {
      asked.length = 0;
      placeForGood(state, WANTED, { primary: changed, secondary: -1 });
      expect(find([changed], test, undefined, moved)).to.equal(undefined);
      expect(asked.toSorted((a, b) => a - b)).to.deep.equal(nodes.filter(isAgain));
    };
    expectAsked(
      0,
      1,
      (n) => term(n) === 'for-now' || (term(n) !== 'for-good' && state.groupOf[n] === state.groupOf[0]),
    );
    expectAsked(
      1,
      2,
      (n) =>
        [2, 'for-now'].includes(term(n)) || (term(n) !== 'for-good' && state.groupOf[n] === state.groupOf[1]),
    );
  });

  it('does not ask what is known to fail, until that is forgotten', () => {
    const { nodes, find, search } = searchOn(1, 3, 6);
    const best = find([])!;
    const asked: number[] = [];
    const ask = (node: number): RefusalTerm => {
      asked.push(node);
      return 'for-good';
    };
    expect(find([], ask, (node) => node === best)).to.equal(undefined);
    expect(asked.toSorted((a, b) => a - b)).to.deep.equal(nodes.filter((n) => n !== best));
    search.forget();
    expect(find([])).to.equal(best);
  });
});
