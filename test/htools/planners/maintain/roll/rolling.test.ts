import { expect } from 'chai';
import { Random } from '../../../../../bench/generate/random.ts';
import { usesMemory } from '../../../../../src/htools/cluster/instance-status.ts';
import { ALLOWED } from '../../../../../src/htools/cluster/refusal.ts';
import type { Snapshot } from '../../../../../src/htools/cluster/snapshot.ts';
import { hasSecondary, mirroringOf } from '../../../../../src/htools/cluster/templates.ts';
import { applyMove } from '../../../../../src/htools/model/moves/apply.ts';
import {
  FAILOVER,
  FAILOVER_AND_REPLACE,
  FAILOVER_TO_ANY,
  REPLACE_AND_FAILOVER,
  REPLACE_SECONDARY,
} from '../../../../../src/htools/model/moves/kinds.ts';
import { SharedStorageN1 } from '../../../../../src/htools/model/redundancy/shared/shared-storage.ts';
import { movedSnapshot } from '../../../../../src/htools/model/state/moved-snapshot.ts';
import { badNodes } from '../../../../../src/htools/model/state/scope.ts';
import { ClusterState, MIRROR_EXTERNAL } from '../../../../../src/htools/model/state/state.ts';
import { jobSets } from '../../../../../src/htools/plan/jobs.ts';
import { planPrice, USUAL_RATES, unitPrices } from '../../../../../src/htools/plan/price.ts';
import { nodesToMaintain } from '../../../../../src/htools/planners/maintain/reboot/nodes-to-maintain.ts';
import type { RebootOptions } from '../../../../../src/htools/planners/maintain/reboot/reboot-rounds.ts';
import {
  heldNodes,
  type Passage,
  withoutHeld,
} from '../../../../../src/htools/planners/maintain/roll/leaving.ts';
import {
  type RollingPlan,
  type RollingRound,
  rollingPlan,
} from '../../../../../src/htools/planners/maintain/roll/rolling.ts';
import { RoundChecker } from '../../../../../src/htools/planners/maintain/roll/round-faults.ts';
import { randomCluster } from '../../../../builders/random-cluster.ts';
import { roundCluster } from '../../../../builders/round-cluster.ts';
import { forSeeds } from '../../../../builders/seeds.ts';
import { type ClusterSketch, smallState } from '../../../../builders/small-cluster.ts';
import { withSomeLeft } from '../../../../builders/wishes.ts';

const PLAIN: RebootOptions = {
  offlineMaintenance: false,
  ignoreNonRedundant: false,
  fullEvacuation: false,
  fewest: false,
};

const all = (state: ClusterState): readonly number[] =>
  nodesToMaintain(state, { group: undefined, tags: undefined, skipNonRedundant: false });

/** A random cluster, now and then with something that is left alone, and the nodes that may be emptied. */
function randomTask(seed: number, mostNodes: number, mostInstancesPerNode: number, options: RebootOptions) {
  const snapshot = randomCluster(seed, { fewestNodes: 3, mostNodes, mostInstancesPerNode });
  const random = new Random(seed, 'left');
  const state = new ClusterState(random.chance(0.3) ? withSomeLeft(snapshot, random) : snapshot);
  return { state, wanted: withoutHeld(all(state), heldNodes(state, all(state), options)) };
}

function expectRight(start: Snapshot, rounds: readonly RollingRound[], options: RebootOptions): void {
  const checker = new RoundChecker(start, options);
  for (const round of rounds) expect(checker.faults(round)).to.deep.equal([]);
}

/** The cluster at the start of each round, and with its nodes empty, by the model. */
function clustersOf(start: Snapshot, rounds: readonly RollingRound[]) {
  const state = new ClusterState(start);
  const take = ({ steps, isForced }: Passage): void => {
    for (const { instance, kind, target } of steps)
      expect(applyMove(state, instance, kind, target, isForced)).to.equal(ALLOWED);
  };
  return rounds.map(({ leave, comeBack }) => {
    const before = movedSnapshot(state);
    take(leave);
    const away = movedSnapshot(state);
    if (comeBack) take(comeBack);
    return { before, away };
  });
}

function planned(sketch: ClusterSketch, options: Partial<RebootOptions> = {}): RollingPlan {
  const state = smallState(sketch);
  const plan = rollingPlan(state, all(state), { ...PLAIN, ...options });
  if ('why' in plan) throw new Error(`stuck: ${plan.why}`);
  expectRight(state.snapshot, plan.rounds, { ...PLAIN, ...options });
  return plan;
}

const stepsOf = ({ leave, comeBack }: RollingRound): readonly (readonly number[])[] => [
  leave.steps.map(({ kind }) => kind),
  (comeBack?.steps ?? []).map(({ kind }) => kind),
];

describe('a rolling maintenance', () => {
  it('passes the checker in every state, on random clusters with shared storage', () => {
    let rounds = 0;
    forSeeds(60, (seed) => {
      const options = { ...PLAIN, ignoreNonRedundant: true, fullEvacuation: seed % 3 === 0 };
      const { state, wanted } = randomTask(seed, 12, 6, options);
      if (wanted.length === 0 || !state.mirroring.includes(MIRROR_EXTERNAL)) return;
      const plan = rollingPlan(state, wanted, options);
      if ('why' in plan) return;
      rounds += plan.rounds.length;
      expectRight(state.snapshot, plan.rounds, options);
      const nodes = plan.rounds.flatMap((round) => round.nodes);
      expect(nodes.toSorted((a, b) => a - b)).to.deep.equal(wanted);
    });
    expect(rounds).to.be.above(30);
  });

  it('tells of each round what the cluster bears, read anew with the nodes offline', () => {
    const counts = { failing: 0, onOneCopy: 0 };
    forSeeds(150, (seed) => {
      const options = { ...PLAIN, ignoreNonRedundant: true, fullEvacuation: seed % 3 === 0 };
      const state = new ClusterState(roundCluster(seed));
      const wanted = all(state);
      const plan = wanted.length > 0 ? rollingPlan(state, wanted, options) : { rounds: [] };
      if ('why' in plan) return;
      const clusters = clustersOf(state.snapshot, plan.rounds);
      for (const [at, { nodes, verdict }] of plan.rounds.entries()) {
        const { away } = clusters[at]!;
        const isDown = (n: number): boolean => nodes.includes(n);
        const without = new ClusterState({
          ...away,
          nodes: away.nodes.map((node, n) => (isDown(n) ? { ...node, isOffline: true } : node)),
        });
        const online = [...without.isOffline.keys()].filter((n) => !without.isOffline[n]);
        const { storage } = without;
        const failing = storage ? new SharedStorageN1(without, storage, { nodes: online }).failing() : [];
        const onOneCopy = away.instances.filter(
          ({ diskTemplate, primary, secondary, ...instance }) =>
            hasSecondary(diskTemplate) && usesMemory(instance) && [primary, secondary].some(isDown),
        ).length;
        expect(verdict, `seed ${seed}`).to.deep.equal({
          failing: [...new Set([...failing, ...badNodes(without, online)])].sort((a, b) => a - b),
          onOneCopy,
        });
        counts.failing += verdict.failing.length;
        counts.onOneCopy += onOneCopy;
      }
    });
    expect(counts.failing).to.be.above(20);
    expect(counts.onOneCopy).to.be.above(100);
  });

  it('has the largest leave first', () => {
    const sizes = [512, 2048, 1024];
    const { rounds } = planned({
      nodes: [{}, {}],
      instances: sizes.map((memMib) => ({ memMib, diskTemplate: 'ext' })),
    });
    const left = rounds.flatMap(({ leave }) => leave.steps.map(({ instance }) => instance));
    expect(left.slice(0, 3)).to.deep.equal([1, 2, 0]);
  });

  it('goes to the node with most memory free, and of equal ones to the first', () => {
    const shared = { diskTemplate: 'ext', secondary: -1 } as const;
    const state = smallState({
      nodes: [{}, {}, {}, {}],
      instances: [shared, { ...shared, primary: 1, memMib: 8192 }],
    });
    const { rounds } = rollingPlan(state, [0], PLAIN) as RollingPlan;
    expect(rounds[0]!.leave.steps.map(({ toPrimary }) => toPrimary)).to.deep.equal([2]);
  });

  it('leaves an instance there whose other node is offline, if it may go down', () => {
    const sketch: ClusterSketch = { nodes: [{}, { isOffline: true }, {}], instances: [{}] };
    const { rounds } = planned(sketch, { ignoreNonRedundant: true });
    expect(rounds.flatMap(({ goDown }) => goDown)).to.deep.equal([0]);
  });

  it('leaves out for want of copies only nodes that it could not empty', () => {
    const state = smallState({
      nodes: [{}, {}, {}],
      instances: [
        { primary: 0, diskTemplate: 'plain', secondary: -1 },
        { primary: 1, diskTemplate: 'ext', secondary: -1 },
        { primary: 2, secondary: 1 },
      ],
    });
    const choice = { group: undefined, tags: undefined, skipNonRedundant: true };
    expect(nodesToMaintain(state, { ...choice, isEmptying: true })).to.deep.equal([1, 2]);
    // Rounds alone are stock's.
    expect(nodesToMaintain(state, choice)).to.deep.equal([2]);
  });

  it('changes mirrored instances over and back, and moves those on shared storage to another node and back', () => {
    const { rounds } = planned({
      nodes: [{}, {}, {}],
      instances: [
        { primary: 0, secondary: 1 },
        { primary: 2, diskTemplate: 'ext', secondary: -1 },
      ],
    });
    expect(rounds.flatMap(({ nodes }) => nodes).toSorted()).to.deep.equal([0, 1, 2]);
    const roundOf = (node: number): RollingRound => rounds.find(({ nodes }) => nodes.includes(node))!;
    expect(roundOf(0)).not.to.equal(roundOf(1));
    const kinds = rounds.flatMap(({ leave }) => leave.steps.map(({ kind }) => kind));
    expect(kinds.toSorted()).to.deep.equal([FAILOVER, FAILOVER_TO_ANY].toSorted());
    for (const round of rounds) {
      const [there, back] = stepsOf(round);
      expect(back).to.deep.equal(there!.toReversed());
      expect(round.comeBack!.isForced).to.equal(false);
      for (const { toPrimary } of round.leave.steps) expect(round.nodes).not.to.include(toPrimary);
    }
    expect(roundOf(1).verdict.onOneCopy).to.equal(1);
  });

  it('moves instances off and back to several nodes at the same time', () => {
    const pairs = [
      [0, 1],
      [0, 1],
      [2, 3],
      [2, 3],
    ] as const;
    const sketch: ClusterSketch = {
      nodes: [{}, {}, {}, {}],
      instances: pairs.map(([primary, secondary]) => ({ primary, secondary })),
    };
    const { rounds } = planned(sketch);
    const { leave, comeBack } = rounds.find(({ leave: { steps } }) => steps.length > 0)!;
    for (const { steps } of [leave, comeBack!])
      expect(jobSets(smallState(sketch).snapshot, steps).map((set) => set.length)).to.deep.equal([2, 2]);
  });

  it('takes second copies and stopped instances off, too, when all is to be evacuated', () => {
    const sketch: ClusterSketch = {
      nodes: [{}, {}, {}],
      instances: [
        { primary: 0, secondary: 1 },
        { primary: 0, diskTemplate: 'ext', secondary: -1, status: 'ADMIN_down' },
      ],
    };
    const count = (plan: RollingPlan): number =>
      plan.rounds.reduce((sum, { leave }) => sum + leave.steps.length, 0);
    expect(count(planned(sketch))).to.equal(1);
    const { rounds } = planned(sketch, { fullEvacuation: true });
    const kinds = rounds.flatMap(({ leave }) => leave.steps.map(({ kind }) => kind));
    // Over and off in one job, and back in one.
    expect(kinds.toSorted()).to.deep.equal([FAILOVER_TO_ANY, REPLACE_SECONDARY, FAILOVER_AND_REPLACE]);
    const there = rounds.find(({ leave: { steps } }) =>
      steps.some(({ kind }) => kind === FAILOVER_AND_REPLACE),
    )!;
    expect(there.comeBack!.steps.map(({ kind }) => kind)).to.include(REPLACE_AND_FAILOVER);
  });

  it('moves the second copy of an instance on nodes of two groups in its own, which takes nobody new', () => {
    const { rounds } = planned(
      {
        groups: [{}, { allocPolicy: 'unallocable' }],
        nodes: [{}, {}, { group: 1 }, { group: 1 }],
        instances: [{ primary: 0, secondary: 2, tags: ['htools:nointergroup'] }],
        tags: ['htools:nointergroup'],
      },
      { fullEvacuation: true },
    );
    const { leave } = rounds.find(({ nodes }) => nodes.includes(2))!;
    expect(leave.steps.map(({ kind, target }) => [kind, target])).to.deep.equal([[REPLACE_SECONDARY, 3]]);
  });

  it('costs what must leave and come back, and no job more, in every state', () => {
    const seen = { rounds: 0, copied: 0 };
    forSeeds(60, (seed) => {
      const options = { ...PLAIN, ignoreNonRedundant: true, fullEvacuation: seed % 2 === 0 };
      const { state, wanted } = randomTask(seed, 8, 4, options);
      const plan = wanted.length > 0 ? rollingPlan(state, wanted, options) : { why: 'nobody' };
      if ('why' in plan) return;
      const { snapshot } = state;
      const clusters = clustersOf(snapshot, plan.rounds);
      for (const [at, { nodes, leave, goDown, comeBack }] of plan.rounds.entries()) {
        const { before, away } = clusters[at]!;
        seen.rounds++;
        const least = before.instances.reduce((sum, instance, i) => {
          const { copy, change, job } = unitPrices(instance, USUAL_RATES);
          const isOn = (n: number): boolean => nodes.includes(n);
          const stays = goDown.includes(i) || away.instances[i]!.primary === instance.primary;
          const changes = isOn(instance.primary) && !stays ? 1 : 0;
          const leavesCopy =
            options.fullEvacuation &&
            mirroringOf(instance.diskTemplate) === 'internal' &&
            !instance.isForthcoming;
          const copies =
            leavesCopy &&
            (changes === 1 || (isOn(instance.secondary) && !before.nodes[instance.primary]!.isOffline))
              ? 1
              : 0;
          seen.copied += copies;
          return sum + changes * change + copies * copy + (changes + copies > 0 ? job : 0);
        }, 0);
        for (const { steps } of comeBack ? [leave, comeBack] : [leave])
          expect(planPrice({ start: snapshot, steps }, USUAL_RATES), `seed ${seed}`).to.be.closeTo(
            least,
            1e-6,
          );
      }
    });
    expect(seen.rounds).to.be.above(60);
    expect(seen.copied).to.be.above(10);
  });

  it('says who goes down where nobody is to leave', () => {
    const sketch: ClusterSketch = { nodes: [{}, {}], instances: [{ primary: 0, secondary: 1 }] };
    const { rounds } = planned(sketch, { offlineMaintenance: true });
    expect(rounds.flatMap(({ leave }) => leave.steps)).to.deep.equal([]);
    expect(rounds.flatMap(({ goDown }) => goDown)).to.deep.equal([0]);
  });

  it('is not possible where an instance has its only copy on a node, unless it may go down', () => {
    const sketch: ClusterSketch = {
      nodes: [{}, {}],
      instances: [{ primary: 1, diskTemplate: 'plain', secondary: -1 }],
    };
    const state = smallState(sketch);
    expect(rollingPlan(state, all(state), PLAIN)).to.deep.equal({ node: 1, instance: 0, why: 'only-copy' });
    const { rounds } = planned(sketch, { ignoreNonRedundant: true });
    expect(rounds.flatMap(({ goDown }) => goDown)).to.deep.equal([0]);
  });

  it('parts a round whose nodes cannot be emptied together', () => {
    const ext = { diskTemplate: 'ext', secondary: -1, memMib: 3000 } as const;
    const sketch: ClusterSketch = {
      nodes: [{}, {}, {}].map(() => ({ totalMemMib: 8192, nodeMemMib: 0 })),
      instances: [0, 1, 2].map((primary) => ({ ...ext, primary })),
    };
    const { rounds } = planned(sketch);
    expect(rounds).to.have.length(3);
  });

  it('empties half of the nodes where all exclude nobody', () => {
    const { rounds } = planned({
      nodes: Array.from({ length: 8 }, () => ({ totalMemMib: 32_768 })),
      instances: Array.from({ length: 16 }, (_, i) => ({
        primary: i % 8,
        diskTemplate: 'ext' as const,
        secondary: -1,
        memMib: 1024,
      })),
    });
    expect(rounds.map(({ nodes }) => nodes.length)).to.deep.equal([4, 4]);
  });

  it('tells which nodes could not fail while others are down', () => {
    const ext = { diskTemplate: 'ext', secondary: -1, memMib: 3000 } as const;
    const pool = 'external/nas';
    const { before, rounds } = planned({
      nodes: [{}, {}, {}].map(() => ({ totalMemMib: 8192, nodeMemMib: 0, storagePools: [pool] })),
      instances: [0, 0, 1, 2].map((primary) => ({ ...ext, primary, storagePool: pool })),
    });
    expect(before.failing).to.deep.equal([]);
    expect(rounds.every(({ verdict }) => verdict.failing.length > 0)).to.equal(true);
  });

  it('comes back to a node with exclusive storage whose spindles are taken by disks that are elsewhere', () => {
    const { rounds } = planned(
      {
        nodes: [{ hasExclusiveStorage: true, spindles: 2, freeSpindles: 0 }, {}, {}],
        instances: [
          { diskTemplate: 'ext', secondary: -1, disks: [{ sizeMib: 1024, spindles: 3 }] },
          { primary: 0, secondary: 1, memMib: 2048, disks: [{ sizeMib: 1024, spindles: 1 }] },
        ],
      },
      { fullEvacuation: true },
    );
    expect(rounds.every(({ comeBack }) => comeBack !== undefined)).to.equal(true);
  });
});

describe('the judge of a round', () => {
  const sketch: ClusterSketch = {
    nodes: [{}, {}, {}],
    instances: [{ primary: 0, diskTemplate: 'ext', secondary: -1 }],
  };
  const round = planned(sketch).rounds.find(({ leave }) => leave.steps.length > 0)!;
  const faultsOf = (one: RollingRound) => new RoundChecker(smallState(sketch).snapshot, PLAIN).faults(one);

  it('finds an instance that is still there, also where those without a second copy may be', () => {
    const lazy = { ...round, leave: { ...round.leave, steps: [] }, comeBack: undefined };
    const still = [{ step: 0, rule: 'left-behind', message: 'inst1 is still there' }];
    expect(faultsOf(lazy)).to.deep.equal(still);
    const options = { ...PLAIN, ignoreNonRedundant: true };
    for (const instance of [sketch.instances![0]!, { diskTemplate: 'drbd' } as const]) {
      const { snapshot } = smallState({ ...sketch, instances: [instance] });
      expect(new RoundChecker(snapshot, options).faults(lazy)).to.deep.equal(still);
    }
  });

  it('finds one that goes to a node which is rebooted, and one that is said to go down and does not', () => {
    const target = round.leave.steps[0]!.toPrimary;
    const closed = faultsOf({ ...round, nodes: [...round.nodes, target] });
    expect(closed.map(({ rule }) => rule)).to.include.members(['closed', 'left-behind']);
    expect(faultsOf({ ...round, goDown: [0] })).to.deep.equal([
      { step: 0, rule: 'left-behind', message: 'inst1 does not go down' },
    ]);
  });

  it('finds one that does not come from where the round before has left it', () => {
    const checker = new RoundChecker(smallState(sketch).snapshot, PLAIN);
    expect(checker.faults({ ...round, comeBack: undefined })).to.deep.equal([]);
    expect(checker.faults(round).map(({ rule }) => rule)).to.deep.equal(['from']);
  });
});
