import { expect } from 'chai';
import { Random } from '../../../../../bench/generate/random.ts';
import { PLAIN_SHAPE } from '../../../../../bench/generate/shape.ts';
import type { EvacuationMode } from '../../../../../src/htools/cluster/iallocator-request.ts';
import type { Snapshot } from '../../../../../src/htools/cluster/snapshot.ts';
import { scoreOf } from '../../../../../src/htools/model/score/scorer.ts';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import { checkPlan } from '../../../../../src/htools/plan/checker/check.ts';
import type { Plan } from '../../../../../src/htools/plan/plan.ts';
import {
  answerOn,
  DEFAULT_ANSWER_OPTIONS,
} from '../../../../../src/htools/planners/answer/answer-request.ts';
import { planOfAnswer } from '../../../../../src/htools/planners/answer/judged.ts';
import { deepEvacuation } from '../../../../../src/htools/planners/evacuate/deep/deep-evacuation.ts';
import { type EvacuationWay, Evacuator } from '../../../../../src/htools/planners/evacuate/evacuator.ts';
import type { Evacuation } from '../../../../../src/htools/planners/evacuate/outcome.ts';
import { clusterOfShape, nodesByGroup, randomCluster } from '../../../../builders/random-cluster.ts';
import { roundCluster } from '../../../../builders/round-cluster.ts';
import { forSeeds, forSeedsAsync, halved } from '../../../../builders/seeds.ts';
import { bestOfAll } from './every-evacuation.ts';

const ROUNDING = 1e-6;
const ALSO_ELSEWHERE = { allowIntergroup: true } as const;
const MODES: readonly EvacuationMode[] = ['primary-only', 'secondary-only', 'all'];
const TEMPLATES = [
  { drbd: 1 },
  { ext: 1 },
  { drbd: 2, ext: 2, plain: 1 },
  { rbd: 1, sharedfile: 1, drbd: 1 },
];

const way = (millionCandidates: number, seed = 1) =>
  deepEvacuation({ seed, candidates: 1e6 * millionCandidates, clock: () => 0 });

/** Instances of one or two nodes, as requests name them; some of them now and then. */
function leaving(random: Random, snapshot: Snapshot, mode: EvacuationMode): number[] {
  const first = random.below(snapshot.nodes.length);
  const second = random.chance(0.2) ? random.below(snapshot.nodes.length) : first;
  const isThere = (n: number): boolean => n === first || n === second;
  const share = random.chance(0.3) ? 0.6 : 1;
  return [...snapshot.instances.keys()].filter((i) => {
    const { primary, secondary } = snapshot.instances[i]!;
    const leaves =
      mode === 'primary-only'
        ? isThere(primary)
        : mode === 'secondary-only'
          ? isThere(secondary)
          : isThere(primary) || isThere(secondary);
    return leaves && random.chance(share);
  });
}

const dead = (snapshot: Snapshot, node: number): Snapshot => ({
  ...snapshot,
  nodes: snapshot.nodes.map((one, n) => (n === node ? { ...one, isOffline: true } : one)),
});

/** One group that is nearly full, so that not all find a place. */
const fullCluster = (seed: number, nodes: number, perNode: number): Snapshot => {
  const random = new Random(seed, 'full');
  return clusterOfShape({
    ...PLAIN_SHAPE,
    seed,
    nodesPerGroup: nodes,
    instancesPerNode: perNode,
    memoryFill: random.real(0.6, 0.95),
    exclusionTagShare: 0.5,
    locationCount: random.chance(0.3) ? 2 : 0,
    hypervisorVersions: random.chance(0.2) ? 2 : 0,
    templates: random.pick(TEMPLATES),
  });
};

/**
 * Rules are the same whatever the order only where all are up: a stopped instance may come where its memory
 * is reserved, and where it is, no more may be reserved.
 */
const allUp = (snapshot: Snapshot): Snapshot => ({
  ...snapshot,
  instances: snapshot.instances.map((one) => ({ ...one, status: 'running' })),
});

const LARGER = { fewestNodes: 4, mostNodes: 12, mostInstancesPerNode: 6 };

const CLUSTERS = [
  {
    where: 'clusters of all kinds',
    runs: 15,
    fewest: 1,
    clusterOf: (seed: number) => randomCluster(seed, LARGER),
  },
  {
    where: 'clusters of few sizes, with storage pools',
    runs: 15,
    fewest: 1,
    clusterOf: (seed: number) => roundCluster(seed, { hasPools: true }),
  },
  {
    where: 'clusters that are nearly full',
    runs: 10,
    fewest: 2,
    clusterOf: (seed: number) => fullCluster(seed, 9, 6),
  },
];

const leftOf = (outcomes: readonly Evacuation[]): number[] =>
  outcomes.filter(({ isMoved }) => !isMoved).map(({ instance }) => instance);

const scoreOfAll = (state: ClusterState): number =>
  nodesByGroup(state.snapshot).reduce((sum, nodes) => sum + scoreOf(state, nodes), 0);

describe('an evacuation by the deep search', () => {
  for (const { where, runs, fewest, clusterOf } of CLUSTERS)
    it(`leaves nobody whom the stock program moves, and scores no worse than that: ${where}`, () => {
      let fewer = 0;
      let lower = 0;
      forSeeds(runs, (seed) => {
        const random = new Random(seed, 'evacuation');
        const made = clusterOf(seed);
        const mode = random.pick(MODES);
        const instances = leaving(random, made, mode);
        if (instances.length === 0) return;
        const { primary, secondary } = made.instances[instances[0]!]!;
        const snapshot = random.chance(0.3)
          ? dead(made, mode === 'secondary-only' ? secondary : primary)
          : made;
        const ignoreSoftErrors = random.chance(0.2);
        const stock = new ClusterState(snapshot);
        const evacuator = new Evacuator(stock, ignoreSoftErrors);
        const closed = evacuator.nodesToLeave(instances, mode);
        const greedy = evacuator.evacuate(instances, mode);
        const state = new ClusterState(snapshot);
        const deep = way(0.1)(state, instances, mode, { ignoreSoftErrors });
        const left = leftOf(deep);
        expect(leftOf(greedy)).to.include.members(left);
        expect(deep.map(({ instance }) => instance)).to.have.members(instances);
        if (left.length < leftOf(greedy).length) fewer++;
        else {
          expect(scoreOfAll(state)).to.be.at.most(scoreOfAll(stock) + ROUNDING);
          if (scoreOfAll(state) < scoreOfAll(stock) - ROUNDING) lower++;
          else expect(deep).to.deep.equal(greedy);
        }
        const leaves = new Set(instances);
        snapshot.instances.forEach((one, i) => {
          if (!leaves.has(i))
            expect([state.primary[i], state.secondary[i]]).to.deep.equal([one.primary, one.secondary]);
        });
        for (const outcome of deep) {
          if (!outcome.isMoved) continue;
          const { instance: i } = outcome;
          expect([state.primary[i], state.secondary[i]]).to.deep.equal([outcome.primary, outcome.secondary]);
          // The same moves as the stock program's, and so the same copies.
          const same = greedy.find((one) => one.instance === i)!;
          if (same.isMoved)
            expect(outcome.moves.map(({ kind }) => kind)).to.deep.equal(same.moves.map(({ kind }) => kind));
          for (const { target } of outcome.moves) expect(closed.has(target)).to.equal(false);
        }
      });
      expect(lower + fewer, 'better ones').to.be.at.least(fewest);
    });

  it('stands up to the checker, and to further moves to other groups', async () => {
    let steps = 0;
    await forSeedsAsync(12, async (seed) => {
      const random = new Random(seed, 'replay');
      const snapshot = random.chance(0.5) ? randomCluster(seed, LARGER) : fullCluster(seed, 8, 6);
      const mode = random.pick(MODES);
      const instances = leaving(random, snapshot, mode);
      if (instances.length === 0) return;
      const ignoreSoftErrors = random.chance(0.2);
      const request = {
        type: 'node-evacuate',
        instances,
        mode,
        ...(random.chance(0.5) && ALSO_ELSEWHERE),
      } as const;
      const planBy = async (evacuate?: EvacuationWay): Promise<Plan> => {
        const options = { ...DEFAULT_ANSWER_OPTIONS, ignoreSoftErrors, evacuate };
        const answer = await answerOn(new ClusterState(snapshot), request, options);
        return planOfAnswer(snapshot, request, answer, ignoreSoftErrors)!;
      };
      // The stock program, too, replaces disks from primaries that nobody can ask.
      if (checkPlan(await planBy()).length > 0) return;
      const plan = await planBy(way(0.1));
      expect(checkPlan(plan)).to.deep.equal([]);
      steps += plan.steps.length;
    });
    expect(steps).to.be.above(20);
  });

  it('is as good as any on tiny clusters', () => {
    let compared = 0;
    let beaten = 0;
    forSeeds(
      halved(halved(40)),
      (seed) => {
        const random = new Random(seed, 'tiny');
        const made = allUp(fullCluster(seed, 5, 3));
        const mode = random.pick(MODES);
        const all = leaving(random, made, mode);
        const instances = all.slice(0, mode === 'all' ? 2 : 3);
        if (instances.length < 2) return;
        // Who leaves a dead node may make another fail N+1, which then takes what it would not have taken
        // before: both nodes of an instance are looked for where they can be reached from the start. Where
        // only some leave one, room that these take unasked may be free as long as the others go first.
        const left = instances.map(
          (i) => made.instances[i]![mode === 'secondary-only' ? 'secondary' : 'primary'],
        );
        const isDead = mode !== 'all' && random.chance(0.3) && new Set(left).size === 1;
        const snapshot = isDead ? dead(made, left[0]!) : made;
        const [nodes] = nodesByGroup(snapshot);
        const stock = new ClusterState(snapshot);
        const evacuator = new Evacuator(stock, false);
        const lists = evacuator.targetsOf(instances, mode);
        const greedy = evacuator.evacuate(instances, mode);
        const best = bestOfAll({
          state: new ClusterState(snapshot),
          instances,
          mode,
          targets: new Map(instances.map((i, k) => [i, lists[k]!])),
          nodes: nodes!,
          mayStay: new Set(leftOf(greedy)),
        });
        const state = new ClusterState(snapshot);
        const stay = leftOf(way(1)(state, instances, mode, { ignoreSoftErrors: false }));
        compared++;
        expect(stay.length).to.equal(best.left);
        const score = scoreOf(state, nodes!);
        expect(score).to.be.closeTo(best.score, ROUNDING);
        if (leftOf(greedy).length > best.left || scoreOf(stock, nodes!) > best.score + ROUNDING) beaten++;
      },
      [699290445, 701727376, 665859619, 976738947],
    );
    expect(compared).to.be.above(halved(halved(16)));
    expect(beaten).to.be.above(0);
  });

  it('answers the same for the same seed, and looks at no more than it is told', () => {
    const snapshot = fullCluster(3, 9, 6);
    const mode = 'all';
    const instances = leaving(new Random(3, 'same'), snapshot, mode);
    const answer = (millionCandidates: number): readonly Evacuation[] =>
      way(millionCandidates, 7)(new ClusterState(snapshot), instances, mode, { ignoreSoftErrors: false });
    expect(answer(0.1)).to.deep.equal(answer(0.1));
    const stock = new Evacuator(new ClusterState(snapshot), false).evacuate(instances, mode);
    expect(leftOf(stock).length).to.be.at.least(leftOf(answer(0.1)).length);
    const shares: number[] = [];
    const until = (over: number) => {
      let asked = 0;
      const clock = (): number => (asked++ < over ? 0 : 1);
      const limits = { seed: 1, candidates: 3e5, clock, onCutShort: (share: number) => shares.push(share) };
      return deepEvacuation(limits)(new ClusterState(snapshot), instances, mode, { ignoreSoftErrors: false });
    };
    expect(until(0)).to.deep.equal(stock);
    until(2);
    until(Number.POSITIVE_INFINITY);
    expect(shares).to.have.length(2);
    expect(shares[0]).to.equal(0);
    expect(shares[1]).to.be.within(0.001, 0.9);
  });
});
