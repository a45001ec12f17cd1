import { expect } from 'chai';
import { Random } from '../../../../../bench/generate/random.ts';
import { PLAIN_SHAPE } from '../../../../../bench/generate/shape.ts';
import { FAIL_N1 } from '../../../../../src/htools/cluster/refusal.ts';
import type { Snapshot } from '../../../../../src/htools/cluster/snapshot.ts';
import { hasSecondary } from '../../../../../src/htools/cluster/templates.ts';
import { capacityCheck } from '../../../../../src/htools/model/redundancy/capacity-check.ts';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import { Allocator } from '../../../../../src/htools/planners/allocate/choose/allocator.ts';
import { Filler } from '../../../../../src/htools/planners/allocate/fill/filler.ts';
import { sizedInstance } from '../../../../../src/htools/planners/allocate/sized-instance.ts';
import { allocNodes } from '../../../../../src/htools/planners/allocate/solution.ts';
import { clusterOfShape, randomCluster } from '../../../../builders/random-cluster.ts';
import { forSeeds, halved } from '../../../../builders/seeds.ts';
import { policyOfDisksUpTo, smallCluster, times } from '../../../../builders/small-cluster.ts';
import { imageOf } from '../../../../builders/state-image.ts';

const ROUNDS = 12;

function fillerOn(snapshot: Snapshot, template: 'drbd' | 'plain' | 'ext'): Filler | undefined {
  const targets = allocNodes(snapshot, hasSecondary(template) ? 2 : 1, [...snapshot.nodes.keys()]);
  if (targets.kind !== 'pairs' && targets.kind !== 'singles') return undefined;
  return new Filler(new ClusterState(snapshot), targets, {});
}

/** Some sizes in turn, so that what is kept for one must not be taken for another. */
const someSize = (random: Random, snapshot: Snapshot, template: 'drbd' | 'plain' | 'ext') =>
  sizedInstance(
    {
      memMib: Math.round(random.pick(snapshot.nodes).totalMemMib * random.pick([0.01, 0.05, 0.2])),
      diskMib: random.pick([1024, 20480]),
      vcpus: random.between(1, 3),
      spindles: 1,
    },
    template,
    1,
  );

function holdAgainstAllocator(seed: number, snapshot: Snapshot, template: 'drbd' | 'plain' | 'ext'): number {
  const random = new Random(seed, 'fill');
  const filler = fillerOn(snapshot, template);
  if (!filler) return 0;
  const nodes = [...snapshot.nodes.keys()];
  let instance = someSize(random, snapshot, template);
  for (let round = 0; round < ROUNDS; round++) {
    if (random.chance(0.3)) instance = someSize(random, snapshot, template);
    const { best, refusals } = new Allocator(filler.state, nodes).allocate(instance, filler.targets, {
      ignoreSoftErrors: false,
    });
    const home = filler.findHome(instance);
    expect(home).to.deep.equal(best && { primary: best.primary, secondary: best.secondary });
    expect(filler.refusals(instance, false)).to.deep.equal(refusals);
    expect(filler.fits(instance, false)).to.equal(home !== undefined);
    if (home) filler.place(instance, home);
  }
  return filler.count;
}

describe('a filler', () => {
  for (const template of ['drbd', 'plain', 'ext'] as const) {
    it(`finds for ${template} the home that an allocator without a memory finds, time after time`, () => {
      let placed = 0;
      forSeeds(halved(60), (seed) => {
        placed += holdAgainstAllocator(seed, randomCluster(seed), template);
      });
      expect(placed).to.be.greaterThan(100);
    });
  }

  it('finds the home that keeps the cluster redundant, among those that it has refused before, too', () => {
    let placed = 0;
    let refused = 0;
    forSeeds(halved(40), (seed) => {
      const random = new Random(seed, 'redundant');
      const template = random.pick(['plain', 'ext'] as const);
      const shape = { ...PLAIN_SHAPE, seed, groupCount: 3, nodesPerGroup: 4, instancesPerNode: 3 };
      const templates = random.pick([{ drbd: 2, ext: 1 }, { plain: 2, ext: 1 }, { ext: 1 }]);
      const snapshot = clusterOfShape({ ...shape, templates, memoryFill: 0.5, downShare: 0 });
      const filler = fillerOn(snapshot, template)!;
      const nodes = [...snapshot.nodes.keys()];
      const mark = filler.mark();
      let instance = someSize(random, snapshot, template);
      for (let round = 0; round < ROUNDS; round++) {
        if (random.chance(0.2)) instance = someSize(random, snapshot, template);
        if (random.chance(0.1)) filler.rollback(mark);
        const { best, refusals } = new Allocator(filler.state, nodes).allocate(instance, filler.targets, {
          ignoreSoftErrors: false,
          globalCheck: capacityCheck(filler.state, nodes),
        });
        const home = filler.findRedundantHome(instance);
        expect(home).to.deep.equal(best && { primary: best.primary, secondary: -1 });
        expect(filler.refusals(instance, true)).to.deep.equal(refusals);
        if (refusals[FAIL_N1]! > 0) refused++;
        if (!home) continue;
        filler.place(instance, home);
        placed++;
      }
    });
    expect(placed).to.be.greaterThan(halved(100));
    expect(refused).to.be.greaterThan(40);
  });

  it('does so on larger clusters, where most pairs are never looked at', () => {
    let placed = 0;
    forSeeds(halved(12), (seed) => {
      const limits = { fewestNodes: 16, mostNodes: 24, mostInstancesPerNode: 4 };
      placed += holdAgainstAllocator(seed, randomCluster(seed, limits), 'drbd');
    });
    expect(placed).to.be.greaterThan(40);
  });

  it('takes the last of the equal pairs on equal nodes, and stays with the allocator when they fill up', () => {
    const snapshot = smallCluster({ nodes: times(7, () => ({ spindles: 9 })) });
    expect(
      fillerOn(snapshot, 'drbd')!.findHome(someSize(new Random(1, 'one'), snapshot, 'drbd')),
    ).to.deep.equal({ primary: 6, secondary: 5 });
    forSeeds(halved(10), (seed) => {
      expect(holdAgainstAllocator(seed, snapshot, 'drbd')).to.equal(ROUNDS);
    });
  });

  it('goes back to a mark as if nothing had been placed since', () => {
    forSeeds(halved(30), (seed) => {
      const random = new Random(seed, 'back');
      const snapshot = randomCluster(seed);
      const filler = fillerOn(snapshot, 'drbd');
      if (!filler) return;
      const instance = someSize(random, snapshot, 'drbd');
      const first = filler.findHome(instance);
      if (!first) return;
      const before = imageOf(filler.state);
      const wasRedundant = filler.isRedundant();
      const mark = filler.mark();
      for (let home = filler.findHome(instance), k = 0; home && k < 4; home = filler.findHome(instance), k++)
        filler.place(instance, home);
      filler.rollback(mark);
      expect(imageOf(filler.state)).to.deep.equal(before);
      expect(filler.count).to.equal(0);
      expect(filler.isRedundant()).to.equal(wasRedundant);
      expect(filler.findHome(instance)).to.deep.equal(first);
    });
  });

  it('asks policies about disks that weigh nothing, since they are on no node', () => {
    const groups = [{ policy: policyOfDisksUpTo(1024) }, {}];
    const nodes = [65536, 65536, 16384].map((totalMemMib, k) => ({ totalMemMib, group: k === 2 ? 1 : 0 }));
    const sized = (diskMib: number) =>
      sizedInstance({ memMib: 512, diskMib, vcpus: 1, spindles: 1 }, 'ext', 1);
    const filler = fillerOn(smallCluster({ groups, nodes }), 'ext')!;
    const homes = [4096, 1024, 4096].map((diskMib) => filler.findHome(sized(diskMib))?.primary);
    expect(homes).to.deep.equal([2, 1, 2]);
    const alone = fillerOn(smallCluster({ groups, nodes: nodes.slice(0, 2) }), 'ext')!;
    const fitting = [4096, 1024, 4096].map((diskMib) => alone.fits(sized(diskMib), true));
    expect(fitting).to.deep.equal([false, true, false]);
  });

  it('remembers how to take back only what may be', () => {
    const filler = fillerOn(smallCluster({ nodes: times(3, () => ({ spindles: 9 })) }), 'ext')!;
    const { journal } = filler.state;
    const instance = sizedInstance({ memMib: 512, diskMib: 1024, vcpus: 1, spindles: 1 }, 'ext', 1);
    const place = (): void => filler.place(instance, filler.findHome(instance)!);
    place();
    expect(journal.mark()).to.equal(0);
    const mark = filler.mark();
    place();
    filler.rollback(mark);
    expect(filler.count).to.equal(1);
    place();
    expect(journal.mark()).to.be.greaterThan(0);
    filler.settle();
    place();
    expect(journal.mark()).to.equal(0);
    expect(filler.count).to.equal(3);
  });

  it('names and numbers its instances behind those that were there', () => {
    const snapshot = smallCluster({ nodes: times(3, () => ({ spindles: 9 })), instances: [{}] });
    const filler = fillerOn(snapshot, 'drbd')!;
    const instance = someSize(new Random(3, 'names'), snapshot, 'drbd');
    for (let k = 0; k < 2; k++) filler.place(instance, filler.findHome(instance)!);
    expect(filler.state.added.map(({ name, index }) => [name, index])).to.deep.equal([
      ['new-0', 1],
      ['new-1', 2],
    ]);
  });
});
