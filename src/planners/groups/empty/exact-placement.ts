/**
 * Homes for a few instances, decided exactly: depth first over all placements that the rules of nodes allow, with a budget.
 *
 * Two facts make it small. What comes to a group never makes room there, so a placement that is refused stays refused whatever
 * else comes. And what leaves its nodes only makes room there, so that whichever instance can leave now may as well leave first. So the
 * order of the instances is no choice, only their homes are.
 */

import { placementsIn } from '../homes/placements.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import { isObstacle, tryHome } from '../homes/trial.ts';
import { departureRefusals } from '../relocate/departure.ts';
import type { Home } from '../relocate/home.ts';
import type { Relocation } from '../relocate/relocation.ts';

/** Placements that are tried before the search gives up. */
const DEFAULT_BUDGET = 10_000;

export type ExactResult =
  | { readonly kind: 'found'; readonly relocations: readonly Relocation[] }
  /** No choice of homes exists. */
  | { readonly kind: 'none' }
  /** The budget ended, or N+1 of a placement was not decided. */
  | { readonly kind: 'spent' };

class Search {
  private readonly cluster: SuperCluster;
  private readonly groupsOf: (i: number) => readonly number[];
  private budget: number;
  private isProven = true;
  readonly done: Relocation[] = [];

  constructor(cluster: SuperCluster, groupsOf: (i: number) => readonly number[], budget: number) {
    this.cluster = cluster;
    this.groupsOf = groupsOf;
    this.budget = budget;
  }

  /** Places the instances that are left; on success the state is left with them placed. */
  solve(waiting: readonly number[]): ExactResult['kind'] {
    if (waiting.length === 0) return 'found';
    const next = waiting.find((i) => departureRefusals(this.cluster.state, i).length === 0);
    if (next === undefined) return 'none';
    const rest = waiting.filter((i) => i !== next);
    const hopeless = new Set<number>();
    for (const home of this.placementsOf(next)) {
      if (hopeless.has(home.primary)) continue;
      if (this.budget-- <= 0) return 'spent';
      const mark = this.cluster.mark();
      const moved = tryHome(this.cluster, next, home, false);
      if (isObstacle(moved)) {
        this.isProven &&= moved.isProven;
        if (moved.isByPrimary) hopeless.add(home.primary);
        continue;
      }
      this.done.push(moved);
      const result = this.solve(rest);
      if (result === 'found') return result;
      this.done.pop();
      this.cluster.rollback(mark);
      if (result === 'spent') return result;
    }
    return this.isProven ? 'none' : 'spent';
  }

  private placementsOf(i: number): Home[] {
    return this.groupsOf(i).flatMap((group) => placementsIn(this.cluster, i, group, 'first'));
  }
}

/**
 * Moves all instances to homes in their groups if there is any way to; else the state is as before.
 * @param groupsOf groups in which an instance may be placed
 */
export function placeExactly(
  cluster: SuperCluster,
  instances: readonly number[],
  groupsOf: (i: number) => readonly number[],
  budget = DEFAULT_BUDGET,
): ExactResult {
  const search = new Search(cluster, groupsOf, budget);
  const kind = search.solve(instances);
  return kind === 'found' ? { kind, relocations: search.done } : { kind };
}
