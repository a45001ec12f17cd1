import { expect } from 'chai';
import { Random } from '../../../bench/generate/random.ts';
import { PLAIN_SHAPE, randomShape } from '../../../bench/generate/shape.ts';
import type { Snapshot } from '../../../src/htools/cluster/snapshot.ts';
import { FAILOVER, type Move } from '../../../src/htools/model/moves/kinds.ts';
import { ClusterState } from '../../../src/htools/model/state/state.ts';
import {
  type BalanceOptions,
  DEFAULT_BALANCE_OPTIONS,
} from '../../../src/htools/planners/balance/options.ts';
import { isCandidate, movesOf } from '../../../src/htools/planners/balance/possible-moves.ts';
import type { Candidate } from '../../../src/htools/planners/balance/scan/candidates.ts';
import type { NodeTables } from '../../../src/htools/planners/balance/scan/tables.ts';
import { StepSearch } from '../../../src/htools/planners/balance/steps/step-search.ts';
import { trialScore } from '../../../src/htools/planners/balance/steps/trial.ts';
import { bestByTrials } from '../../builders/every-candidate.ts';
import { clusterOfShape, nodesByGroup, randomCluster } from '../../builders/random-cluster.ts';
import { randomOptions } from '../../builders/random-moves.ts';
import { roundCluster } from '../../builders/round-cluster.ts';
import { scanAll } from '../../builders/scan-bench.ts';
import { forSeeds, halved } from '../../builders/seeds.ts';
import { withWishes } from '../../builders/wishes.ts';

const MOST_STEPS = 60;
/** Of each service about one instance a rack: whether a rack has it at all changes with single moves. */
const RACKS = 4;
const SERVICES = 40;
const stepOf = (step: Candidate | undefined) =>
  step && { instance: step.instance, kind: step.kind, target: step.target, score: step.score };

/** Margin of rounding of a search. */
const toleranceOf = (search: StepSearch): number =>
  (search as unknown as { tables: NodeTables }).tables.tolerance();

/** The lowest score that the scan finds for an instance, all its moves scored. */
function lowestOf({ scan }: StepSearch, i: number): number {
  scan.found.reset(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
  scanAll(scan, i);
  return scan.found.best;
}

/** Instances that the search itself scans; the others it tries one by one, without a bound. */
const scannedInstances = (search: StepSearch): readonly number[] =>
  (search as unknown as { movable: readonly number[] }).movable;

/**
 * Takes the steps of a search and, beside them, the best of all candidates. Returns how many there were. What
 * the guard of N+1 refuses counts among the trials; it has tests of its own.
 */
function compareRun(state: ClusterState, nodes: readonly number[], asked: BalanceOptions): number {
  const options = { ...asked, n1Guard: false };
  const search = new StepSearch(state, nodes, options);
  for (let k = 0; k < MOST_STEPS; k++) {
    const expected = Number.isNaN(search.scorer.score) ? undefined : bestByTrials(state, nodes, options);
    const found = search.best();
    expect(stepOf(found), `step ${k + 1}`).to.deep.equal(expected && stepOf(expected));
    if (!found) return k;
    search.apply(found);
  }
  return MOST_STEPS;
}

describe('the step search', () => {
  it('takes step by step what trying every candidate in stock’s order chooses', () => {
    let steps = 0;
    forSeeds(halved(15), (seed) => {
      const random = new Random(seed, 'steps');
      const state = new ClusterState(
        randomCluster(seed, { fewestNodes: 2, mostNodes: 12, mostInstancesPerNode: 4 }),
      );
      const options = randomOptions(random);
      for (const nodes of nodesByGroup(state.snapshot)) steps += compareRun(state, nodes, options);
    });
    expect(steps, 'steps compared').to.be.above(halved(50));
  });

  it('does so where limits are met exactly and candidates tie', () => {
    let steps = 0;
    forSeeds(halved(18), (seed) => {
      const snapshot = roundCluster(seed);
      const options = randomOptions(new Random(seed, 'round options'));
      steps += compareRun(
        new ClusterState(snapshot),
        snapshot.nodes.map((_, node) => node),
        options,
      );
    });
    expect(steps, 'steps compared').to.be.above(halved(36));
  });

  it('does so where storage is exclusive, without trying instances one by one', () => {
    let steps = 0;
    forSeeds(halved(8), (seed) => {
      const shape = { ...PLAIN_SHAPE, seed, nodesPerGroup: 6, instancesPerNode: 4 };
      const diskFill = new Random(seed, 'exclusive').real(0.5, 1);
      const state = new ClusterState(clusterOfShape({ ...shape, diskFill, exclusiveStorage: 'all' }));
      const nodes = [...state.snapshot.nodes.keys()];
      const search = new StepSearch(state, nodes, DEFAULT_BALANCE_OPTIONS);
      expect((search as unknown as { oneByOne: readonly number[] }).oneByOne).to.deep.equal([]);
      steps += compareRun(state, nodes, DEFAULT_BALANCE_OPTIONS);
    });
    expect(steps, 'steps compared').to.be.above(halved(40));
  });

  it('does so where instances are yet to come, without trying those one by one', () => {
    let steps = 0;
    let reserved = 0;
    forSeeds(halved(50), (seed) => {
      const random = new Random(seed, 'to come');
      const shape = {
        ...randomShape(seed),
        ...{
          seed,
          groupCount: 1,
          nodesPerGroup: random.between(3, 9),
          instancesPerNode: random.between(2, 5),
        },
        ...{ templates: { drbd: 5, ext: 1 }, forthcomingShare: 0.4, exclusiveStorage: 'none' as const },
        memoryFill: random.real(0.6, 1.2),
      };
      const made = withWishes(clusterOfShape(shape), random, 0.2);
      // Instances that use less than they may leave more free than is recorded.
      const more = random.chance(0.6) ? random.below(8192) : 0;
      const fuller = made.nodes.map((node) => ({ ...node, freeMemMib: node.freeMemMib + more }));
      const state = new ClusterState({ ...made, nodes: fuller });
      const nodes = [...state.snapshot.nodes.keys()];
      const options = randomOptions(random);
      const isReserved = (i: number): boolean => state.snapshot.instances[i]!.isForthcoming;
      reserved += scannedInstances(new StepSearch(state, nodes, options)).filter(isReserved).length;
      steps += compareRun(state, nodes, options);
    });
    expect(steps, 'steps compared').to.be.above(halved(60));
    expect(reserved, 'instances yet to come').to.be.above(halved(28));
  });

  it('does so where sets are to stay together', () => {
    let steps = 0;
    let inSets = 0;
    forSeeds(halved(25), (seed) => {
      const shape = { fewestNodes: 4, mostNodes: 10, mostInstancesPerNode: 4 };
      const random = new Random(seed, 'sets');
      const state = new ClusterState(withWishes(randomCluster(seed, shape), random, 0.4));
      const [nodes] = nodesByGroup(state.snapshot);
      const options = randomOptions(random);
      inSets += scannedInstances(new StepSearch(state, nodes!, options)).filter((i) =>
        state.placement.hasMates(i),
      ).length;
      steps += compareRun(state, nodes!, options);
    });
    expect(steps, 'steps compared').to.be.above(halved(40));
    expect(inSets, 'instances of sets').to.be.above(halved(25));
  });

  /** Follows a run of a search with a history, beside one that starts from nothing at each step. */
  function follow(snapshot: Snapshot, options = DEFAULT_BALANCE_OPTIONS, mostSteps = MOST_STEPS): number {
    const state = new ClusterState(snapshot);
    const [nodes] = nodesByGroup(snapshot);
    const search = new StepSearch(state, nodes!, options);
    for (let k = 0; k < mostSteps; k++) {
      const fresh = new StepSearch(state, nodes!, options);
      const expected = fresh.best();
      const found = search.best();
      expect(stepOf(found), `step ${k + 1}`).to.deep.equal(stepOf(expected));
      holdBounds(search, fresh, `step ${k + 1}`);
      if (!found) return k;
      search.apply(found);
    }
    return mostSteps;
  }

  /** No bound is above what a full scan of the instance finds. */
  function holdBounds(search: StepSearch, fresh: StepSearch, label: string): void {
    const margin = toleranceOf(search);
    const bounds = search.bounds.arrays.lowest;
    for (const i of scannedInstances(search)) {
      const lowest = lowestOf(fresh, i);
      // Where all nodes are offline nothing leads anywhere.
      if (lowest === Number.POSITIVE_INFINITY) continue;
      if (!(bounds[i]! <= lowest + margin))
        expect.fail(`${label}: instance ${i} is bounded by ${bounds[i]} and leads to ${lowest}`);
    }
  }

  it('keeps bounds that no score is below, and with them the steps of a search without a history', () => {
    let steps = 0;
    forSeeds(halved(15), (seed) => {
      const snapshot = randomCluster(seed, { fewestNodes: 5, mostNodes: 14, mostInstancesPerNode: 5 });
      steps += follow(snapshot, randomOptions(new Random(seed, 'bounds')));
    });
    expect(steps, 'steps compared').to.be.above(halved(38));
  });

  it('does so on larger clusters, with and without tags, loads and templates', () => {
    const plain = { ...PLAIN_SHAPE, nodesPerGroup: 40, instancesPerNode: 8 };
    const tagged = {
      ...plain,
      nodesPerGroup: 30,
      locationCount: 4,
      desiredLocationShare: 0.3,
      exclusionTagShare: 0.5,
    };
    const mixed = {
      ...plain,
      nodesPerGroup: 30,
      templates: { drbd: 3, ext: 1, plain: 1 },
      offlineNodes: 1,
      hypervisorVersions: 3,
    };
    expect(follow(clusterOfShape(plain), DEFAULT_BALANCE_OPTIONS, 12)).to.equal(12);
    expect(follow(clusterOfShape(tagged), DEFAULT_BALANCE_OPTIONS, 12)).to.equal(12);
    expect(follow(clusterOfShape(mixed), DEFAULT_BALANCE_OPTIONS, 12)).to.equal(12);
  });

  describe('where exclusion tags that few carry crowd a few locations', () => {
    const plain = clusterOfShape({
      ...PLAIN_SHAPE,
      nodesPerGroup: 24,
      instancesPerNode: 6,
      exclusionTagShare: 0,
    });
    const kin = {
      ...plain,
      tags: ['htools:nlocation:rack', 'htools:iextags:service'],
      nodes: plain.nodes.map((node, n) => ({ ...node, tags: [`rack:${n % RACKS}`] })),
      instances: plain.instances.map((one, i) => ({ ...one, exclusionTags: [`service:${i % SERVICES}`] })),
    };

    it('does so, too', () => {
      expect(follow(kin, DEFAULT_BALANCE_OPTIONS, 40)).to.equal(40);
    });

    /** Of the others no primary can come to the first rack, however little it is crowded. */
    const parted = {
      ...kin,
      tags: [...kin.tags, 'htools:migration:xen'],
      nodes: kin.nodes.map((node, n) => ({
        ...node,
        tags: [...node.tags, n % RACKS === 0 ? 'xen:1' : 'xen:2'],
      })),
    };

    it('keeps such bounds when instances come to others with their tags', () => {
      for (const cluster of [kin, parted]) comesToItsKin(cluster);
    });

    function comesToItsKin(cluster: Snapshot): void {
      const state = new ClusterState(cluster);
      const [nodes] = nodesByGroup(cluster);
      const search = new StepSearch(state, nodes!, DEFAULT_BALANCE_OPTIONS);
      let crowded = 0;
      for (let instance = 0; instance < state.instanceCount; instance += 2) {
        search.best();
        const crowding = state.tags.crowding[0]!;
        const move = { instance, kind: FAILOVER, target: -1 } as const;
        if (Number.isNaN(trialScore(search.scorer, move, false))) continue;
        search.apply(move);
        if (state.tags.crowding[0]! > crowding) crowded++;
        const fresh = new StepSearch(state, nodes!, DEFAULT_BALANCE_OPTIONS);
        expect(stepOf(search.best())).to.deep.equal(stepOf(fresh.best()));
        holdBounds(search, fresh, `failover of ${instance}`);
      }
      expect(crowded).to.be.above(1);
    }
  });

  it('finds what a new search finds after any steps, good ones and bad ones', () => {
    let walks = 0;
    let strays = 0;
    forSeeds(10, (seed) => {
      const snapshot = randomCluster(seed, { fewestNodes: 4, mostNodes: 10, mostInstancesPerNode: 4 });
      const random = new Random(seed, 'walk');
      const options = randomOptions(random);
      const state = new ClusterState(snapshot);
      const [nodes] = nodesByGroup(snapshot);
      const online = nodes!.filter((n) => !state.isOffline[n]);
      const search = new StepSearch(state, nodes!, options);
      for (let k = 0; k < 12; k++) {
        const fresh = new StepSearch(state, nodes!, options);
        const expected = fresh.best();
        if (random.chance(0.6)) {
          const found = search.best();
          expect(stepOf(found), `walk ${k}`).to.deep.equal(stepOf(expected));
          holdBounds(search, fresh, `walk ${k}`);
        }
        const scoreAfter = (move: Move): number => trialScore(search.scorer, move, options.ignoreSoftErrors);
        if (expected && random.chance(0.6)) {
          expect(scoreAfter(expected)).to.equal(expected.score);
          search.apply(expected);
          expect(search.scorer.score).to.equal(expected.score);
          walks++;
        } else {
          const i = random.pick(nodes!.flatMap((n) => state.primaries[n]!)) ?? -1;
          const moves = isCandidate(state, i, options) ? movesOf(state, i, online, options) : [];
          const allowed = moves.filter((move) => !Number.isNaN(scoreAfter(move)));
          if (allowed.length === 0) continue;
          search.apply(random.pick(allowed));
          strays++;
        }
      }
      expect(stepOf(search.best())).to.deep.equal(stepOf(new StepSearch(state, nodes!, options).best()));
    });
    expect(walks, 'steps walked').to.be.above(16);
    expect(strays, 'other moves').to.be.above(16);
  });

  /**
   * Shares of all candidates that ten steps score, and that they weigh.
   * @param before steps taken ahead of them
   */
  function shares(
    nodesPerGroup: number,
    options: BalanceOptions,
    before = 1,
  ): { scored: number; weighed: number } {
    const state = new ClusterState(clusterOfShape({ ...PLAIN_SHAPE, nodesPerGroup, instancesPerNode: 8 }));
    const nodes = state.snapshot.nodes.map((_, node) => node);
    const search = new StepSearch(state, nodes, options);
    for (let k = 0; k < before; k++) search.apply(search.best()!);
    const scored = search.scan.visited;
    const { weighed } = search.bounds;
    for (let k = 0; k < 10; k++) search.apply(search.best()!);
    const all = 10 * search.fullScanSize;
    return {
      scored: (search.scan.visited - scored) / (4 * all),
      weighed: (search.bounds.weighed - weighed) / (4 * all),
    };
  }

  it('prunes: of all candidates of a larger cluster a hundredth is scored, and a two hundredth weighed', () => {
    const { scored, weighed } = shares(40, DEFAULT_BALANCE_OPTIONS);
    expect(scored).to.be.below(0.01);
    expect(weighed).to.be.below(0.005);
  });

  it('prunes when small groups are nearly balanced, where single moves change all deviations', () => {
    const { scored } = shares(20, DEFAULT_BALANCE_OPTIONS, 35);
    expect(scored).to.be.below(0.0035);
  });

  it('prunes new secondaries by what they would reserve beyond what is reserved already', () => {
    const { scored, weighed } = shares(60, { ...DEFAULT_BALANCE_OPTIONS, instanceMoves: false });
    expect(scored).to.be.below(0.0012);
    expect(weighed).to.be.below(0.003);
  });
});
