import { expect } from 'chai';
import { Random } from '../../../../../bench/generate/random.ts';
import { PLAIN_SHAPE } from '../../../../../bench/generate/shape.ts';
import { putInstance } from '../../../../../src/htools/model/moves/apply.ts';
import { PLACE, TargetChooser } from '../../../../../src/htools/model/redundancy/drbd/best-target.ts';
import { SteadyChoices } from '../../../../../src/htools/model/redundancy/drbd/steady-choices.ts';
import { ClusterState } from '../../../../../src/htools/model/state/state.ts';
import { clusterOfShape } from '../../../../builders/random-cluster.ts';
import { forSeeds, halved } from '../../../../builders/seeds.ts';
import { instanceFrom, times } from '../../../../builders/small-cluster.ts';

/** Leads are less by what may be rounded, which is most where values are next to equal. */
const ROUNDING = 4e-6;

/** Choices among the nodes of one group, while instances come to those of another. */
function choicesOn(seed: number, random: Random) {
  const snapshot = clusterOfShape({
    ...PLAIN_SHAPE,
    seed,
    groupCount: 2,
    nodesPerGroup: random.between(4, 12),
    instancesPerNode: 2,
    memoryFill: 0.4,
    templates: { plain: 1 },
    offlineNodes: random.between(0, 2),
  });
  const state = new ClusterState(snapshot);
  const nodes = [...snapshot.nodes.keys()];
  const chooser = new TargetChooser(state, nodes);
  const steady = new SteadyChoices(chooser);
  const [own, others] = [0, 1].map((group) => nodes.filter((n) => state.groupOf[n] === group));
  const added = times(12, (k) => {
    const memMib = random.pick([64, 256, 1024]);
    const diskMib = random.pick([1024, 16_384, 65_536]);
    const sizes = { memMib, diskMib, vcpus: random.pick([1, 2, 4]) };
    const record = instanceFrom({ ...sizes, diskTemplate: 'plain', primary: -1 }, 0);
    return state.addInstance({ ...record, name: `new-${k}`, index: state.instanceCount });
  });
  const choose = (i: number, targets = own!): number | undefined => chooser.choose(i, PLACE, targets, true);
  /** What the work comes to with an instance more. */
  const during = <T>(i: number, node: number, work: () => T): T => {
    const mark = state.journal.mark();
    putInstance(state, i, node, -1);
    chooser.refresh([node]);
    steady.try([node]);
    const result = work();
    state.journal.rollback(mark);
    chooser.refresh([node]);
    steady.try([]);
    return result;
  };
  const place = (i: number, node: number): void => {
    putInstance(state, i, node, -1);
    chooser.refresh([node]);
    steady.refresh([node]);
  };
  const [wanted, comers] = [added.slice(0, 4), added.slice(4)];
  return { steady, chooser, own: own!, others: others!, wanted, comers, choose, during, place };
}

describe('choices by the score of all nodes', () => {
  it('are the same for as long as they are said to hold, while other groups change', () => {
    const seen = { held: 0, changed: 0 };
    forSeeds(halved(200), (seed) => {
      const random = new Random(seed, 'steady');
      const { steady, own, others, wanted, comers, choose, during, place } = choicesOn(seed, random);
      const expectKept = (isKept: boolean, now: number | undefined, then: number | undefined): void => {
        if (isKept) expect(now, `seed ${seed}`).to.equal(then);
        if (isKept) seen.held++;
        else if (now !== then) seen.changed++;
      };
      const mate = random.pick(own);
      const kept = wanted.map((i, k) => {
        // Known from the state itself, or from a trial in the other group.
        const know = (): number | undefined => {
          const found = choose(i);
          steady.keep(own[k]!, steady.note(i, false));
          return found;
        };
        const home = random.chance(0.5) ? know() : during(comers[0]!, random.pick(others), know);
        const [beside, until] = during(comers[1]!, mate, () => {
          const found = choose(i);
          return [found, steady.moved + steady.note(i, true)];
        });
        return { i, node: own[k]!, home, beside, until };
      });
      for (const comer of comers.slice(2)) {
        const other = random.pick(others);
        const expectHomes = (): void => {
          for (const { i, node, home } of kept) expectKept(steady.hold(node), choose(i), home);
        };
        during(comer, other, expectHomes);
        place(comer, other);
        expectHomes();
        during(comers[1]!, mate, () => {
          for (const { i, beside, until } of kept) expectKept(until > steady.moved, choose(i), beside);
        });
      }
    });
    expect(seen.held, 'choices that hold').to.be.above(halved(100));
    expect(seen.changed, 'choices that change').to.be.above(halved(100));
  });

  it('come no nearer to others than is said', () => {
    let most = 0;
    forSeeds(halved(200), (seed) => {
      const random = new Random(seed, 'nearer');
      const { steady, chooser, own, others, wanted, comers, choose, place } = choicesOn(seed, random);
      for (const i of wanted) {
        const pair = own.toSorted(() => random.real(-1, 1)).slice(0, 2);
        const home = choose(i, pair);
        const { lead } = chooser;
        const far = steady.note(i, false);
        if (!Number.isFinite(far) || lead <= 0) continue;
        const { moved } = steady;
        place(comers[i - wanted[0]!]!, random.pick(others));
        const homeNow = choose(i, pair);
        if (!Number.isFinite(chooser.lead)) continue;
        const leadNow = homeNow === home ? chooser.lead : -chooser.lead;
        // The score of such a choice moves by its share of what is said for all.
        const said = (steady.moved - moved) * (lead / far);
        if (!Number.isFinite(said)) break;
        expect(lead - leadNow, `seed ${seed}`).to.be.below(said + ROUNDING);
        most = Math.max(most, (lead - leadNow) / said);
      }
    });
    expect(most, 'of what is said').to.be.above(0.5);
  });

  it('are not said to hold where their own group changes', () => {
    const { steady, own, wanted, comers, choose, place } = choicesOn(1, new Random(1, 'steady'));
    choose(wanted[0]!);
    steady.keep(own[0]!, steady.note(wanted[0]!, false));
    expect(steady.hold(own[0]!)).to.equal(true);
    place(comers[0]!, own[1]!);
    expect(steady.hold(own[0]!)).to.equal(false);
  });
});
