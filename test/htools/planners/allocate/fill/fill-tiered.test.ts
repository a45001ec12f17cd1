import { expect } from 'chai';
import { Random } from '../../../../../bench/generate/random.ts';
import { DEFAULT_POLICY } from '../../../../../src/htools/cluster/policy.ts';
import { FAIL_DISK, FAIL_MEM } from '../../../../../src/htools/cluster/refusal.ts';
import type { Instance, InstanceSpec, Snapshot } from '../../../../../src/htools/cluster/snapshot.ts';
import { requiredNodes } from '../../../../../src/htools/cluster/templates.ts';
import { GlobalCheck } from '../../../../../src/htools/model/redundancy/drbd/global-n-plus-one.ts';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import { iterate } from '../../../../../src/htools/planners/allocate/fill/fill-standard.ts';
import { fillTiered } from '../../../../../src/htools/planners/allocate/fill/fill-tiered.ts';
import { Filler } from '../../../../../src/htools/planners/allocate/fill/filler.ts';
import { shrunk, stepsWithinBounds } from '../../../../../src/htools/planners/allocate/fill/shrink.ts';
import { sizedInstance } from '../../../../../src/htools/planners/allocate/sized-instance.ts';
import { type AllocNodes, allocNodes } from '../../../../../src/htools/planners/allocate/solution.ts';
import { randomCluster } from '../../../../builders/random-cluster.ts';
import { forSeeds, halved, runsOf } from '../../../../builders/seeds.ts';
import { policyOfDisksUpTo, smallCluster, times } from '../../../../builders/small-cluster.ts';
import { BookFiller } from '../fill-by-the-book.ts';

const targetsOf = (snapshot: Snapshot, instance: Instance): AllocNodes | undefined => {
  const nodes = [...snapshot.nodes.keys()];
  const targets = allocNodes(snapshot, requiredNodes(instance.diskTemplate), nodes);
  return targets.kind === 'pairs' || targets.kind === 'singles' ? targets : undefined;
};

const homesIn = ({ state }: Filler): object[] =>
  state.added.map((one, k) => {
    const i = state.snapshot.instances.length + k;
    return {
      memMib: one.memMib,
      diskMib: one.diskMib,
      primary: state.primary[i],
      secondary: state.secondary[i],
    };
  });

const homesOf = (placed: readonly Instance[]): object[] =>
  placed.map(({ memMib, diskMib, primary, secondary }) => ({ memMib, diskMib, primary, secondary }));

/** A size at which a handful of instances fit, so that the book, which keeps nothing, is done soon. */
function bulkyInstance(snapshot: Snapshot, random: Random): Instance {
  const node = random.pick(snapshot.nodes);
  const size = {
    memMib: Math.max(128, Math.round(node.totalMemMib * random.real(0.1, 0.4))),
    diskMib: Math.max(1024, Math.round(node.totalDiskMib * random.real(0.02, 0.2))),
    vcpus: random.between(1, 4),
    spindles: 1,
  };
  return sizedInstance(size, random.pick(['drbd', 'drbd', 'plain', 'ext', 'diskless']), 1);
}

const EMPTY_NODE = { totalMemMib: 9216, nodeMemMib: 1024, totalDiskMib: 40960, spindles: 4 };

describe('filling a cluster', () => {
  it('with one size places what stock places, and counts its refusals', () => {
    let placed = 0;
    forSeeds(halved(60), (seed) => {
      const random = new Random(seed, 'iterate');
      const snapshot = randomCluster(seed, { fewestNodes: 2, mostNodes: 5, mostInstancesPerNode: 3 });
      const instance = bulkyInstance(snapshot, random);
      const targets = targetsOf(snapshot, instance);
      if (!targets) return;
      const checksCapacity = random.chance(0.6);
      const limit = random.pick([0, 3, 12, undefined]);
      const book = new BookFiller(snapshot, targets, checksCapacity).iterate(instance, limit);
      const filler = new Filler(new ClusterState(snapshot), targets, {});
      const didCheckCapacity = iterate(filler, instance, limit, checksCapacity);
      expect(homesIn(filler)).to.deep.equal(homesOf(book.placed));
      expect(filler.refusals(instance, didCheckCapacity)).to.deep.equal(book.refusals);
      placed += filler.count;
    });
    expect(placed).to.be.greaterThan(halved(50));
  });

  it('with sizes that shrink places what stock places, and counts the refusals of the last', () => {
    let sizes = 0;
    forSeeds(halved(25), (seed) => {
      const random = new Random(seed, 'tiered');
      const nodes = times(random.between(2, 4), () => ({
        ...EMPTY_NODE,
        totalMemMib: random.between(2, 4) * 1024,
        totalDiskMib: random.between(4, 16) * 1024,
      }));
      const snapshot = smallCluster({ nodes });
      const size = {
        memMib: random.between(700, 1500),
        diskMib: random.between(2000, 4000),
        vcpus: 2,
        spindles: 1,
      };
      const instance = sizedInstance(size, random.pick(['drbd', 'plain', 'ext']), 1);
      const targets = targetsOf(snapshot, instance);
      if (!targets) return;
      const checksCapacity = random.chance(0.6);
      const limit = random.pick([4, undefined]);
      const book = new BookFiller(snapshot, targets, checksCapacity).tiered(instance, limit);
      const filler = new Filler(new ClusterState(snapshot), targets, {});
      const refusals = fillTiered(filler, instance, limit, checksCapacity);
      expect(homesIn(filler)).to.deep.equal(homesOf(book.placed));
      expect(refusals).to.deep.equal(book.refusals);
      sizes += new Set(filler.state.added.map((one) => `${one.memMib} ${one.diskMib}`)).size;
    });
    expect(sizes).to.be.greaterThan(halved(25));
  });

  it('passes over sizes that are refused alike, and over no bound of a policy', () => {
    let placed = 0;
    forSeeds(halved(20), (seed) => {
      const random = new Random(seed, 'like sizes');
      const groupCount = random.between(1, 2);
      const nodes = times(groupCount * random.between(2, 3), (k) => ({
        ...EMPTY_NODE,
        group: k % groupCount,
        totalMemMib: random.between(2, 4) * 1024,
        totalDiskMib: random.between(4, 16) * 1024,
      }));
      const bound = (memory: number[], disk: number[], most: number): InstanceSpec => ({
        memoryMib: random.pick(memory),
        cpuCount: most,
        diskMib: random.pick(disk),
        diskCount: most,
        nicCount: most,
        spindleUse: most,
      });
      const range = () => ({
        min: bound([64, 128, 1000], [512, 3000, 9000], 1),
        max: bound([128, 1000, 4096], [3000, 9000, 40_000], 16),
      });
      const groups = times(groupCount, () => {
        const ranges = times(random.between(1, 3), range);
        return { policy: { ...DEFAULT_POLICY, ranges } };
      });
      const snapshot = smallCluster({ groups, nodes });
      const size = {
        memMib: random.pick([700, 1500, 6000]),
        diskMib: random.pick([4000, 30_000, 60_000]),
        vcpus: 2,
        spindles: 1,
      };
      const instance = sizedInstance(size, random.pick(['drbd', 'plain', 'ext']), 1);
      const targets = targetsOf(snapshot, instance);
      if (!targets) return;
      const checksCapacity = random.chance(0.5);
      const limit = random.pick([4, 40, undefined]);
      const book = new BookFiller(snapshot, targets, checksCapacity).tiered(instance, limit);
      const filler = new Filler(new ClusterState(snapshot), targets, {});
      const refusals = fillTiered(filler, instance, limit, checksCapacity);
      expect(homesIn(filler), `${seed}`).to.deep.equal(homesOf(book.placed));
      expect(refusals, `${seed}`).to.deep.equal(book.refusals);
      placed += filler.count;
    });
    expect(placed).to.be.greaterThan(0);
  });

  it('ends soon with sizes that are far too large', () => {
    const snapshot = smallCluster({ nodes: times(3, () => EMPTY_NODE) });
    const size = { memMib: 2 ** 40, diskMib: 2 ** 40, vcpus: 2 ** 31 - 1, spindles: 1 };
    const instance = sizedInstance(size, 'drbd', 1);
    const filler = new Filler(new ClusterState(snapshot), targetsOf(snapshot, instance)!, {});
    fillTiered(filler, instance, undefined, true);
    expect(filler.count).to.be.greaterThan(0);
  });

  it('ends on a full cluster, however many sizes there are to try', () => {
    const snapshot = smallCluster({
      nodes: times(6, () => ({ ...EMPTY_NODE, totalMemMib: 2048, nodeMemMib: 2000, totalDiskMib: 900 })),
    });
    const size = { memMib: 32768, diskMib: 1024 * 1024, vcpus: 8, spindles: 12 };
    const instance = sizedInstance(size, 'drbd', 1);
    const filler = new Filler(new ClusterState(snapshot), targetsOf(snapshot, instance)!, {});
    const refusals = fillTiered(filler, instance, undefined, true);
    expect(filler.count).to.equal(0);
    expect(refusals.reduce((sum, count) => sum + count, 0)).to.equal(30);
  });

  /**
   * Nodes with room on their disks, and instances on shared storage that leave little memory to start again
   * in.
   */
  const crowdedCluster = (random: Random, nodeCount: number, diskMib: number): Snapshot => {
    const nodes = times(nodeCount, () => ({
      totalMemMib: random.between(3, 6) * 1024,
      nodeMemMib: 128,
      totalDiskMib: diskMib,
      isOffline: false,
      spindles: 4,
    }));
    const instances = times(nodeCount * 2, (k) => ({
      primary: k % nodeCount,
      memMib: random.between(3, 9) * 128,
      diskMib: 1024,
      diskTemplate: random.pick(['ext', 'rbd', 'plain'] as const),
    }));
    return smallCluster({ nodes, instances });
  };

  it('says of no size that it is too large where it, or a larger one, fits', () => {
    let byCapacity = 0;
    forSeeds(halved(12), (seed) => {
      const random = new Random(seed, 'too large');
      const snapshot = crowdedCluster(random, random.between(2, 4), random.between(6, 12) * 1024);
      const size = { memMib: 2048, diskMib: 6144, vcpus: 2, spindles: 1 };
      const instance = sizedInstance(size, random.pick(['plain', 'ext', 'drbd']), 1);
      const targets = targetsOf(snapshot, instance);
      if (!targets) return;
      const filler = new Filler(new ClusterState(snapshot), targets, {});
      iterate(filler, shrunk(instance, FAIL_MEM, 24), random.between(0, 2), false);
      for (const code of [FAIL_MEM, FAIL_DISK]) {
        let larger = false;
        const policies = snapshot.groups.map(({ policy }) => policy);
        for (let steps = 0; steps <= stepsWithinBounds(instance, code, policies); steps++) {
          const smaller = shrunk(instance, code, steps);
          larger ||= filler.fits(smaller, true);
          if (!filler.isTooLarge(smaller, true)) continue;
          expect(larger, `seed ${seed}`).to.equal(false);
          if (filler.fits(smaller, false)) byCapacity++;
        }
      }
    });
    expect(byCapacity).to.be.above(halved(30));
  });

  it('goes on past very many sizes in vain by those alone, and as good as always comes to the same', () => {
    class CountingFiller extends Filler {
      get trialsSoFar(): number {
        return this.trials;
      }
    }
    class HastyFiller extends CountingFiller {
      protected override readonly mostTrials = 0;
    }
    let [all, few, others] = [0, 0, 0];
    forSeeds(halved(24), (seed) => {
      const random = new Random(seed, 'in vain');
      const nodeCount = random.between(4, 5);
      const nodes = times(nodeCount, () => ({
        totalMemMib: random.between(4, 8) * 1024,
        nodeMemMib: 128,
        totalDiskMib: random.between(80, 160) * 1024,
        isOffline: false,
        spindles: 40,
      }));
      const instances = times(nodeCount * random.between(4, 5), (k) => ({
        primary: k % nodeCount,
        memMib: random.between(2, 9) * 128,
        diskMib: random.between(4, 20) * 1024,
        diskTemplate: 'plain' as const,
      }));
      const snapshot = smallCluster({ nodes, instances });
      const size = { memMib: 4096, diskMib: 80 * 1024, vcpus: 2, spindles: 1 };
      const instance = sizedInstance(size, 'plain', 1);
      const filled = (Kind: typeof CountingFiller) => {
        const filler = new Kind(new ClusterState(snapshot), targetsOf(snapshot, instance)!, {});
        const refusals = fillTiered(filler, instance, undefined, true);
        return { trials: filler.trialsSoFar, found: { homes: homesIn(filler), refusals } };
      };
      const patient = filled(CountingFiller);
      const hasty = filled(HastyFiller);
      if (JSON.stringify(hasty.found) !== JSON.stringify(patient.found)) others++;
      all += patient.trials;
      few += hasty.trials;
    });
    expect(few)
      .to.be.above(0)
      .and.below(0.9 * all);
    // Greedy evacuation may find room for a larger instance and none for a smaller one.
    expect(others).to.be.at.most(runsOf(halved(24)) / 24);
  });

  /** How often nodes are asked about a size, and how often an instance is put on one for a capacity check. */
  function questionsFor(snapshot: Snapshot, instance: Instance, prepare = (_: Filler): void => {}) {
    let [asked, tried] = [0, 0];
    class CountingFiller extends Filler {
      override examine<T>(...question: Parameters<Filler['examine']>): T {
        asked++;
        return super.examine(...question) as T;
      }
      override fits(one: Instance, checksCapacity: boolean): boolean {
        asked++;
        return super.fits(one, checksCapacity);
      }
    }
    const filler = new CountingFiller(new ClusterState(snapshot), targetsOf(snapshot, instance)!, {});
    prepare(filler);
    const { admits } = GlobalCheck.prototype;
    GlobalCheck.prototype.admits = function (...home) {
      tried++;
      return admits.apply(this, home);
    };
    try {
      fillTiered(filler, instance, undefined, true);
    } finally {
      GlobalCheck.prototype.admits = admits;
    }
    return { asked, tried, homes: homesIn(filler) };
  }

  it('does not try sizes one by one that capacity checks refuse for good', () => {
    const snapshot = crowdedCluster(new Random(1, 'huge disks'), 4, 900_000);
    const size = { memMib: 4096, diskMib: 1_200_000, vcpus: 4, spindles: 1 };
    expect(questionsFor(snapshot, sizedInstance(size, 'plain', 1)).asked).to.be.below(1000);
  });

  it('goes no way down a second time that led nowhere, and comes to the same sizes', () => {
    const questions = (seed: number): readonly [once: number, again: number] => {
      const random = new Random(seed, 'ways down');
      const snapshot = crowdedCluster(random, random.between(3, 7), random.between(20, 300) * 1024);
      const size = { memMib: 6000, diskMib: 200 * 1024, vcpus: 4, spindles: 1 };
      const instance = sizedInstance(size, random.pick(['plain', 'ext']), 1);
      const once = questionsFor(snapshot, instance);
      const again = questionsFor(snapshot, instance, ({ spent }) => {
        spent.set = () => spent;
      });
      expect(once.homes).to.deep.equal(again.homes);
      return [once.asked, again.asked];
    };
    forSeeds(halved(6), (seed) => void questions(seed));
    for (const seed of [43, 50]) {
      const [once, again] = questions(seed);
      expect(once).to.be.below(again / 2);
    }
  });

  it('does not try all sizes of disks that are on no node, where only a policy looks at them', () => {
    const groups = [{}, { policy: policyOfDisksUpTo(1024) }];
    // When the first node fails, the second one gets the small instance, and the large one finds no node.
    const full = times(6, () => 1224);
    const nodes = [8192, 4124, 2024, ...full].map((totalMemMib) => ({ totalMemMib, group: 0 }));
    nodes.push({ totalMemMib: 2024, group: 1 });
    const instances = [3000, 600].map((memMib) => ({ memMib, diskTemplate: 'ext' as const }));
    const snapshot = smallCluster({ groups, nodes, instances });
    const size = { memMib: 4096, diskMib: 400_000, vcpus: 4, spindles: 1 };
    const { asked, tried } = questionsFor(snapshot, sizedInstance(size, 'ext', 1));
    expect(tried).to.be.below(1500);
    expect(asked).to.be.below(5000);
  });
});
