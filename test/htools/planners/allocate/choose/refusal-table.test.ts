import { expect } from 'chai';
import { Random } from '../../../../../bench/generate/random.ts';
import { PLAIN_SHAPE } from '../../../../../bench/generate/shape.ts';
import {
  ALLOWED,
  FAIL_CPU,
  FAIL_DISK,
  FAIL_MEM,
  type FailCode,
} from '../../../../../src/htools/cluster/refusal.ts';
import type { Instance, Snapshot } from '../../../../../src/htools/cluster/snapshot.ts';
import { requiredNodes } from '../../../../../src/htools/cluster/templates.ts';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import { RefusalTable } from '../../../../../src/htools/planners/allocate/choose/refusal-table.ts';
import {
  shrinkCount,
  shrunk,
  stepsWithinBounds,
} from '../../../../../src/htools/planners/allocate/fill/shrink.ts';
import { sizedInstance } from '../../../../../src/htools/planners/allocate/sized-instance.ts';
import {
  type AllocNodes,
  allocNodes,
  type Placement,
} from '../../../../../src/htools/planners/allocate/solution.ts';
import { placeForGood } from '../../../../../src/htools/planners/allocate/tentative-placement.ts';
import { clusterOfShape, randomCluster } from '../../../../builders/random-cluster.ts';
import { roundCluster } from '../../../../builders/round-cluster.ts';
import { forSeeds, halved } from '../../../../builders/seeds.ts';

type Targets = Extract<AllocNodes, { kind: string }>;

const RESOURCES = [FAIL_MEM, FAIL_DISK, FAIL_CPU];

const amountOf = ({ memMib, diskMib, vcpus }: Instance, code: FailCode): number =>
  code === FAIL_MEM ? memMib : code === FAIL_DISK ? diskMib : vcpus;

const withAmount = (instance: Instance, code: FailCode, amount: number): Instance =>
  code === FAIL_MEM
    ? { ...instance, memMib: amount }
    : code === FAIL_CPU
      ? { ...instance, vcpus: amount }
      : { ...instance, diskMib: amount, disks: [{ ...instance.disks[0]!, sizeMib: amount }] };

/** Two groups with the same pools, which are nearly full. */
function pooledCluster(seed: number): Snapshot {
  const made = roundCluster(seed, { hasPools: true, hasPoolSizes: true });
  const nodes = made.nodes.map((node, n) => ({ ...node, group: n % 2 }));
  return { ...made, nodes, groups: [...made.groups, { ...made.groups[0]!, name: 'second' }] };
}

/** All that a table says. */
function answersOf(table: RefusalTable, { kind }: Targets): object {
  const { nodes } = table;
  return {
    counts: table.count(),
    primaries: nodes.map((p) => table.primaryCode(p)),
    secondaries: kind === 'pairs' && nodes.map((p) => nodes.map((s) => s === p || table.secondaryCode(p, s))),
  };
}

/** Answers to an instance on no node. */
function asking<T>(state: ClusterState, instance: Instance, table: RefusalTable, ask: () => T): T {
  table.update(state.addInstance(instance));
  const answer = ask();
  state.dropLastInstance();
  return answer;
}

describe('a table of refusals', () => {
  it('says at every size what one that is made for it says, and how far down the counts stay', () => {
    const seen = { placed: 0, below: 0 };
    forSeeds(halved(200), (seed) => {
      const random = new Random(seed, 'sizes');
      const isPooled = random.chance(0.3);
      const snapshot = isPooled ? pooledCluster(seed) : randomCluster(seed);
      const template = random.pick(['drbd', 'drbd', 'plain', 'ext'] as const);
      const nodes = [...snapshot.nodes.keys()];
      const targets = allocNodes(snapshot, requiredNodes(template), nodes);
      if (targets.kind !== 'pairs' && targets.kind !== 'singles') return;
      const state = new ClusterState(snapshot);
      const kept = new RefusalTable(state, targets);
      const anew = (instance: Instance): object => {
        const table = new RefusalTable(state, targets);
        return asking(state, instance, table, () => answersOf(table, targets));
      };
      const { totalMemMib, totalDiskMib } = random.pick(snapshot.nodes);
      const size = { memMib: totalMemMib, diskMib: totalDiskMib, vcpus: 8, spindles: 1 };
      const storagePool = template === 'ext' && isPooled ? 'external/nas' : undefined;
      const largest = { ...sizedInstance(size, template, 1), ...(storagePool && { storagePool }) };
      let instance = largest;
      for (let round = 0; round < 40; round++) {
        const code = random.pick(RESOURCES);
        const steps = Math.floor(shrinkCount(instance, code) * random.pick([0, 0.01, 0.1, 0.5]));
        const ofOtherUse = { ...instance, spindleUse: random.between(1, 20) };
        instance = random.chance(0.03)
          ? largest
          : shrunk(random.chance(0.1) ? ofOtherUse : instance, code, steps);
        let home: Placement | undefined;
        const { counts, floor } = asking(state, instance, kept, () => {
          // Before anything else is asked about this size.
          const asked = kept.hasPoolSpace ? kept.floor(code) : undefined;
          expect(answersOf(kept, targets), `seed ${seed}, ${round}`).to.deep.equal(anew(instance));
          kept.isAllowed((allowed) => {
            home = allowed;
            return random.chance(0.3);
          });
          return { counts: kept.count(), floor: asked };
        });
        const least = shrunk(instance, code, stepsWithinBounds(instance, code, kept.policies));
        if (floor !== undefined) {
          const down = withAmount(instance, code, Math.max(floor, amountOf(least, code)));
          const fresh = new RefusalTable(state, targets);
          expect(
            asking(state, down, fresh, () => fresh.count()),
            `seed ${seed}, ${floor}`,
          ).to.deep.equal(counts);
          if (amountOf(down, code) < amountOf(instance, code)) seen.below++;
        }
        if (home === undefined || random.chance(0.5)) continue;
        placeForGood(state, instance, home);
        kept.touch([home.primary, home.secondary].filter((n) => n >= 0));
        seen.placed++;
      }
    });
    expect(seen.placed).to.be.above(100);
    expect(seen.below).to.be.above(100);
  });

  it('asks few nodes again when the size shrinks', () => {
    const snapshot = clusterOfShape({
      ...PLAIN_SHAPE,
      seed: 4,
      groupCount: 6,
      nodesPerGroup: 10,
      instancesPerNode: 4,
    });
    let asked = 0;
    class CountingState extends ClusterState {
      override reaches(i: number, node: number): boolean {
        asked++;
        return super.reaches(i, node);
      }
    }
    const state = new CountingState(snapshot);
    const targets = allocNodes(snapshot, 2, [...snapshot.nodes.keys()]);
    if (targets.kind !== 'pairs') throw new Error('pairs were asked for');
    const table = new RefusalTable(state, targets);
    const largest = sizedInstance({ memMib: 2 ** 18, diskMib: 1024, vcpus: 1, spindles: 1 }, 'drbd', 1);
    let sizes = 0;
    for (let steps = 0; steps < shrinkCount(largest, FAIL_MEM); steps++) {
      sizes++;
      const counts = asking(state, shrunk(largest, FAIL_MEM, steps), table, () => table.count());
      if (counts[ALLOWED]! > 0) break;
    }
    expect(sizes).to.be.above(1000);
    expect(asked / (sizes * table.nodes.length)).to.be.below(0.1);
  });
});
