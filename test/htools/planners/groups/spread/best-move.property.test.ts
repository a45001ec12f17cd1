import { expect } from 'chai';
import { Random } from '../../../../../bench/generate/random.ts';
import { GroupRules } from '../../../../../src/htools/planners/groups/homes/leaving.ts';
import { SuperCluster } from '../../../../../src/htools/planners/groups/homes/super-cluster.ts';
import { BestMoves, type SpreadMove } from '../../../../../src/htools/planners/groups/spread/best-move.ts';
import { GroupLoads } from '../../../../../src/htools/planners/groups/spread/group-load.ts';
import { forSeeds, halved } from '../../../../builders/seeds.ts';
import { smallCluster } from '../../../../builders/small-cluster.ts';
import { randomSuperCluster } from '../../../../builders/super-cluster.ts';

const EQUAL_SHARE = 1e-9;

describe('the best move to spread load', () => {
  it('is the cheapest of those whose score is the lowest of all but for rounding, of equals the first', () => {
    const seen = { found: 0, none: 0, asked: 0 };
    forSeeds(halved(60), (seed) => {
      const random = new Random(seed, 'best move');
      const made = randomSuperCluster(seed, { groups: [2, 6], nodes: [2, 5] });
      // Equal loads, loads that are the same but for rounding, and loads that are all different; or none.
      const spread = random.pick([0, 1e-9, 1e-8, 3e-8, 1e-7, 1]);
      const idle = random.pick([undefined, undefined, 'cpu', 'disk']);
      const load = (what: string): number => (what === idle ? 0 : 1 + spread * random.real(0, 1));
      const instances = made.instances.map((instance) => {
        const utilisation = { cpu: load('cpu'), mem: load('mem'), disk: load('disk'), net: load('net') };
        return { ...instance, utilisation };
      });
      const cluster = new SuperCluster({ ...made, instances });
      const { state } = cluster;
      const loads = new GroupLoads(cluster);
      const { scoresAfter } = loads;
      loads.scoresAfter = (...args) => {
        seen.asked++;
        return scoresAfter.apply(loads, args);
      };
      const rules = new GroupRules(cluster);
      const movable = Array.from({ length: state.instanceCount }, (_, i) => i).filter(() =>
        random.chance(0.8),
      );
      const healthy = new Set(cluster.groups.filter(() => random.chance(0.9)));
      const moves = new BestMoves(cluster, loads, rules, movable, healthy);
      const refused = new Set<string>();
      const moved = new Set<number>();
      const price = (i: number): number => cluster.priceOfLeaving(i);
      const byTheBook = (before: number, isLastResort: boolean): SpreadMove | undefined => {
        const open: SpreadMove[] = [];
        for (const instance of movable) {
          const from = state.groupOf[state.primary[instance]!]!;
          if (state.isOffline[state.primary[instance]!] || moved.has(instance)) continue;
          for (const to of rules.openTo(instance)) {
            if (!healthy.has(to) || to === from || refused.has(`${instance} ${to}`)) continue;
            if (cluster.isLastResort(to) !== isLastResort) continue;
            const score = scoresAfter.call(loads, instance, from, [to])[0]!;
            if (score + EQUAL_SHARE * Math.max(1, score) < before) open.push({ instance, from, to, score });
          }
        }
        const lowest = Math.min(...open.map(({ score }) => score));
        const margin = EQUAL_SHARE * Math.max(1, lowest);
        const [best] = open
          .filter(({ score }) => score <= lowest + margin)
          .sort((a, b) => price(a.instance) - price(b.instance));
        return best;
      };
      for (let step = 0; step < 12; step++) {
        const before = random.chance(0.5) ? loads.score : Number.POSITIVE_INFINITY;
        const isLastResort = random.pick([false, false, true]);
        const found = moves.find(before, isLastResort);
        const place = found && [found.instance, found.from, found.to];
        const wanted = byTheBook(before, isLastResort);
        expect(place, `seed ${seed}`).to.deep.equal(wanted && [wanted.instance, wanted.from, wanted.to]);
        if (!found) {
          seen.none++;
          continue;
        }
        seen.found++;
        if (random.chance(0.5)) {
          moves.refuse(found);
          refused.add(`${found.instance} ${found.to}`);
        } else {
          moves.take(found);
          moved.add(found.instance);
          for (const one of refused) if (one.endsWith(` ${found.from}`)) refused.delete(one);
          const weights = Float64Array.from(loads.weightsOf(found.instance, found.from));
          loads.shift(weights, 0, found.from, found.from, found.to);
        }
      }
    });
    expect(seen.found).to.be.above(100);
    expect(seen.none).to.be.above(5);
    // Of 42 kinds of instances, all of which would be asked for their scores at each choice without bounds.
    expect(seen.asked).to.be.below(13 * (seen.found + seen.none));
  });

  it('asks on where a group has refused the first of a kind and another has taken it', () => {
    const like = { diskTemplate: 'ext' } as const;
    const snapshot = smallCluster({
      groups: [{}, {}, { allocPolicy: 'last_resort' }],
      nodes: [{}, { group: 1 }, { group: 2 }],
      instances: [like, like, like],
    });
    const cluster = new SuperCluster(snapshot);
    const moves = new BestMoves(
      cluster,
      new GroupLoads(cluster),
      new GroupRules(cluster),
      [0, 1, 2],
      new Set(cluster.groups),
    );
    const next = (isLastResort: boolean): SpreadMove => moves.find(Number.POSITIVE_INFINITY, isLastResort)!;
    moves.refuse(next(false));
    expect(next(false)).to.include({ instance: 1, to: 1 });
    const taken = next(true);
    expect(taken).to.include({ instance: 0, to: 2 });
    moves.take(taken);
    expect(next(false)).to.include({ instance: 1, to: 1 });
  });
});
