/**
 * The best of several targets for one instance, exactly as stock chooses: all are estimated, and the few that
 * the estimate cannot tell apart scored exactly. Of equal scores the last wins.
 */
import { ALLOWED, FAIL_INTERNAL, type FailCode } from '../../../cluster/refusal.ts';
import { applyMove, placeInstance } from '../../moves/apply.ts';
import { crowdingWith, rowWithPrimary, rowWithSecondary } from '../../moves/arrival-rows.ts';
import { FAILOVER_TO_ANY, REPLACE_SECONDARY } from '../../moves/kinds.ts';
import { addPrimary, removePrimary, removeSecondary } from '../../moves/transitions.ts';
import {
  migrationRefusal,
  primaryRefusal,
  primaryRoomRefusal,
  secondaryRefusal,
} from '../../rules/admission.ts';
import { policyRefusalOn } from '../../rules/policy.ts';
import { ascendingPlaces, lastLowest } from '../../score/ascending.ts';
import { LOCATION_SCORE, METRIC_COUNT } from '../../score/metrics.ts';
import { nodeRows, Scorer } from '../../score/scorer.ts';
import { Statistics } from '../../score/statistics.ts';
import { scoresAfter } from '../../score/variants.ts';
import { type ClusterState, IS_FORTHCOMING } from '../../state/state.ts';

/** An instance that is not there yet, or a copy of one that is, comes to the target as primary. */
export const PLACE = -1;
export type TargetKind = typeof PLACE | typeof FAILOVER_TO_ANY | typeof REPLACE_SECONDARY;

/** What a chooser writes by node. Those of parts without a common node may share it. */
export interface ChooserRows {
  readonly now: Float64Array;
  readonly trial: Float64Array;
}

export const chooserRows = (state: ClusterState): ChooserRows => ({
  now: nodeRows(state),
  trial: nodeRows(state),
});

export class TargetChooser {
  readonly state: ClusterState;
  readonly scorer: Scorer;
  /** Why each target was refused in the last choice; ALLOWED where it was not. */
  readonly refusals: FailCode[] = [];
  /** Contributions of the last choice's targets with the instance. */
  readonly rows: Float64Array;
  /** The targets that the last choice was from, and how far the rounding aside it led. */
  readonly allowed: number[] = [];
  lead = 0;
  private readonly oldRow = new Float64Array(METRIC_COUNT);
  private readonly departed: Statistics;
  private readonly estimates: number[] = [];
  private readonly stale = new Set<number>();

  /** @param nodes the nodes whose score decides */
  constructor(state: ClusterState, nodes: readonly number[], rows = chooserRows(state)) {
    this.state = state;
    this.scorer = new Scorer(state, nodes, rows.now);
    this.departed = new Statistics(state);
    this.rows = rows.trial;
  }

  /** Takes over what changed on these nodes. */
  refresh(nodes: readonly number[]): void {
    this.scorer.refresh(nodes);
  }

  /** Remembers that a node changed, for `catchUp`. */
  touch(node: number): void {
    this.stale.add(node);
  }

  catchUp(): void {
    if (this.stale.size === 0) return;
    this.refresh([...this.stale]);
    this.stale.clear();
  }

  /** The best target that the rules allow; undefined when there is none. The state is as before. */
  choose(
    i: number,
    kind: TargetKind,
    targets: readonly number[],
    ignoreSoftErrors: boolean,
  ): number | undefined {
    this.findAllowed(i, kind, targets, ignoreSoftErrors);
    const { allowed } = this;
    this.lead = Number.POSITIVE_INFINITY;
    if (allowed.length <= 1) return allowed[0];
    this.lead = Number.NEGATIVE_INFINITY;
    if (this.scorer.isUndefined) return this.chooseExactly(i, kind, allowed, ignoreSoftErrors);
    this.estimate(i, kind);
    let lowest = Number.POSITIVE_INFINITY;
    let next = lowest;
    for (const estimate of this.estimates) {
      if (estimate < next) next = estimate;
      if (next < lowest) [lowest, next] = [next, lowest];
    }
    const doubt = 2 * this.scorer.tolerance([this.rows], allowed);
    // What has no estimate is compared exactly, too.
    const closest = allowed.filter((_, k) => !(this.estimates[k]! > lowest + doubt));
    if (closest.length === 1) {
      this.lead = next - lowest - 2 * doubt;
      return closest[0];
    }
    return this.chooseExactly(i, kind, closest, ignoreSoftErrors);
  }

  /** Whether a target is allowed, soft rules aside. */
  hasChoice(i: number, kind: TargetKind, targets: readonly number[]): boolean {
    return targets.some((t) => this.refusalOf(i, kind, t, true) === ALLOWED);
  }

  private findAllowed(
    i: number,
    kind: TargetKind,
    targets: readonly number[],
    ignoreSoftErrors: boolean,
  ): void {
    this.allowed.length = 0;
    this.refusals.length = 0;
    for (const t of targets) {
      const refusal = this.refusalOf(i, kind, t, ignoreSoftErrors);
      this.refusals.push(refusal);
      if (refusal === ALLOWED) this.allowed.push(t);
    }
  }

  private refusalOf(i: number, kind: TargetKind, t: number, ignoreSoftErrors: boolean): FailCode {
    const { state } = this;
    const p = state.primary[i]!;
    const s = state.secondary[i]!;
    if (kind === PLACE) return policyRefusalOn(state, i, t) || primaryRefusal(state, i, t, ignoreSoftErrors);
    if (kind === FAILOVER_TO_ANY)
      return (
        migrationRefusal(state, p, t) ||
        primaryRefusal(state, i, t, state.isOffline[p] === 1 || ignoreSoftErrors)
      );
    if (t === p || t === s) return FAIL_INTERNAL;
    return (
      secondaryRefusal(state, i, t, p, false, state.isOffline[s] === 1 || ignoreSoftErrors) ||
      this.returnRefusal(i)
    );
  }

  /**
   * Whether the primary can take its instance back, which changes its reservation's place: as stock asks,
   * without the soft rules. The instance is there, so access to its pool is not asked for.
   */
  private returnRefusal(i: number): FailCode {
    const { state } = this;
    const mark = state.journal.mark();
    removePrimary(state, i, state.primary[i]!, state.locationScore[i]!);
    const refusal = primaryRoomRefusal(state, i, state.primary[i]!, true);
    state.journal.rollback(mark);
    return refusal;
  }

  private estimate(i: number, kind: TargetKind): void {
    const { state, scorer, departed, rows, allowed, estimates } = this;
    const mark = state.journal.mark();
    this.depart(i, kind);
    const location = kind === FAILOVER_TO_ANY ? state.locationScore[i]! : 0;
    const p = state.primary[i]!;
    // Where an instance is only reserved, its locations do not count yet.
    const isReal = (state.flags[i]! & IS_FORTHCOMING) === 0;
    const reach = isReal && kind === REPLACE_SECONDARY && scorer.isScored[p] === 1 && !state.isOffline[p];
    const perLocation = state.weights[LOCATION_SCORE]!;
    const fixed = scorer.crowding();
    const crowding = kind === REPLACE_SECONDARY ? () => fixed : crowdingWith(scorer, i);
    estimates.length = 0;
    for (const t of allowed) {
      const at = t * METRIC_COUNT;
      if (kind === REPLACE_SECONDARY) rowWithSecondary(state, i, t, p, rows, at);
      else rowWithPrimary(state, i, t, location, rows, at);
      scorer.leaveOut(t, rows, at);
      const estimate = scorer.isScored[t]
        ? departed.scoreWith(state.isOffline[t] === 0, scorer.rows, rows, at, crowding(t))
        : departed.score(crowding(t));
      estimates.push(reach ? estimate + perLocation * state.commonLocations(p, t) : estimate);
    }
    state.journal.rollback(mark);
  }

  /** Takes the instance off the nodes that it leaves, and their new contributions into `departed`. */
  private depart(i: number, kind: TargetKind): void {
    const { state, scorer, departed } = this;
    const p = state.primary[i]!;
    const s = state.secondary[i]!;
    departed.copyFrom(scorer.now);
    if (kind === PLACE) return;
    removePrimary(state, i, p, state.locationScore[i]!);
    if (kind === REPLACE_SECONDARY) {
      removeSecondary(state, i, s, p);
      addPrimary(state, i, p, 0);
      this.replaceRow(s);
    }
    this.replaceRow(p);
  }

  private replaceRow(node: number): void {
    const { state, scorer, departed, oldRow } = this;
    if (!scorer.isScored[node]) return;
    scorer.contributionsOf(node, oldRow, 0);
    departed.replace(!state.isOffline[node], scorer.rows, node * METRIC_COUNT, oldRow, 0);
  }

  private chooseExactly(
    i: number,
    kind: TargetKind,
    targets: readonly number[],
    ignoreSoftErrors: boolean,
  ): number | undefined {
    const scores = exactScores(this.scorer, i, kind, targets, ignoreSoftErrors);
    return targets[kind === PLACE ? ascendingPlaces(scores)[0]! : lastLowest(scores)];
  }
}

/** Exact scores of carrying it out, target by target, all of them allowed. @param scorer up to date */
export function exactScores(
  scorer: Scorer,
  i: number,
  kind: TargetKind,
  targets: readonly number[],
  ignoreSoftErrors: boolean,
): number[] {
  const { state } = scorer;
  const from = kind === PLACE ? [] : [state.primary[i]!, state.secondary[i]!].filter((n) => n >= 0);
  const carryOut = (t: number): FailCode =>
    kind === PLACE
      ? placeInstance(state, i, t, -1, ignoreSoftErrors)
      : applyMove(state, i, kind, t, ignoreSoftErrors);
  return scoresAfter(scorer, targets, (t) => ({
    touched: [...from, t],
    make: () => carryOut(t) === ALLOWED,
  }));
}
