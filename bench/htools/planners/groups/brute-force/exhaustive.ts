/**
 * What is possible between groups, found by trying everything: every order of instances, every home, every
 * way there in moves as hbal has them. None of the planners' code; whether a sequence holds is for the
 * checker to say.
 *
 * What is asked of a home is what docs/why/groups.md says: group rules, and the rules of nodes with
 * nothing forced.
 */
import { ALLOWED } from '../../../../../src/htools/cluster/refusal.ts';
import { NO_NODE, type Snapshot } from '../../../../../src/htools/cluster/snapshot.ts';
import { mirroringOf } from '../../../../../src/htools/cluster/templates.ts';
import { applyMove } from '../../../../../src/htools/model/moves/apply.ts';
import { type MoveKind, placementAfter } from '../../../../../src/htools/model/moves/kinds.ts';
import { primaryRefusal, secondaryRefusal } from '../../../../../src/htools/model/rules/admission.ts';
import { ClusterState, HAS_SECONDARY } from '../../../../../src/htools/model/state/state.ts';
import { checkPlan } from '../../../../../src/htools/plan/checker/check.ts';
import { arrivalRules } from '../../../../../src/htools/plan/checker/group-rules.ts';
import type { PlanStep } from '../../../../../src/htools/plan/plan.ts';

/** What an instance is moved for, and what has to hold in the end. */
export interface Question {
  readonly snapshot: Snapshot;
  /** All of them have to move, the first ones of each order first... */
  readonly must: readonly number[];
  /** ...and of these some may, up to `most` instances in all. */
  readonly may: readonly number[];
  readonly most: number;
  /** Groups that an instance may go to besides its own. */
  readonly targets: readonly number[];
  /** Whether an instance may stay in its group, on other nodes. */
  readonly staysInGroup: boolean;
  readonly emptiedNodes: readonly number[];
  readonly healthyGroups: readonly number[];
  /** Less than this must be copied, in MiB; by default any amount may be. */
  readonly lessThanMib?: number | undefined;
}

export type Finding = 'yes' | 'no' | 'too-many';

interface Place {
  readonly primary: number;
  readonly secondary: number;
}

const KINDS: readonly MoveKind[] = [0, 1, 2, 3, 4, 5];

class Exhaustive {
  private readonly question: Question;
  private readonly state: ClusterState;
  private readonly steps: PlanStep[] = [];
  private readonly moved = new Set<number>();
  private copiedMib = 0;
  private budget: number;

  constructor(question: Question, budget: number) {
    this.question = question;
    this.state = new ClusterState(question.snapshot);
    this.budget = budget;
  }

  answer(): Finding {
    if (this.holds()) return 'yes';
    return this.solve();
  }

  private holds(): boolean {
    const { snapshot, must, emptiedNodes, healthyGroups } = this.question;
    if (must.some((i) => !this.moved.has(i))) return false;
    const plan = {
      start: snapshot,
      nodes: [],
      limits: {
        ignoreSoftErrors: false,
        diskMoves: true,
        instanceMoves: true,
        restrictedMigration: false,
        evacuationOnly: false,
        betweenGroups: true,
        emptiedNodes,
        healthyGroups,
      },
      initialScore: 0,
      finalScore: 0,
      steps: this.steps,
    };
    return checkPlan(plan).length === 0;
  }

  private solve(): Finding {
    const { must, may, most } = this.question;
    const left = must.filter((i) => !this.moved.has(i));
    const room = most - this.moved.size;
    if (left.length > room || room === 0) return 'no';
    const open = left.length === room ? left : [...left, ...may.filter((i) => !this.moved.has(i))];
    for (const i of open) {
      for (const place of this.placesFor(i)) {
        if (this.budget-- <= 0) return 'too-many';
        const price = this.priceOf(i, place);
        if (this.copiedMib + price >= (this.question.lessThanMib ?? Number.POSITIVE_INFINITY)) continue;
        const mark = this.state.journal.mark();
        const count = this.steps.length;
        if (!this.goTo(i, place)) continue;
        this.moved.add(i);
        this.copiedMib += price;
        const found = this.holds() ? 'yes' : this.solve();
        this.copiedMib -= price;
        this.moved.delete(i);
        this.steps.length = count;
        this.state.journal.rollback(mark);
        if (found !== 'no') return found;
      }
    }
    return 'no';
  }

  /** MiB that going there copies: one copy for each new node of a mirrored instance. */
  private priceOf(i: number, { primary, secondary }: Place): number {
    const { state } = this;
    if (!(state.flags[i]! & HAS_SECONDARY)) return 0;
    const fresh = [primary, secondary].filter((n) => n !== state.primary[i] && n !== state.secondary[i]);
    return fresh.length * this.question.snapshot.instances[i]!.diskMib;
  }

  /** Every place in the groups that are open to the instance. */
  private placesFor(i: number): Place[] {
    const { snapshot, targets, staysInGroup } = this.question;
    const instance = snapshot.instances[i]!;
    if (instance.isForthcoming || mirroringOf(instance.diskTemplate) === 'none') return [];
    const own = snapshot.nodes[instance.primary]!.group;
    const isPair = (this.state.flags[i]! & HAS_SECONDARY) !== 0;
    const groups = [...(staysInGroup ? [own] : []), ...targets.filter((group) => group !== own)];
    return groups.flatMap((group) => {
      const nodes = snapshot.nodes.flatMap((node, n) => (node.group === group && !node.isOffline ? [n] : []));
      if (group !== own && arrivalRules(snapshot.groups[group]!, instance).length > 0) return [];
      return nodes.flatMap((primary) =>
        (isPair ? nodes.filter((n) => n !== primary) : [NO_NODE])
          .map((secondary) => ({ primary, secondary }))
          .filter(({ secondary }) => this.isOpen(i, group === own, primary, secondary)),
      );
    });
  }

  private isOpen(i: number, isOwn: boolean, primary: number, secondary: number): boolean {
    const { state } = this;
    const [p, s] = [state.primary[i]!, state.secondary[i]!];
    if (primary === p && secondary === s) return false;
    if (isOwn) return true;
    const asSecondary =
      secondary === NO_NODE || secondaryRefusal(state, i, secondary, primary, false, false) === ALLOWED;
    return asSecondary && primaryRefusal(state, i, primary, false) === ALLOWED;
  }

  /** Takes the instance there in one or two moves, if any such moves lead there. */
  private goTo(i: number, place: Place): boolean {
    const { state } = this;
    const mark = state.journal.mark();
    const count = this.steps.length;
    const nodes = [place.primary, place.secondary].filter((n) => n !== NO_NODE);
    const isThere = (): boolean =>
      state.primary[i] === place.primary && state.secondary[i] === place.secondary;
    const back = (at: number, steps: number): void => {
      state.journal.rollback(at);
      this.steps.length = steps;
    };
    for (const kind of KINDS) {
      for (const target of [NO_NODE, ...nodes]) {
        if (!this.take(i, kind, target)) continue;
        if (isThere()) return true;
        const middle = state.journal.mark();
        const steps = this.steps.length;
        for (const second of KINDS) {
          for (const next of [NO_NODE, ...nodes]) {
            if (!this.take(i, second, next)) continue;
            if (isThere()) return true;
            back(middle, steps);
          }
        }
        back(mark, count);
      }
    }
    return false;
  }

  /** One move, if Ganeti would take it and the rules allow it. */
  private take(i: number, kind: MoveKind, target: number): boolean {
    const { state } = this;
    const [fromPrimary, fromSecondary] = [state.primary[i]!, state.secondary[i]!];
    const isPair = (state.flags[i]! & HAS_SECONDARY) !== 0;
    if ((kind === 0) !== (target === NO_NODE)) return false;
    if ((kind === 1) === isPair || target === fromPrimary || (target !== NO_NODE && target === fromSecondary))
      return false;
    const isReachable = state.isReachable[fromPrimary] === 1;
    if ((kind === 2 || kind === 3) && !isReachable) return false;
    if ((kind === 0 || kind === 4 || kind === 5) && state.isOffline[fromSecondary]) return false;
    if (applyMove(state, i, kind, target, false) !== ALLOWED) return false;
    const [toPrimary, toSecondary] = placementAfter(kind, fromPrimary, fromSecondary, target);
    this.steps.push({
      instance: i,
      kind,
      target,
      fromPrimary,
      fromSecondary,
      toPrimary,
      toSecondary,
      score: 0,
    });
    return true;
  }
}

/** Whether there is a way. @param budget places that are tried before the question is given up */
export const isPossible = (question: Question, budget: number): Finding =>
  new Exhaustive(question, budget).answer();
