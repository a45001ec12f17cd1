/**
 * Healing a small group by trying everything: up to three instances, each within the group or out of it,
 * where one move has to make room for another. Where one goes that leaves does not matter to the group: it is
 * taken off its nodes, and gets a home once the group is healthy without it.
 */
import { takeOff } from '../../../model/moves/apply.ts';
import { instancesOn } from '../../../model/state/scope.ts';
import { moveTo } from '../homes/homes.ts';
import { fixedRule, type GroupRules, stayRule } from '../homes/leaving.ts';
import { placementsIn } from '../homes/placements.ts';
import type { SuperCluster, TrialMark } from '../homes/super-cluster.ts';
import { departureRefusals } from '../relocate/departure.ts';
import { type Home, homeOf, nodesIn, type Relocation } from '../relocate/relocation.ts';
import { allHomesWithin } from './within.ts';

const MOST_MOVES = 3;

/** States that the searches of one redistribution may look at, all groups together. */
export interface SearchBudget {
  states: number;
}

/** An instance goes to a home in the group, or leaves it. */
interface Action {
  readonly instance: number;
  readonly home: Home | 'leave';
}

export class SmallSearch {
  /** Instances on offline nodes, all of which have to go, and those that may. */
  private readonly must: readonly number[];
  private readonly may: readonly number[];
  private readonly actions: Action[] = [];
  /** Where none of the actions is done. */
  private readonly start: TrialMark;

  /** @param isTarget whether a group may take instances */
  constructor(
    private readonly cluster: SuperCluster,
    private readonly group: number,
    private readonly rules: GroupRules,
    private readonly isTarget: (group: number) => boolean,
    private readonly budget: SearchBudget,
  ) {
    this.start = cluster.mark();
    const { state, members } = cluster;
    this.must = instancesOn(state, cluster.healthOf(group).deadNodes);
    this.may = instancesOn(state, members[group]!).filter(
      (i) => !this.must.includes(i) && cluster.isBalanced(i),
    );
  }

  /** Heals the group on the state; undefined, with the state as before, where no few moves do. */
  find(): readonly Relocation[] | undefined {
    if (this.must.length > MOST_MOVES) return undefined;
    for (let moves = Math.max(1, this.must.length); moves <= MOST_MOVES; moves++) {
      const found = this.solve(moves);
      if (found) return found;
    }
    return undefined;
  }

  /** Takes up to so many further actions; the state keeps the relocations when they heal the group. */
  private solve(moves: number): readonly Relocation[] | undefined {
    if (moves === 0) return undefined;
    const moved = new Set(this.actions.map(({ instance }) => instance));
    const must = this.must.filter((i) => !moved.has(i));
    if (must.length > moves) return undefined;
    const open = must.length === moves ? must : [...must, ...this.may.filter((i) => !moved.has(i))];
    for (const instance of open) {
      for (const action of this.actionsOf(instance)) {
        if (this.budget.states-- <= 0) return undefined;
        const mark = this.cluster.mark();
        if (!this.take(action)) continue;
        this.actions.push(action);
        const found = this.cluster.isHealthy(this.group) ? this.realise() : this.solve(moves - 1);
        if (found) return found;
        this.actions.pop();
        this.cluster.rollback(mark);
      }
    }
    return undefined;
  }

  private actionsOf(instance: number): Action[] {
    if (fixedRule(this.cluster, instance) !== undefined) return [];
    const within = allHomesWithin(this.cluster, instance).map((home): Action => ({ instance, home }));
    const mayLeave = stayRule(this.cluster, instance) === undefined && this.targetsOf(instance).length > 0;
    return mayLeave ? [{ instance, home: 'leave' }, ...within] : within;
  }

  private targetsOf(instance: number): readonly number[] {
    return this.rules.openTo(instance).filter(this.isTarget);
  }

  /** Does an action as far as the group is concerned; false, with nothing changed, when it cannot be done. */
  private take({ instance, home }: Action): boolean {
    const { cluster } = this;
    if (home !== 'leave') return cluster.move(instance, home) !== undefined;
    if (departureRefusals(cluster.state, instance).length > 0) return false;
    const from = homeOf(cluster.state, instance);
    takeOff(cluster.state, instance);
    cluster.refresh(nodesIn([from]));
    return true;
  }

  /** Does the actions for good, finding homes for those that leave; else the state is as it was. */
  private realise(): readonly Relocation[] | undefined {
    const { cluster } = this;
    const actions = [...this.actions];
    cluster.rollback(this.start);
    const found = this.settle(actions, 0);
    if (found) return found;
    // The search goes on from where it stood: the same actions leave the same marks.
    for (const action of actions) this.take(action);
    return undefined;
  }

  private settle(actions: readonly Action[], at: number): readonly Relocation[] | undefined {
    const { cluster } = this;
    const action = actions[at];
    if (action === undefined) return cluster.isHealthy(this.group) ? [] : undefined;
    const { instance, home } = action;
    const homes =
      home === 'leave'
        ? this.targetsOf(instance).flatMap((group) => placementsIn(cluster, instance, group))
        : [home];
    for (const one of homes) {
      if (this.budget.states-- <= 0) return undefined;
      const mark = cluster.mark();
      const moved = moveTo(cluster, instance, one);
      if (moved === undefined) continue;
      const rest = this.settle(actions, at + 1);
      if (rest) return [moved, ...rest];
      cluster.rollback(mark);
    }
    return undefined;
  }
}
