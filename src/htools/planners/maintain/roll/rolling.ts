/**
 * A whole rolling maintenance: round by round, who leaves the nodes, what the rest of the cluster can bear
 * while they are down, and who comes back. The rounds are those of the colouring, parted further where the
 * nodes of one cannot be emptied together.
 */
import { InternalError } from '../../../../kit/faults.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import { inJobSets } from '../../../plan/jobs.ts';
import type { PlanStep } from '../../../plan/plan.ts';
import { type RebootOptions, rebootRounds } from '../reboot/reboot-rounds.ts';
import { bearing, type Verdict } from './bearing.ts';
import { Leaving, type Passage, runs, type Stuck } from './leaving.ts';

export interface RollingRound {
  /** Positions of the nodes that are rebooted together. */
  readonly nodes: readonly number[];
  readonly leave: Passage;
  readonly goDown: readonly number[];
  readonly verdict: Verdict;
  /** undefined when the instances have no room where they came from, and stay where they are. */
  readonly comeBack: Passage | undefined;
}

export interface RollingPlan {
  readonly before: Verdict;
  readonly rounds: readonly RollingRound[];
}

interface Lot extends Passage {
  readonly nodes: readonly number[];
}

/**
 * Plans the maintenance of the wanted nodes. The state is as the last round leaves it.
 * @param wanted positions of online nodes, ascending; at least one
 * @returns the node and the instance that no round can be found for, when there is one
 */
export function rollingPlan(
  state: ClusterState,
  wanted: readonly number[],
  options: RebootOptions,
): RollingPlan | Stuck {
  const { journal, snapshot, primaries } = state;
  const leaving = new Leaving(state, options);
  const verdictOn = bearing(state);
  const before = verdictOn([]);

  /** Empties as many of the nodes as can be, one after the other; none of them takes anything. */
  const clearTogether = (nodes: readonly number[]): Lot => {
    const closed = new Set(nodes);
    const cleared: number[] = [];
    const steps: PlanStep[] = [];
    for (const node of nodes) {
      const own = leaving.clear(node, closed, false);
      if ('why' in own) continue;
      cleared.push(node);
      steps.push(...own);
    }
    return { nodes: cleared, steps, isForced: false };
  };
  /**
   * The largest lot that is found among the first of the nodes, half of them, a quarter and so on: nodes that
   * wait for a later lot can take the instances of this one. Empty without one; the state is as it leaves it.
   */
  const largestLot = (nodes: readonly number[]): Lot => {
    const mark = journal.mark();
    let most = 0;
    let bestCount = 0;
    for (let count = nodes.length; count > most; count = Math.floor(count / 2)) {
      const lot = clearTogether(nodes.slice(0, count));
      // Of fewer nodes there is no larger lot.
      if (lot.nodes.length === count) return lot;
      journal.rollback(mark);
      if (lot.nodes.length > most) [most, bestCount] = [lot.nodes.length, count];
    }
    return clearTogether(nodes.slice(0, bestCount));
  };
  /** Empties a node that is in no lot, against the rules that only warn. */
  const clearAlone = (node: number): Lot | Stuck => {
    const steps = leaving.clear(node, new Set([node]), true);
    return 'why' in steps ? steps : { nodes: [node], steps, isForced: true };
  };
  const downOn = (node: number): readonly number[] =>
    primaries[node]!.filter((i) => runs(state, i)).sort((a, b) => a - b);
  /** Nodes are emptied one after the other; what shares none of them may go at the same time. */
  const passage = ({ steps, isForced }: Passage): Passage => ({
    steps: inJobSets(snapshot, steps, steps.length),
    isForced,
  });
  /** The next lot of these nodes; the state is as the round leaves it. */
  const nextRound = (nodes: readonly number[]): RollingRound | Stuck => {
    const together = largestLot(nodes);
    const lot = together.nodes.length > 0 ? together : clearAlone(nodes[0]!);
    if ('why' in lot) return lot;
    const goDown = lot.nodes.flatMap(downOn);
    const verdict = verdictOn(lot.nodes);
    const back = leaving.comeBack(lot.steps);
    journal.commit();
    return { nodes: lot.nodes, leave: passage(lot), goDown, verdict, comeBack: back && passage(back) };
  };

  // Whom the nodes' instances go to is found here, by stricter rules.
  const found = rebootRounds(state, wanted, { ...options, ignoreNonRedundant: true, fullEvacuation: false });
  if ('failure' in found) throw new InternalError(`rounds without moves failed: ${found.failure}`);
  const rounds: RollingRound[] = [];
  for (const { nodes } of found.rounds)
    for (let left = nodes; left.length > 0; ) {
      const round = nextRound(left);
      if ('why' in round) return round;
      rounds.push(round);
      const done = new Set(round.nodes);
      left = left.filter((node) => !done.has(node));
    }
  return { before, rounds };
}
