/** About one instance: where it could go and why it stays (`--why`), what a move would do (`--try`). */
import { kept } from '../../kit/kept.ts';
import { NO_NODE, type Snapshot } from '../cluster/snapshot.ts';
import {
  FAILOVER_TO_ANY,
  type Move,
  moveBetween,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../model/moves/kinds.ts';
import { groupScope } from '../model/state/scope.ts';
import { ClusterState, MIRROR_EXTERNAL, MIRROR_INTERNAL } from '../model/state/state.ts';
import { moveCommands } from '../plan/commands.ts';
import { moveCost } from '../plan/cost.ts';
import { stepOf } from '../plan/step.ts';
import type { BalanceOptions } from '../planners/balance/options.ts';
import { isCandidate } from '../planners/balance/possible-moves.ts';
import { stayReason } from '../planners/balance/steps/left-behind.ts';
import type { Hold, Option, TryExplanation, WhyExplanation } from '../results/parts/explanation.ts';
import type { Lifted } from './lifts.ts';
import { candidateFacts, Look } from './look.ts';
import { metricChanges } from './metric-changes.ts';
import { placeOf, withPlacement } from './placement.ts';

/** Refused ways for which it is worked out what would lift them. */
const MOST_LIFTS = 12;

/** A cluster about which questions are asked; one of moves that are tried leaves it changed. */
export class Questions {
  private readonly state: ClusterState;
  /** By group. */
  private readonly looks = new Map<number, Look>();

  constructor(
    snapshot: Snapshot,
    private readonly options: BalanceOptions,
  ) {
    this.state = new ClusterState(snapshot);
  }

  private lookAt(i: number): Look {
    const { state, options, looks } = this;
    const group = state.groupOf[state.primary[i]!]!;
    return kept(looks, group, () => new Look(state, groupScope(state.snapshot, group).nodes, options));
  }

  /** What keeps the instance whatever its nodes say. */
  private holdsOf(i: number): Hold[] {
    const { state, options } = this;
    const rule = stayReason(state, i, options);
    if (rule !== 'no-move') return [{ rule, lift: null }];
    if (!isCandidate(state, i, options)) {
      if (options.evacuationOnly) return [{ rule: 'on-no-offline-node', lift: null }];
      return [{ rule: 'sticky', lift: [`tag instance ${state.instanceRecord(i).name} -htools:sticky`] }];
    }
    return [];
  }

  why(i: number): WhyExplanation {
    const { state } = this;
    const { snapshot } = state;
    const look = this.lookAt(i);
    const holds = this.holdsOf(i);
    const options = this.optionsOf(i, look);
    const allowed = options.filter(({ refusals }) => refusals.length === 0);
    const verdict = () => {
      if (holds.length > 0) return 'held';
      if (allowed.length === 0) return 'nowhere';
      return allowed[0]!.gain > 0 ? 'better-elsewhere' : 'best-place';
    };
    return {
      instance: snapshot.instances[i]!.name,
      group: snapshot.groups[state.groupOf[state.primary[i]!]!]!.name,
      at: placeOf(snapshot, state.primary[i]!, state.secondary[i]!),
      score: look.scorer.score,
      holds,
      options,
      verdict: verdict(),
    };
  }

  private optionsOf(i: number, look: Look): Option[] {
    const { state } = this;
    const { snapshot } = state;
    const { scan, scorer } = look;
    const best = new Map<number, Option & { readonly made: Move }>();
    for (const move of scan.movesOf(i)) {
      const step = stepOf(state, move);
      const refusal = look.refusalOf(move);
      const option = {
        ...candidateFacts(snapshot, step, scorer.score, scan.exactScore(move)),
        refusals: refusal ? [refusal] : [],
        lift: null,
        cost: moveCost({ start: snapshot }, step),
        made: move,
      };
      const known = best.get(move.target);
      if (!known || rank(option, known) < 0) best.set(move.target, option);
    }
    let lifts = 0;
    return [...best.values()].sort(rank).map(({ made, ...option }): Option => {
      const [refusal] = option.refusals;
      if (!refusal || refusal.rule === 'n1-guard' || !(option.gain > 0) || lifts >= MOST_LIFTS) return option;
      lifts++;
      return { ...option, ...look.lifted(made, refusal) };
    });
  }

  /** What a move of movesTo would do. What is allowed is done, so that the next is about the outcome. */
  try(move: Move): TryExplanation {
    const { state } = this;
    const { snapshot } = state;
    const look = this.lookAt(move.instance);
    const { scorer } = look;
    const step = stepOf(state, move);
    const scoreBefore = scorer.score;
    const before = scorer.values;
    const after = withPlacement(state, scorer, step, () => ({ score: scorer.score, values: scorer.values }));
    const holds = this.holdsOf(move.instance);
    const refusal = look.refusalOf(move);
    const lifted: Lifted = refusal ? look.lifted(move, refusal) : { refusals: [], lift: null };
    if (!refusal) look.take(step);
    return {
      ...candidateFacts(snapshot, step, scoreBefore, after.score),
      isAllowed: refusal === undefined && holds.length === 0,
      holds,
      ...lifted,
      scoreBefore,
      metrics: metricChanges(scorer, before, after.values),
      cost: moveCost({ start: snapshot }, step),
      commands: moveCommands(snapshot, step),
    };
  }

  /** Moves that bring it to other nodes; none when it is there. @param secondary negative = as it comes */
  movesTo(i: number, primary: number, secondary: number): Move[] {
    const { state } = this;
    const p = state.primary[i]!;
    const s = state.secondary[i]!;
    const move = (kind: Move['kind'], target: number): Move => ({ instance: i, kind, target });
    if (state.mirroring[i] === MIRROR_EXTERNAL)
      return (secondary < 0 || secondary === s) && primary !== p ? [move(FAILOVER_TO_ANY, primary)] : [];
    if (state.mirroring[i] !== MIRROR_INTERNAL || s < 0) return [];
    const S = secondary >= 0 ? secondary : primary === s ? p : s;
    if (primary === S || (primary === p && S === s)) return [];
    const direct = moveBetween(p, s, primary, S, NO_NODE);
    return direct ? [move(...direct)] : [move(REPLACE_PRIMARY, primary), move(REPLACE_SECONDARY, S)];
  }
}

/** Allowed ones first, then by what they gain. */
const rank = (a: Option, b: Option): number =>
  Math.min(a.refusals.length, 1) - Math.min(b.refusals.length, 1) || b.gain - a.gain;
