import { expect } from 'chai';
import { NO_NODE } from '../../../../../src/htools/cluster/snapshot.ts';
import { scoreOf } from '../../../../../src/htools/model/score/scorer.ts';
import { Emptying, emptyOf, residentsOf } from '../../../../../src/htools/planners/groups/empty/emptying.ts';
import { mayFit, shortagesOf } from '../../../../../src/htools/planners/groups/homes/group-room.ts';
import { askedOf } from '../../../../../src/htools/planners/groups/homes/home-candidates.ts';
import { findHome, tryHome } from '../../../../../src/htools/planners/groups/homes/homes.ts';
import { GroupRules, stayRule } from '../../../../../src/htools/planners/groups/homes/leaving.ts';
import { placementsIn, STRATEGIES } from '../../../../../src/htools/planners/groups/homes/placements.ts';
import { SuperCluster } from '../../../../../src/htools/planners/groups/homes/super-cluster.ts';
import type { Home } from '../../../../../src/htools/planners/groups/relocate/relocation.ts';
import { kept } from '../../../../../src/kit/kept.ts';
import { forSeeds, halved } from '../../../../builders/seeds.ts';
import { randomSuperCluster } from '../../../../builders/super-cluster.ts';

const LIMITS = { groups: [3, 5], nodes: [3, 9] } as const;

/** The home by scoring every pair of a group and trying them in order. */
function homeByTheBook(cluster: SuperCluster, i: number, group: number): Home | undefined {
  const homes = placementsIn(cluster, i, group);
  const scan = cluster.scanOf(group);
  scan.prepare(
    i,
    [...new Set(homes.map((home) => home.primary))],
    [...new Set(homes.map((home) => home.secondary))],
  );
  const scored = homes.map((home) => {
    scan.open(home.primary);
    return { home, score: scan.score(home.secondary) };
  });
  scored.sort(
    (a, b) => a.score - b.score || a.home.primary - b.home.primary || a.home.secondary - b.home.secondary,
  );
  const mark = cluster.mark();
  const found = scored.find(({ home }) => tryHome(cluster, i, home, true).relocation);
  cluster.rollback(mark);
  return found?.home;
}

describe('homes', () => {
  it('are those that scoring every pair chooses, and few pairs are scored', () => {
    const seen = { homes: 0, none: 0, pairs: 0, scored: 0 };
    forSeeds(halved(12), (seed) => {
      const cluster = new SuperCluster(randomSuperCluster(seed, LIMITS));
      const { state } = cluster;
      for (let i = 0; i < state.instanceCount; i += 7) {
        if (stayRule(cluster, i) !== undefined || state.secondary[i]! < 0) continue;
        const own = [state.primary[i]!, state.secondary[i]!].map((n) => state.groupOf[n]!);
        for (const group of cluster.groups.filter((other) => !own.includes(other))) {
          const wanted = homeByTheBook(cluster, i, group);
          const scan = cluster.scanOf(group);
          const { score } = scan;
          scan.score = (s) => {
            seen.scored++;
            return score.call(scan, s);
          };
          const mark = cluster.mark();
          const found = findHome(cluster, i, [group], { strategy: 'standard', refreshesOld: true });
          cluster.rollback(mark);
          scan.score = score;
          if (found.kind === 'blocked') continue;
          expect(
            found.kind === 'found' ? found.relocation.to : undefined,
            `seed ${seed}, ${i}`,
          ).to.deep.equal(wanted);
          seen[wanted ? 'homes' : 'none']++;
          seen.pairs += placementsIn(cluster, i, group).length;
        }
      }
    });
    expect(seen.homes).to.be.above(100);
    expect(seen.scored).to.be.below(seen.pairs / 4);
  });

  it('are not sought on primaries that could not take over from a peer then, where none would hold', () => {
    const seen = { barred: 0, held: 0 };
    forSeeds(halved(6), (seed) => {
      const cluster = new SuperCluster(randomSuperCluster(seed, LIMITS));
      const { state, online, n1 } = cluster;
      for (let i = 0; i < state.instanceCount; i += 11) {
        if (stayRule(cluster, i) !== undefined) continue;
        const isMirrored = cluster.isMirrored(i);
        for (const group of cluster.groups.filter((other) => other !== cluster.groupOf(i)))
          for (const primary of online[group]!) {
            const isBarred = n1.failsWithPrimary(primary, i);
            const secondaries = isMirrored ? online[group]!.filter((n) => n !== primary) : [NO_NODE];
            const isHeld = secondaries.some((secondary) =>
              cluster.tentatively(() => tryHome(cluster, i, { group, primary, secondary }, true).relocation),
            );
            if (isBarred) expect(isHeld, `seed ${seed}, ${i} on ${primary}`).to.equal(false);
            if (isBarred) seen.barred++;
            if (isHeld) seen.held++;
          }
      }
    });
    expect(seen.barred).to.be.above(20);
    expect(seen.held).to.be.above(100);
  });

  it('are sought among groups whose kept scores follow every change', () => {
    let moves = 0;
    forSeeds(3, (seed) => {
      const cluster = new SuperCluster(randomSuperCluster(seed, LIMITS));
      const { groups, state } = cluster;
      const holdScores = (label: string): void => {
        for (const group of groups)
          expect(cluster.scoreOf(group), `seed ${seed}, ${label}`).to.equal(
            scoreOf(state, cluster.members[group]!),
          );
      };
      for (let i = 0; i < state.instanceCount; i += 9) {
        if (stayRule(cluster, i) !== undefined) continue;
        holdScores(`before ${i}`);
        const targets = groups.filter((group) => group !== cluster.groupOf(i));
        const mark = cluster.mark();
        const found = findHome(cluster, i, targets, { strategy: 'standard', refreshesOld: true });
        if (found.kind === 'found') moves++;
        holdScores(`with ${i} moved`);
        if (i % 2 === 0) cluster.rollback(mark);
      }
      holdScores('at the end');
    });
    expect(moves).to.be.above(20);
  });

  it('are in the first group that has one, by tier, by what the strategy ranks groups by, and by place', () => {
    const seen = { found: 0, notFirst: 0 };
    forSeeds(6, (seed) => {
      const cluster = new SuperCluster(randomSuperCluster(seed, { groups: [6, 9], nodes: [3, 5] }));
      const { state, groups } = cluster;
      const freeMem = (group: number): number =>
        cluster.open[group]!.reduce((sum, n) => sum + cluster.freeMem(n), 0);
      for (const strategy of STRATEGIES) {
        const ranks = groups.map((group) => ({
          group,
          rank: { standard: cluster.scoreOf(group), tight: freeMem(group), first: group }[strategy],
          tier: Number(cluster.isLastResort(group)),
        }));
        if (ranks.some(({ rank }) => Number.isNaN(rank))) continue;
        ranks.sort((a, b) => a.tier - b.tier || a.rank - b.rank || a.group - b.group);
        const order = ranks.map(({ group }) => group);
        for (let i = 0; i < state.instanceCount; i += 11) {
          if (stayRule(cluster, i) !== undefined) continue;
          const others = order.filter((group) => group !== cluster.groupOf(i));
          const homeIn = (some: readonly number[]): number | undefined =>
            cluster.tentatively(
              () =>
                findHome(cluster, i, some, { strategy, refreshesOld: true, together: 1 }).relocation?.to
                  .group,
            );
          const wanted = others.find((group) => homeIn([group]) !== undefined);
          expect(homeIn(others.toSorted((a, b) => a - b)), `seed ${seed}, ${i}, ${strategy}`).to.equal(
            wanted,
          );
          if (wanted !== undefined) seen[wanted === others[0] ? 'found' : 'notFirst']++;
        }
      }
    });
    expect(seen.found).to.be.above(20);
    expect(seen.notFirst).to.be.above(2);
  });

  it('of all instances of a group are those found one by one', () => {
    const seen = { placed: 0, stuck: 0 };
    forSeeds(3, (seed) => {
      const cluster = new SuperCluster(randomSuperCluster(seed, LIMITS));
      const rules = new GroupRules(cluster);
      for (const group of cluster.groups) {
        const isTarget = (other: number): boolean => other !== group && cluster.isHealthy(other);
        const waiting = residentsOf(cluster, group).filter((i) => stayRule(cluster, i) === undefined);
        for (const strategy of STRATEGIES) {
          const mark = cluster.mark();
          const plain = waiting.map((i) => {
            const options = { strategy, refreshesOld: false, together: waiting.length < 100 ? 3 : 1 };
            return findHome(cluster, i, rules.openTo(i).filter(isTarget), options);
          });
          cluster.rollback(mark);
          if (plain.some(({ kind }) => kind === 'blocked')) continue;
          const placed = new Emptying(cluster, rules, isTarget).place(waiting, strategy);
          cluster.rollback(mark);
          if (plain.some(({ kind }) => kind === 'none')) {
            expect(placed, `seed ${seed}`).to.equal(undefined);
            seen.stuck++;
            continue;
          }
          const homes = plain.map((one) => one.kind === 'found' && one.relocation.to);
          expect(
            placed?.map(({ to }) => to),
            `seed ${seed}`,
          ).to.deep.equal(homes);
          seen.placed++;
        }
      }
    });
    expect(seen.placed).to.be.above(2);
    expect(seen.stuck).to.be.above(2);
  });

  it('are not sought where one that asks the same was refused for good, whoever has come since', () => {
    const seen = { spared: 0, found: 0 };
    forSeeds(halved(8), (seed) => {
      const cluster = new SuperCluster(randomSuperCluster(seed, LIMITS, { fill: [0.3, 0.8], poolCount: 0 }));
      const rules = new GroupRules(cluster);
      const refusing = new Map<string, Set<number>>();
      const [emptied] = cluster.groups;
      for (const i of residentsOf(cluster, emptied!)) {
        if (stayRule(cluster, i) !== undefined) continue;
        const targets = rules.openTo(i).filter((group) => group !== emptied && cluster.isHealthy(group));
        const refusedBy = kept(refusing, askedOf(cluster, i), () => new Set<number>());
        for (const group of refusedBy) {
          const home = cluster.tentatively(() => findHome(cluster, i, [group], { refreshesOld: false }));
          expect(home.kind, `seed ${seed}, ${i} in ${group}`).to.be.oneOf(['none', 'blocked']);
          seen.spared++;
        }
        const options = { refreshesOld: false, together: 1, refusedBy };
        if (findHome(cluster, i, targets, options).kind === 'found') seen.found++;
      }
    });
    expect(seen.spared).to.be.above(20);
    expect(seen.found).to.be.above(50);
  });

  it('may be there by the sums for all of a group that can be emptied, and often are not where it cannot', () => {
    const seen = { emptied: 0, bySums: 0, byFailures: 0 };
    forSeeds(halved(40), (seed) => {
      const cluster = new SuperCluster(randomSuperCluster(seed, LIMITS, { fill: [0.3, 0.8], poolCount: 0 }));
      const healthy = cluster.healthyGroups();
      for (const group of cluster.groups) {
        const targets = [...healthy].filter((other) => other !== group);
        const residents = residentsOf(cluster, group);
        const may = mayFit(cluster, residents, targets);
        const { isPossible } = emptyOf(
          cluster,
          [group],
          (other) => healthy.has(other),
          new GroupRules(cluster),
        );
        if (isPossible) expect(may, `seed ${seed}, ${group}`).to.equal(true);
        if (isPossible) seen.emptied++;
        else if (!may) seen[shortagesOf(cluster, residents, targets).length > 0 ? 'bySums' : 'byFailures']++;
      }
    });
    expect(seen.emptied).to.be.above(10);
    expect(seen.bySums).to.be.above(5);
    expect(seen.byFailures).to.be.above(2);
  });
});
