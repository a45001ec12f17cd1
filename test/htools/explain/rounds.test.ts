import { expect } from 'chai';
import type { Instance, Snapshot } from '../../../src/htools/cluster/snapshot.ts';
import { roundQuestions } from '../../../src/htools/explain/rounds.ts';
import { ClusterState } from '../../../src/htools/model/state/state.ts';
import { rebootRounds } from '../../../src/htools/planners/maintain/reboot/reboot-rounds.ts';
import { randomCluster } from '../../builders/random-cluster.ts';
import { forSeeds } from '../../builders/seeds.ts';

const OPTIONS = { offlineMaintenance: false, ignoreNonRedundant: true, fullEvacuation: false, fewest: false };

/**
 * Whether two nodes may be down together, from the records alone. Reserved instances have mirrors, but nobody
 * takes them over; whoever names a secondary counts as taken over by it, as in stock.
 */
function mayShare({ instances }: Snapshot, a: number, b: number, isOffline: boolean): boolean {
  const named = instances.filter(({ secondary }) => secondary >= 0);
  const both = [a, b];
  const isOnBoth = ({ diskTemplate, primary, secondary }: Instance): boolean =>
    diskTemplate === 'drbd' && both.includes(primary) && both.includes(secondary);
  if (named.some(isOnBoth)) return false;
  const takersOf = (n: number): number[] =>
    named.filter((one) => !one.isForthcoming && one.primary === n).map(({ secondary }) => secondary);
  return isOffline || !takersOf(a).some((s) => takersOf(b).includes(s));
}

/** The rounds of a cluster, and questions about them; undefined where there are none. */
function roundsOf(seed: number, more: Partial<typeof OPTIONS>) {
  const snapshot = randomCluster(seed);
  const state = new ClusterState(snapshot);
  const online = [...snapshot.nodes.keys()].filter((n) => !snapshot.nodes[n]!.isOffline);
  const options = { ...OPTIONS, ...more };
  const found = online.length > 0 ? rebootRounds(state, online, options) : undefined;
  if (!found || !('rounds' in found)) return undefined;
  const rounds = found.rounds.map(({ nodes }) => nodes);
  return { snapshot, online, rounds, questions: roundQuestions(state, rounds, options) };
}

describe('explained rounds', () => {
  it('--try and --explain say no exactly where two nodes of a round may not be down together', () => {
    const seen = { allowed: 0, refused: 0, earlier: 0 };
    forSeeds(
      40,
      (seed) => {
        const offlineMaintenance = seed % 3 === 0;
        const found = roundsOf(seed, { offlineMaintenance });
        if (!found) return;
        const { snapshot, online, rounds, questions } = found;
        const isOpen = (n: number, round: number): boolean =>
          (rounds[round - 1] ?? []).every((m) => m === n || mayShare(snapshot, n, m, offlineMaintenance));
        for (const n of online)
          for (let round = 1; round <= rounds.length + 1; round++) {
            const { isAllowed, at } = questions.try(n, round);
            expect(isAllowed, `node ${n} in round ${round}`).to.equal(isOpen(n, round));
            if (at === round) expect(isAllowed).to.equal(true);
            seen[isAllowed ? 'allowed' : 'refused']++;
          }
        for (const { node, round, earlier } of questions.explain()) {
          const n = snapshot.nodes.findIndex(({ name }) => name === node);
          expect(earlier.map((one) => one.round)).to.deep.equal(
            Array.from({ length: round - 1 }, (_, k) => k + 1),
          );
          for (const { round: before, conflicts } of earlier) {
            expect(conflicts.length === 0).to.equal(isOpen(n, before));
            seen.earlier++;
          }
        }
      },
      [202565438],
    );
    expect(seen.allowed).to.be.above(50);
    expect(seen.refused).to.be.above(50);
    expect(seen.earlier).to.be.above(50);
  });

  it('each round has room for itself, and some have none for another node', () => {
    const seen = { rounds: 0, full: 0 };
    forSeeds(
      40,
      (seed) => {
        const found = roundsOf(seed, { ignoreNonRedundant: false });
        if (!found) return;
        const { online, rounds, questions } = found;
        for (const [at, nodes] of rounds.entries()) {
          // As in the stock program, a round can be of nodes alone that nobody wants to reboot.
          if (nodes.length === 0) continue;
          seen.rounds++;
          for (const n of online) {
            const { conflicts, hasRoom, isAllowed } = questions.try(n, at + 1);
            if (nodes.includes(n)) expect(isAllowed).to.equal(true);
            if (conflicts.length === 0 && !hasRoom) seen.full++;
            expect(isAllowed).to.equal(conflicts.length === 0 && hasRoom);
          }
        }
      },
      [370184179, 696246640],
    );
    expect(seen.rounds).to.be.above(30);
    expect(seen.full).to.be.above(5);
  });
});
