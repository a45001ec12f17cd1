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
import type { SuperCluster } from '../homes/super-cluster.ts';
import { departureRefusals } from '../relocate/departure.ts';
import { type Home, homeOf, nodesIn, type Relocation } from '../relocate/relocation.ts';
import { allHomesWithin } from './within.ts';

const MOST_MOVES = 3;

/** An instance goes to a home in the group, or leaves it. */
interface Action {
  readonly instance: number;
  readonly home: Home | 'leave';
}

/**
 * Heals a group on the state; undefined, with the state as before, where no few moves do.
 * @param isTarget whether a group may take instances
 * @param budget states that may be looked at, counted down: several searches may share it
 */
export function healByFewMoves(
  cluster: SuperCluster,
  group: number,
  rules: GroupRules,
  isTarget: (group: number) => boolean,
  budget: { states: number },
): readonly Relocation[] | undefined {
  const { state, members } = cluster;
  const start = cluster.mark();
  /** Instances on offline nodes, all of which have to go, and those that may. */
  const must = instancesOn(state, cluster.healthOf(group).deadNodes);
  const may = instancesOn(state, members[group]!).filter((i) => !must.includes(i) && cluster.isBalanced(i));
  const actions: Action[] = [];

  const targetsOf = (instance: number): readonly number[] => rules.openTo(instance).filter(isTarget);
  const actionsOf = (instance: number): Action[] => {
    if (fixedRule(cluster, instance) !== undefined) return [];
    const within = allHomesWithin(cluster, instance).map((home): Action => ({ instance, home }));
    const mayLeave = stayRule(cluster, instance) === undefined && targetsOf(instance).length > 0;
    return mayLeave ? [{ instance, home: 'leave' }, ...within] : within;
  };

  /** Does an action as far as the group is concerned; false, with nothing changed, when it cannot be done. */
  const take = ({ instance, home }: Action): boolean => {
    if (home !== 'leave') return cluster.move(instance, home) !== undefined;
    if (departureRefusals(state, instance).length > 0) return false;
    const from = homeOf(state, instance);
    takeOff(state, instance);
    cluster.refresh(nodesIn([from]));
    return true;
  };

  /** Does actions for good, finding homes for those that leave. */
  const settle = ([action, ...others]: readonly Action[]): readonly Relocation[] | undefined => {
    if (action === undefined) return cluster.isHealthy(group) ? [] : undefined;
    const { instance, home } = action;
    const homes =
      home === 'leave'
        ? targetsOf(instance).flatMap((target) => placementsIn(cluster, instance, target))
        : [home];
    for (const one of homes) {
      if (budget.states-- <= 0) return undefined;
      const mark = cluster.mark();
      const moved = moveTo(cluster, instance, one);
      if (moved === undefined) continue;
      const rest = settle(others);
      if (rest) return [moved, ...rest];
      cluster.rollback(mark);
    }
    return undefined;
  };

  /** Does all actions for good; else the state is as it was. */
  const realise = (): readonly Relocation[] | undefined => {
    cluster.rollback(start);
    const found = settle(actions);
    // The search goes on from where it stood: the same actions leave the same marks.
    if (!found) for (const action of actions) take(action);
    return found;
  };

  /** Takes up to so many further actions; the state keeps the relocations when they heal the group. */
  const solve = (moves: number): readonly Relocation[] | undefined => {
    if (moves === 0) return undefined;
    const moved = new Set(actions.map(({ instance }) => instance));
    const left = must.filter((i) => !moved.has(i));
    if (left.length > moves) return undefined;
    const open = left.length === moves ? left : [...left, ...may.filter((i) => !moved.has(i))];
    for (const instance of open)
      for (const action of actionsOf(instance)) {
        if (budget.states-- <= 0) return undefined;
        const mark = cluster.mark();
        if (!take(action)) continue;
        actions.push(action);
        const found = cluster.isHealthy(group) ? realise() : solve(moves - 1);
        if (found) return found;
        actions.pop();
        cluster.rollback(mark);
      }
    return undefined;
  };

  for (let moves = Math.max(1, must.length); moves <= MOST_MOVES; moves++) {
    const found = solve(moves);
    if (found) return found;
  }
  return undefined;
}
