/**
 * New primary and secondary for a DRBD instance: the pair with the best score of the target group, of equal
 * scores the last, as in stock, which plays four moves for every pair. Here those that depend on the primary
 * alone are tried once a primary; pairs are estimated on the state without the instance, which is what lies
 * between the last two moves; only those that the estimate cannot tell apart are played in full.
 */
import { groupedBy } from '../../../kit/grouped.ts';
import { ALLOWED } from '../../cluster/refusal.ts';
import { applyMove, takeOff } from '../../model/moves/apply.ts';
import { FAILOVER, REPLACE_SECONDARY } from '../../model/moves/kinds.ts';
import { primaryRefusal } from '../../model/rules/admission.ts';
import { lastLowest } from '../../model/score/ascending.ts';
import { Scorer } from '../../model/score/scorer.ts';
import { scoresAfter } from '../../model/score/variants.ts';
import type { ClusterState } from '../../model/state/state.ts';
import { PairEstimates } from '../allocate/choose/pair-estimates.ts';
import { PairScan } from '../allocate/choose/pair-scan.ts';
import type { EvacuationMove, Found, NodePair, PairStep, RefusedStep } from './outcome.ts';

/** Where its disks are on the way to a new pair: an offline primary is left first, if that can be. */
export function parkedOn({ primary, secondary, isOffline, isReachable }: ClusterState, i: number): number {
  const [p, s] = [primary[i]!, secondary[i]!];
  return isOffline[p] === 1 && isReachable[s] === 1 ? s : p;
}

export function movesTo(state: ClusterState, i: number, { primary, secondary }: NodePair): EvacuationMove[] {
  const failOver = { kind: FAILOVER, target: -1 } as const;
  return [
    ...(parkedOn(state, i) === state.primary[i] ? [] : [failOver]),
    { kind: REPLACE_SECONDARY, target: primary },
    failOver,
    { kind: REPLACE_SECONDARY, target: secondary },
  ];
}

const LAST_STEPS: readonly PairStep[] = ['reach-new-primary', 'become-primary', 'reach-new-secondary'];

export class PairRelocation {
  /** @param groupNodes nodes of the target group, whose score decides */
  constructor(
    private readonly state: ClusterState,
    private readonly groupNodes: readonly number[],
    private readonly ignoreSoftErrors: boolean,
  ) {}

  /** The moves to the best pair among the targets, or why there is none. The state is as before. */
  find(i: number, targets: readonly number[]): Found {
    const closest = this.closest(i, targets);
    if (closest.length === 0) return { kind: 'no-pair', last: this.lastRefusal(i, targets) };
    return movesTo(this.state, i, closest.length === 1 ? closest[0]! : this.exactlyBest(i, closest));
  }

  /** The pairs that the rules allow and that may be the best, as far as estimates tell. */
  private closest(i: number, targets: readonly number[]): readonly NodePair[] {
    const { state, ignoreSoftErrors } = this;
    const reachable = targets.filter((t) => this.reach(i, t) === undefined);
    const ignoresForSecondary = state.isOffline[parkedOn(state, i)] === 1 || ignoreSoftErrors;
    return state.journal.tentatively(() => {
      takeOff(state, i);
      const primaries = reachable.filter((p) => primaryRefusal(state, i, p, true) === ALLOWED);
      const scorer = new Scorer(state, this.groupNodes);
      const scan = new PairScan(scorer);
      scan.prepare(i, primaries, targets);
      const estimates = new PairEstimates(state);
      estimates.prepare(scan, i, targets, ignoresForSecondary);
      // Each of the two updates of a candidate may err, and so may the lowest estimate.
      const doubt = scorer.isUndefined
        ? Number.POSITIVE_INFINITY
        : 4 * scorer.tolerance([scan.asPrimary, scan.asSecondary], targets);
      return nearest(estimates, primaries, targets, doubt);
    });
  }

  /** Plays the moves that make a node primary; undefined when allowed. The state is as before. */
  reach(i: number, target: number): RefusedStep | undefined {
    return this.play(i, { primary: target, secondary: -1 }, 2);
  }

  /** Plays the first so many of the moves behind the leaving of an offline primary, and takes them back. */
  private play(i: number, pair: NodePair, steps: number): RefusedStep | undefined {
    const { state } = this;
    const moves = movesTo(state, i, pair);
    const leaving = moves.length - LAST_STEPS.length;
    return state.journal.tentatively(() => {
      for (const [k, { kind, target }] of moves.slice(0, leaving + steps).entries()) {
        const code = applyMove(state, i, kind, target, this.ignoreSoftErrors);
        if (code !== ALLOWED) return { step: LAST_STEPS[k - leaving] ?? 'leave-offline-primary', code };
      }
      return undefined;
    });
  }

  /**
   * Pairs of equal nodes, too, differ in the last bits: stock adds all nodes up in their order. Those of a
   * primary have all moves but the last in common.
   */
  private exactlyBest(i: number, pairs: readonly NodePair[]): NodePair {
    const { state } = this;
    const scorer = new Scorer(state, this.groupNodes);
    const isAllowed = ({ kind, target }: EvacuationMove): boolean =>
      applyMove(state, i, kind, target, this.ignoreSoftErrors) === ALLOWED;
    const left = [state.primary[i]!, state.secondary[i]!];
    const scores = [...groupedBy(pairs, ({ primary }) => primary)].flatMap(([primary, ones]) => {
      const touched = [...left, primary];
      const found = state.journal.tentatively(() => {
        // They are allowed: the primary is one that `reach` has played them for.
        for (const move of movesTo(state, i, ones[0]!).slice(0, -1)) isAllowed(move);
        return scoresAfter(scorer, ones, ({ secondary }) => ({
          touched: [...touched, secondary],
          make: () => isAllowed({ kind: REPLACE_SECONDARY, target: secondary }),
        }));
      });
      scorer.refresh(touched);
      return found;
    });
    return pairs[lastLowest(scores)]!;
  }

  /** What the last of all pairs fails at: the one reason that stock keeps. */
  private lastRefusal(i: number, targets: readonly number[]): RefusedStep | undefined {
    const [secondary, primary] = targets.slice(-2);
    return primary === undefined
      ? undefined
      : this.play(i, { primary, secondary: secondary! }, LAST_STEPS.length);
  }
}

/** The pairs whose estimates are within `doubt` of the lowest, or no numbers. */
function nearest(
  estimates: PairEstimates,
  primaries: readonly number[],
  secondaries: readonly number[],
  doubt: number,
): readonly NodePair[] {
  const pairs: (NodePair & { readonly estimate: number })[] = [];
  let lowest = Number.POSITIVE_INFINITY;
  for (const primary of primaries) {
    estimates.run(primary, secondaries);
    lowest = Math.min(lowest, estimates.lowest);
    for (let k = 0; k < estimates.count; k++) {
      const estimate = estimates.scores[k]!;
      if (!(estimate > lowest + doubt))
        pairs.push({ primary, secondary: estimates.secondaries[k]!, estimate });
    }
  }
  return pairs.filter(({ estimate }) => !(estimate > lowest + doubt));
}
