import { expect } from 'chai';
import { checkPlan } from '../../../../src/htools/plan/checker/check.ts';
import { Budget } from '../../../../src/htools/planners/anneal/budget.ts';
import { isReclaimable, judgeGroups } from '../../../../src/htools/planners/groups/empty/compress.ts';
import { deepEmptier, meanScore } from '../../../../src/htools/planners/groups/empty/deep-emptying.ts';
import { residentsOf } from '../../../../src/htools/planners/groups/empty/emptying.ts';
import { findTogether } from '../../../../src/htools/planners/groups/empty/together.ts';
import { redistribute } from '../../../../src/htools/planners/groups/heal/redistribute.ts';
import { survey } from '../../../../src/htools/planners/groups/heal/survey.ts';
import { SuperCluster } from '../../../../src/htools/planners/groups/homes/super-cluster.ts';
import type { Relocation } from '../../../../src/htools/planners/groups/relocate/relocation.ts';
import { planOf, snapshotAfter } from '../../../../src/htools/planners/groups/relocate/relocation-plan.ts';
import { Spreading } from '../../../../src/htools/planners/groups/spread/spread.ts';
import { forSeeds } from '../../../builders/seeds.ts';
import { randomSuperCluster } from '../../../builders/super-cluster.ts';
import { canBeEmptied } from './exhaustive.ts';
import { firstCome } from './first-come.ts';

const SMALL = { groups: [3, 6], nodes: [3, 8] } as const;
const TINY = { groups: [2, 3], nodes: [2, 3] } as const;
/** More than three instances have too many ways to try them all. */
const MOST_TRIED = 3;

/** Candidates of a deep search that is to find something soon. */
const CANDIDATES = 2000;
const budgetOf = (candidates: number): Budget => new Budget({ candidates, clock: () => 0 });

/** Holds a plan against the checker, and the state that it leads to against its promises. */
function expectSound(
  cluster: SuperCluster,
  relocations: readonly Relocation[],
  emptiedNodes: readonly number[],
  stayingHealthy: readonly number[],
  emptyGroups: readonly number[] = [],
): void {
  const { snapshot } = cluster;
  const healthy = stayingHealthy.filter((group) => !emptyGroups.includes(group));
  const plan = planOf(snapshot, relocations, {
    diskMoves: true,
    emptiedNodes,
    healthyGroups: healthy,
    emptyGroups,
  });
  expect(checkPlan(plan)).to.deep.equal([]);
  const final = new SuperCluster(snapshotAfter(snapshot, relocations));
  for (const group of healthy) {
    const { deadNodes, overcommitted, unrestartable } = final.healthOf(group);
    expect([...deadNodes, ...overcommitted], `group ${group}`).to.deep.equal([]);
    expect(unrestartable.filter((n) => final.n1.verdictOf(n) === 'no')).to.deep.equal([]);
  }
  for (const { instance, to } of relocations) {
    const row = final.storage.rows[instance]! * final.storage.nodeCount;
    expect(final.storage.access[row + to.primary]).to.equal(1);
  }
}

describe('work across the groups of random super clusters', () => {
  it('heals at least as many groups as first-come relocation, and copies no more for them', () => {
    forSeeds(7, (seed) => {
      const cluster = new SuperCluster(randomSuperCluster(seed, SMALL, { brokenShare: 0.5 }));
      const found = survey(cluster);
      const { healings, relocations } = redistribute(cluster, found);
      const healed = healings.filter(({ isHealed }) => isHealed);
      const dead = found.sick.flatMap(({ deadNodes }) => deadNodes);
      expectSound(cluster, relocations, dead, [...found.healthy, ...healed.map(({ group }) => group)]);
      if (found.isForbidden) return;
      const plain = firstCome(
        cluster,
        found.sick.map(({ group }) => group),
        found.healthy,
      );
      expect(healed.length).to.be.at.least(plain.healed.size);
      if (healed.length > plain.healed.size || healed.some(({ group }) => !plain.healed.has(group))) return;
      const copied = healed.flatMap((one) =>
        one.relocations.map((relocation) => cluster.copiedMib([relocation])),
      );
      expect(copied.reduce((sum, mib) => sum + mib, 0)).to.be.at.most(plain.copiedMib);
    });
  });

  it('heals by the deep search no fewer groups, at no higher a price for the same, and a lower one often enough', () => {
    let cheaper = 0;
    forSeeds(2, (seed) => {
      const cluster = new SuperCluster(randomSuperCluster(seed, SMALL, { brokenShare: 0.5 }));
      const found = survey(cluster);
      const search = { seed, budget: budgetOf(CANDIDATES) };
      const { healings, relocations, greedy } = redistribute(cluster, found, () => {}, search);
      if (greedy === undefined) return;
      const healed = healings.filter(({ isHealed }) => isHealed).map(({ group }) => group);
      const before = greedy.healings.filter(({ isHealed }) => isHealed).map(({ group }) => group);
      const dead = found.sick.flatMap(({ deadNodes }) => deadNodes);
      expectSound(cluster, relocations, dead, [...found.healthy, ...healed]);
      expect(healed).to.include.members(before);
      expect(healings.flatMap((one) => one.relocations)).to.have.members(relocations);
      if (healed.length > before.length) return;
      const [price, known] = [relocations, greedy.relocations].map((all) => cluster.priceOf(all)) as [
        number,
        number,
      ];
      expect(price).to.be.at.most(known);
      if (price < known) cheaper++;
    });
    expect(cheaper).to.be.above(0);
  });

  it('empties by the deep search no fewer groups, at no higher a price for the same, and harms the others less', () => {
    let gentler = 0;
    forSeeds(2, (seed) => {
      const cluster = new SuperCluster(randomSuperCluster(seed, SMALL, { brokenShare: 0, fill: [0.1, 0.5] }));
      const verdicts = judgeGroups(cluster);
      const greedy = findTogether(cluster, verdicts);
      const emptier = deepEmptier({ cluster, seed, budget: budgetOf(CANDIDATES), watch: () => {} });
      const set = emptier.together(greedy, emptier.judge(verdicts));
      const relocations = emptier.gently(set);
      const emptied = set.groups.flatMap((group) => cluster.members[group]!);
      expectSound(cluster, relocations, emptied, [...cluster.healthyGroups()], set.groups);
      expect(set.groups.length).to.be.at.least(greedy.groups.length);
      if (set.groups.length > greedy.groups.length) return;
      const price = (all: readonly Relocation[]): number => cluster.priceOf(all);
      expect(price(relocations)).to.be.at.most(price(greedy.relocations));
      const before = meanScore(cluster, greedy);
      if (meanScore(cluster, { ...set, relocations }) < before) gentler++;
    });
    expect(gentler).to.be.above(0);
  });

  it('empties every group that it names, alone and together', () => {
    forSeeds(3, (seed) => {
      const cluster = new SuperCluster(randomSuperCluster(seed, SMALL));
      const healthy = [...cluster.healthyGroups()];
      const verdicts = judgeGroups(cluster);
      for (const { group, outcome } of verdicts) {
        if (typeof outcome === 'string' || !outcome.isPossible) continue;
        expectSound(cluster, outcome.relocations, cluster.members[group]!, healthy, [group]);
      }
      const { groups, relocations } = findTogether(cluster, verdicts);
      const moved = relocations.map(({ instance }) => instance);
      expect(new Set(moved).size).to.equal(moved.length);
      const left = new Set(groups.flatMap((group) => residentsOf(cluster, group)));
      expect([...left].filter((i) => !moved.includes(i))).to.deep.equal([]);
      expectSound(
        cluster,
        relocations,
        groups.flatMap((group) => cluster.members[group]!),
        healthy,
        groups,
      );
    });
  });

  it('finds every group that can be emptied, and names no other, as trying all homes shows', () => {
    forSeeds(40, (seed) => {
      const snapshot = randomSuperCluster(seed, TINY, { instancesPerNode: 1, fill: [0.2, 1] });
      const cluster = new SuperCluster(snapshot);
      const healthy = [...cluster.healthyGroups()];
      for (const verdict of judgeGroups(cluster)) {
        const { group, outcome } = verdict;
        const residents = residentsOf(cluster, group);
        if (residents.length > MOST_TRIED || typeof outcome === 'string') continue;
        const targets = healthy.filter((other) => other !== group);
        const truth = canBeEmptied(cluster, residents, targets);
        expect(isReclaimable(verdict), `seed ${seed}, group ${group}`).to.equal(truth);
      }
    });
  });

  it('evens the load out by the deep search no less, and copies no more for it, and at a lower price often enough', () => {
    let cheaper = 0;
    forSeeds(3, (seed) => {
      const cluster = new SuperCluster(
        randomSuperCluster(seed, SMALL, {
          brokenShare: 0.1,
          fill: [0.1, 0.6],
          templates: { drbd: 2, ext: 1 },
        }),
      );
      const options = { diskMoves: true, maxSteps: -1, minScore: 1e-9, minGain: 0.01, minGainLimit: 0.1 };
      const spreading = new Spreading(cluster, options);
      const start = cluster.mark();
      const greedy = [...spreading.steps()];
      cluster.rollback(start);
      const deep = spreading.searchDeep(greedy, { seed, budget: budgetOf(20 * CANDIDATES) });
      const relocations = deep.map(({ relocation }) => relocation);
      expectSound(cluster, relocations, [], [...spreading.healthy]);
      const end = (steps: readonly { readonly score: number }[]): number => steps.at(-1)?.score ?? 0;
      if (greedy.length > 0) expect(end(deep)).to.be.at.most(end(greedy) * (1 + 1e-9));
      const known = greedy.map(({ relocation }) => relocation);
      expect(cluster.copiedMib(relocations)).to.be.at.most(cluster.copiedMib(known));
      const [price, before] = [relocations, known].map((all) => cluster.priceOf(all)) as [number, number];
      if (price < before) cheaper++;
    });
    expect(cheaper).to.be.above(0);
  });

  it('evens the load out step by step, harming nobody', () => {
    forSeeds(
      5,
      (seed) => {
        const cluster = new SuperCluster(randomSuperCluster(seed, SMALL, { fill: [0.1, 0.9] }));
        const healthy = [...cluster.healthyGroups()];
        const diskMoves = seed % 2 === 0;
        const spreading = new Spreading(cluster, {
          diskMoves,
          maxSteps: 10,
          minScore: 1e-9,
          minGain: 0.01,
          minGainLimit: 0.1,
        });
        let score = spreading.loads.score;
        const relocations: Relocation[] = [];
        for (const step of spreading.steps()) {
          expect(step.score).to.be.below(score);
          score = step.score;
          relocations.push(step.relocation);
        }
        expectSound(cluster, relocations, [], healthy);
        const plan = planOf(cluster.snapshot, relocations, {
          diskMoves,
          emptiedNodes: [],
          healthyGroups: healthy,
        });
        expect(checkPlan(plan)).to.deep.equal([]);
      },
      [663667761],
    );
  });
});
