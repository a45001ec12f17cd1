import { expect } from 'chai';
import { Random } from '../../../../bench/generate/random.ts';
import { ALLOWED, FAIL_DISK } from '../../../../src/htools/cluster/refusal.ts';
import type { Instance, Snapshot } from '../../../../src/htools/cluster/snapshot.ts';
import { describeStorage } from '../../../../src/htools/cluster/storage/storage.ts';
import { hasSecondary } from '../../../../src/htools/cluster/templates.ts';
import { placeInstance } from '../../../../src/htools/model/moves/apply.ts';
import { capacityCheck } from '../../../../src/htools/model/redundancy/capacity-check.ts';
import { SharedStorageN1 } from '../../../../src/htools/model/redundancy/shared/shared-storage.ts';
import { poolSpaceRefusal } from '../../../../src/htools/model/rules/pool-space.ts';
import { ClusterState } from '../../../../src/htools/model/state/state.ts';
import { Allocator } from '../../../../src/htools/planners/allocate/choose/allocator.ts';
import { iterate } from '../../../../src/htools/planners/allocate/fill/fill-standard.ts';
import { Filler } from '../../../../src/htools/planners/allocate/fill/filler.ts';
import { type AllocNodes, allocNodes } from '../../../../src/htools/planners/allocate/solution.ts';
import { roundCluster } from '../../../builders/round-cluster.ts';
import { forSeeds, halved } from '../../../builders/seeds.ts';
import { instanceFrom } from '../../../builders/small-cluster.ts';
import { imageOf } from '../../../builders/state-image.ts';
import { allocateByTheBook } from './by-the-book.ts';

const DISK_UNIT_MIB = 10240;
const pooledCluster = (seed: number, instancesPerNode = 2): Snapshot =>
  roundCluster(seed, { hasPools: true, hasPoolSizes: true, instancesPerNode });

const allOf = (snapshot: Snapshot): number[] => [...snapshot.nodes.keys()];

/** Something to place, most often in an external pool, which need not be one that anybody reaches. */
function wantedInstance(random: Random): Instance {
  const diskTemplate = random.weighted({ ext: 6, drbd: 3, plain: 1, diskless: 1 } as const);
  const pool = random.weighted({ 'external/nas': 4, 'external/san': 4, 'external/none': 1 } as const);
  const sketch = {
    name: 'new',
    diskTemplate,
    memMib: 512 * random.between(1, 8),
    diskMib: DISK_UNIT_MIB * random.between(1, 3),
    isForthcoming: random.chance(0.1),
    ...(diskTemplate === 'ext' && { storagePool: pool }),
  };
  return { ...instanceFrom(sketch, 0), index: -1, primary: -1, secondary: -1 };
}

const candidatesFor = (snapshot: Snapshot, { diskTemplate }: Instance): AllocNodes | undefined => {
  const found = allocNodes(snapshot, hasSecondary(diskTemplate) ? 2 : 1, allOf(snapshot));
  return found.kind === 'pairs' || found.kind === 'singles' ? found : undefined;
};

/** Room in the instance's pool, from the records; Infinity where no size is known. */
function roomFor(snapshot: Snapshot, { storagePool }: Instance): number {
  const pool = describeStorage(snapshot).pools.find(({ id }) => id === storagePool);
  return pool?.freeMib ?? Number.POSITIVE_INFINITY;
}

describe('allocation where nodes reach some storage pools only', () => {
  it('chooses and counts as trying every candidate by the book does; a full pool refuses all of them', () => {
    const seen = { placed: 0, full: 0 };
    forSeeds(200, (seed) => {
      const random = new Random(seed, 'pools');
      const snapshot = pooledCluster(seed);
      const wanted = wantedInstance(random);
      const candidates = candidatesFor(snapshot, wanted);
      if (!candidates) return;
      const state = new ClusterState(snapshot, { toAdd: [wanted] });
      const before = imageOf(state);
      const { pool, ...solution } = new Allocator(state, allOf(snapshot)).allocate(wanted, candidates, {
        ignoreSoftErrors: false,
      });
      expect(imageOf(state)).to.deep.equal(before);
      if (wanted.diskMib > roomFor(snapshot, wanted)) {
        seen.full++;
        expect(pool).to.include({ pool: wanted.storagePool, needed: wanted.diskMib });
        expect(solution.best).to.equal(undefined);
        expect(solution.refusals.every((count, code) => count === 0 || code === FAIL_DISK)).to.equal(true);
        return;
      }
      expect(pool).to.equal(undefined);
      const i = state.addInstance(wanted);
      expect(solution).to.deep.equal(allocateByTheBook(state, i, allOf(snapshot), candidates, false));
      if (solution.best) seen.placed++;
    });
    expect(seen.placed, 'placed').to.be.greaterThan(50);
    expect(seen.full, 'full pools').to.be.greaterThan(10);
  });

  it('takes the best place after which the loss of any node can be made up for', () => {
    const seen = { first: 0, other: 0, none: 0 };
    forSeeds(halved(600), (seed) => {
      const random = new Random(seed, 'n1');
      const snapshot = pooledCluster(seed, 0.8);
      const wanted = { ...wantedInstance(random), memMib: 1024 * random.between(2, 5) };
      const candidates = candidatesFor(snapshot, wanted);
      if (!candidates || wanted.diskMib > roomFor(snapshot, wanted)) return;
      const state = new ClusterState(snapshot, { toAdd: [wanted] });
      const nodes = allOf(snapshot);
      const globalCheck = capacityCheck(state, nodes);
      const { best } = new Allocator(state, nodes).allocate(wanted, candidates, {
        ignoreSoftErrors: false,
        globalCheck,
      });
      const i = state.addInstance(wanted);
      const book = allocateByTheBook(state, i, nodes, candidates, false, ({ primary, secondary }) => {
        const mark = state.journal.mark();
        expect(placeInstance(state, i, primary, secondary, false)).to.equal(ALLOWED);
        const { isHealthy } = new SharedStorageN1(state, state.storage!);
        state.journal.rollback(mark);
        return isHealthy;
      });
      expect(best).to.deep.equal(book.best);
      const unchecked = allocateByTheBook(state, i, nodes, candidates, false).best;
      if (!best) seen.none++;
      else if (best.primary === unchecked!.primary && best.secondary === unchecked!.secondary) seen.first++;
      else seen.other++;
    });
    expect(seen.first, 'the best of all').to.be.greaterThan(5);
    expect(seen.other, 'another than the best of all').to.be.greaterThan(0);
    expect(seen.none, 'refused').to.be.greaterThan(5);
  });

  it('fills up as an allocator without a memory does, until the pool is full', () => {
    let filled = 0;
    forSeeds(80, (seed) => {
      const random = new Random(seed, 'fill');
      const snapshot = pooledCluster(seed);
      const wanted = { ...wantedInstance(random), isForthcoming: false };
      const candidates = candidatesFor(snapshot, wanted);
      if (!candidates) return;
      const state = new ClusterState(snapshot, { toAdd: [wanted] });
      const filler = new Filler(state, candidates, {});
      const room = Math.floor(roomFor(snapshot, wanted) / wanted.diskMib);
      for (;;) {
        const { best, refusals } = new Allocator(state, allOf(snapshot)).allocate(wanted, candidates, {
          ignoreSoftErrors: false,
        });
        const home = filler.findHome(wanted);
        expect(home).to.deep.equal(best && { primary: best.primary, secondary: best.secondary });
        expect(filler.refusals(wanted, false)).to.deep.equal(refusals);
        expect(filler.count).to.be.at.most(room);
        if (!home) break;
        const mark = filler.mark();
        filler.place(wanted, home);
        if (random.chance(0.3)) {
          filler.rollback(mark);
          expect(filler.findHome(wanted)).to.deep.equal(home);
          filler.place(wanted, home);
        }
      }
      if (filler.count === room && room > 0) filled++;
    });
    expect(filled, 'pools filled to the last').to.be.greaterThan(5);
  });

  it('stays able to lose any node when it fills up with capacity checks, and stops when nothing else is left', () => {
    let placed = 0;
    forSeeds(100, (seed) => {
      const random = new Random(seed, 'checked');
      const snapshot = pooledCluster(seed, 0.8);
      const wanted = { ...wantedInstance(random), isForthcoming: false };
      const candidates = candidatesFor(snapshot, wanted);
      if (!candidates || hasSecondary(wanted.diskTemplate)) return;
      const filler = new Filler(new ClusterState(snapshot, { toAdd: [wanted] }), candidates, {});
      const { state } = filler;
      const isHealthy = (): boolean => new SharedStorageN1(state, state.storage!).isHealthy;
      const wasHealthy = isHealthy();
      iterate(filler, wanted, 30, true);
      expect(isHealthy() || filler.count === 0).to.equal(true);
      if (!wasHealthy || filler.count === 30) return;
      placed += filler.count;
      expect(filler.fits(wanted, true)).to.equal(false);
      const i = state.addInstance(wanted);
      for (const node of poolSpaceRefusal(state, i) === ALLOWED ? allOf(snapshot) : []) {
        const mark = state.journal.mark();
        const isBearable = placeInstance(state, i, node, -1, false) === ALLOWED && isHealthy();
        state.journal.rollback(mark);
        expect(isBearable && !state.isOffline[node], `node ${node}`).to.equal(false);
      }
    });
    expect(placed).to.be.greaterThan(30);
  });
});
