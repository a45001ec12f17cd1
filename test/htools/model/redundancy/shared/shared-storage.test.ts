import { expect } from 'chai';
import * as fc from 'fast-check';
import { ALLOWED } from '../../../../../src/htools/cluster/refusal.ts';
import type { Snapshot } from '../../../../../src/htools/cluster/snapshot.ts';
import { describeStorage } from '../../../../../src/htools/cluster/storage/storage.ts';
import { applyMove, placeInstance } from '../../../../../src/htools/model/moves/apply.ts';
import { FAILOVER, FAILOVER_TO_ANY, type MoveKind } from '../../../../../src/htools/model/moves/kinds.ts';
import { GlobalCheck } from '../../../../../src/htools/model/redundancy/drbd/global-n-plus-one.ts';
import {
  SharedStorageN1,
  type SharedStorageOptions,
} from '../../../../../src/htools/model/redundancy/shared/shared-storage.ts';
import { ClusterState, MIRROR_INTERNAL } from '../../../../../src/htools/model/state/state.ts';
import { runsOf } from '../../../../builders/seeds.ts';
import { aCluster } from '../../../plan/cluster-builder.ts';
import { EveryWay } from '../every-way.ts';
import { brimfulClusters, smallClusters } from '../random-clusters.ts';

const SEED = 60309;

const step = fc.record({ instance: fc.nat(), kind: fc.nat(5), target: fc.nat() });

/** Applies a random move, if it is possible; the nodes that it touched, or undefined. */
function tryStep(state: ClusterState, choice: { instance: number; kind: number; target: number }) {
  const i = choice.instance % state.instanceCount;
  const target = choice.target % state.nodeCount;
  const nodes = [state.primary[i]!, state.secondary[i]!].filter((n) => n >= 0);
  const kind = state.mirroring[i] === MIRROR_INTERNAL ? choice.kind : FAILOVER_TO_ANY;
  if (state.mirroring[i] === MIRROR_INTERNAL && kind === FAILOVER_TO_ANY) return undefined;
  if (nodes.includes(target)) return undefined;
  if (applyMove(state, i, kind as MoveKind, target, true) !== ALLOWED) return undefined;
  return kind === FAILOVER ? nodes : [...nodes, target];
}

const checkOf = (snapshot: Snapshot, options: SharedStorageOptions = {}): SharedStorageN1 =>
  new SharedStorageN1(new ClusterState(snapshot), describeStorage(snapshot), options);

/** The same cluster with no word about storage, as the stock programs see it. */
const withoutStorage = (snapshot: Snapshot): Snapshot => ({
  ...snapshot,
  nodes: snapshot.nodes.map((node) => ({ ...node, storagePools: undefined })),
  instances: snapshot.instances.map((instance) => ({ ...instance, storagePool: undefined })),
});

describe('N+1 with shared storage, against trying every way', () => {
  it('says yes exactly where there is a way, and shows a valid one', () => {
    const counts = { yes: 0, no: 0 };
    const property = fc.property(smallClusters({ nodes: 5, instances: 9 }), (snapshot) => {
      const n1 = checkOf(snapshot);
      const everyWay = new EveryWay(snapshot);
      snapshot.nodes.forEach((_, n) => {
        const verdict = n1.verdictOf(n);
        expect(verdict, `node ${n}`).to.equal(everyWay.exists(n) ? 'yes' : 'no');
        const restarts = n1.restartsOf(n);
        if (verdict === 'no') {
          counts.no++;
          expect(restarts).to.equal(undefined);
          return;
        }
        if (everyWay.needing(n).length > 1) counts.yes++;
        expect(restarts!.map(({ instance }) => instance)).to.have.members(everyWay.needing(n));
        for (const { instance, node } of restarts!) {
          expect(everyWay.choices(instance, n), `node of instance ${instance}`).to.include(node);
        }
        expect(everyWay.isPossible(restarts!.map(({ instance, node }) => [instance, node]))).to.equal(true);
      });
    });
    fc.assert(property, { numRuns: runsOf(200), seed: SEED });
    expect(counts.yes, 'verdicts of yes on several instances').to.be.above(40);
    expect(counts.no, 'verdicts of no').to.be.above(40);
  });

  it('says yes wherever the stock check does, offline nodes counted as it does', () => {
    const counts = { both: 0, oursOnly: 0 };
    const property = fc.property(smallClusters({ nodes: 5, instances: 9 }), (drawn) => {
      const snapshot = withoutStorage(drawn);
      const n1 = checkOf(snapshot, { countOffline: true });
      const all = snapshot.nodes.map((_, n) => n);
      const stock = new GlobalCheck(new ClusterState(snapshot), all);
      for (const n of all) {
        const isYes = n1.verdictOf(n) === 'yes';
        if (stock.canEvacuate(n)) expect(isYes, `node ${n}`).to.equal(true);
        if (isYes && n1.state.primaries[n]!.length > 1) counts[stock.canEvacuate(n) ? 'both' : 'oursOnly']++;
      }
    });
    fc.assert(property, { numRuns: runsOf(70), seed: SEED });
    expect(counts.both).to.be.above(3);
    expect(counts.oursOnly).to.be.above(3);
  });

  it('with no budget for the search still never says what is not so, and with one knows', () => {
    const counts = { unproven: 0, yes: 0, no: 0 };
    const property = fc.property(brimfulClusters, (snapshot) => {
      const truth = new EveryWay(snapshot).exists(0) ? 'yes' : 'no';
      const hasty = checkOf(snapshot, { searchBudget: 0 }).verdictOf(0)!;
      counts[hasty]++;
      if (hasty !== 'unproven') expect(hasty).to.equal(truth);
      expect(checkOf(snapshot).verdictOf(0)).to.equal(truth);
    });
    fc.assert(property, { numRuns: runsOf(150), seed: SEED });
    expect(counts.unproven).to.be.above(1);
    expect(counts.no).to.be.above(1);
    expect(counts.yes).to.be.above(1);
  });
});

describe('N+1 with shared storage, kept up to date', () => {
  const verdictsOf = (n1: SharedStorageN1): (string | undefined)[] =>
    n1.state.snapshot.nodes.map((_, n) => n1.verdictOf(n));

  /**
   * Tries steps on many clusters, each after what has been left of those before.
   * @param look told the check, which knows nothing of the step, the nodes that it touched, how to take it
   *   back, and how to have a check from nothing
   */
  const forSteps = (
    seed: number,
    look: (n1: SharedStorageN1, touched: number[], undo: () => void, anew: () => SharedStorageN1) => void,
  ): void => {
    const property = fc.property(
      smallClusters({ nodes: 5, instances: 9 }),
      fc.array(step, { minLength: 4, maxLength: 12 }),
      (snapshot, steps) => {
        const state = new ClusterState(snapshot);
        const storage = describeStorage(snapshot);
        const n1 = new SharedStorageN1(state, storage);
        for (const choice of steps) {
          const mark = state.journal.mark();
          const touched = tryStep(state, choice);
          if (touched === undefined) continue;
          look(
            n1,
            touched,
            () => state.journal.rollback(mark),
            () => new SharedStorageN1(state, storage),
          );
        }
      },
    );
    fc.assert(property, { numRuns: runsOf(90), seed });
  };

  it('has after every move the verdicts that a check from nothing has', () => {
    let moves = 0;
    let changes = 0;
    forSteps(SEED, (n1, touched, _undo, anew) => {
      const before = verdictsOf(n1);
      moves++;
      n1.refresh(touched);
      const fresh = anew();
      expect(verdictsOf(n1)).to.deep.equal(verdictsOf(fresh));
      expect(n1.failing()).to.deep.equal(fresh.failing());
      if (verdictsOf(n1).join() !== before.join()) changes++;
    });
    expect(moves).to.be.above(100);
    expect(changes).to.be.above(20);
  });

  it('judges a trial as a check from nothing would, and forgets it', () => {
    const outcomes = { healthy: 0, breaking: 0 };
    forSteps(SEED + 1, (n1, touched, undo, anew) => {
      const before = verdictsOf(n1);
      const failingBefore = n1.failing();
      const failingAfter = anew().failing();
      const fresh = failingAfter.filter((n) => !failingBefore.includes(n));
      const verdictOf = n1.verdictsAfter(touched);
      const failing = [...n1.state.snapshot.nodes.keys()].filter((n) => verdictOf(n) !== 'yes');
      expect(failing).to.deep.equal(failingAfter);
      const first = n1.newlyFailing(touched);
      if (fresh.length === 0) expect(first).to.equal(undefined);
      else expect(fresh).to.include(first!.node);
      outcomes[fresh.length === 0 ? 'healthy' : 'breaking']++;
      undo();
      expect(verdictsOf(n1)).to.deep.equal(before);
      expect(verdictsOf(n1)).to.deep.equal(verdictsOf(anew()));
    });
    expect(outcomes.healthy).to.be.above(50);
    expect(outcomes.breaking).to.be.above(20);
  });

  it('takes over what makes no healthy node fail, as a check from nothing would, and nothing else', () => {
    const outcomes = { taken: 0, refused: 0 };
    forSteps(SEED + 2, (n1, touched, undo, anew) => {
      const first = n1.newlyFailing(touched);
      expect(n1.refreshIfHarmless(touched)).to.deep.equal(first);
      if (first) undo();
      outcomes[first ? 'refused' : 'taken']++;
      const fresh = anew();
      expect(verdictsOf(n1)).to.deep.equal(verdictsOf(fresh));
      expect(n1.failing()).to.deep.equal(fresh.failing());
    });
    expect(outcomes.taken).to.be.above(50);
    expect(outcomes.refused).to.be.above(20);
  });

  it('takes in instances that were added after the snapshot was read', () => {
    const snapshot = aCluster({
      nodes: [
        { totalMemMib: 6000, nodeMemMib: 0, storagePools: ['external/nas', 'external/other'] },
        { totalMemMib: 4000, nodeMemMib: 0, storagePools: ['external/nas'] },
        { totalMemMib: 9000, nodeMemMib: 0, storagePools: ['external/other'] },
      ],
      instances: [{ diskTemplate: 'ext', storagePool: 'external/nas', memMib: 1000, primary: 0 }],
    });
    const inNas = { ...snapshot.instances[0]!, memMib: 3000, primary: -1 };
    const inOther = { ...inNas, storagePool: 'external/other' };
    const state = new ClusterState(snapshot, { toAdd: [inNas, inOther] });
    const n1 = new SharedStorageN1(state, describeStorage(snapshot, [inNas, inOther]));
    const first = state.addInstance(inNas);
    const second = state.addInstance(inOther);
    const mark = state.journal.mark();

    expect(placeInstance(state, first, 1, -1, false)).to.equal(ALLOWED);
    expect(n1.newlyFailing([1])?.node).to.equal(0);
    state.journal.rollback(mark);

    expect(placeInstance(state, second, 2, -1, false)).to.equal(ALLOWED);
    expect(n1.newlyFailing([2])).to.equal(undefined);
    n1.refresh([2]);
    expect(n1.restartsOf(2)).to.deep.equal([{ instance: second, node: 0, isDegraded: false }]);
  });
});

describe('N+1 with shared storage on a large cluster', () => {
  const NODES = 320;
  const PER_NODE = 10;

  const memMib = (i: number): number => 512 + 64 * (i % 17);
  const usedMib = (n: number): number =>
    Array.from({ length: PER_NODE }, (_, k) => memMib(n + k * NODES)).reduce((sum, mem) => sum + mem, 0);

  /** One group; four in five nodes reach each of five pools. */
  const large = (freeMib: number): Snapshot =>
    aCluster({
      nodes: Array.from({ length: NODES }, (_, n) => ({
        totalMemMib: usedMib(n) + freeMib + n,
        nodeMemMib: 0,
        storagePools: [0, 1, 2, 3, 4].filter((k) => k !== n % 5).map((k) => `external/pool${k}`),
      })),
      instances: Array.from({ length: NODES * PER_NODE }, (_, i) => ({
        diskTemplate: 'ext' as const,
        memMib: memMib(i),
        primary: i % NODES,
        storagePool: `external/pool${((i % 5) + 1 + (Math.floor(i / NODES) % 4)) % 5}`,
      })),
    });

  for (const { title, freeMib, failing } of [
    { title: 'with room', freeMib: 2000, failing: 0 },
    { title: 'where the large instances fit nowhere', freeMib: 700, failing: NODES },
  ]) {
    it(`judges 320 nodes and 3200 external instances in half a second, ${title}`, () => {
      const state = new ClusterState(large(freeMib));
      const before = process.cpuUsage();
      const n1 = new SharedStorageN1(state, describeStorage(state.snapshot));
      const { user, system } = process.cpuUsage(before);
      expect(n1.failing()).to.have.length(failing);
      expect((user + system) / 1000).to.be.below(500);
    });
  }
});
