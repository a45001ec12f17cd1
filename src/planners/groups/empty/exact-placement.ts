/**
 * Homes for a few instances, decided exactly: depth first over all placements that the rules of nodes allow, with a budget.
 *
 * It may stop at "none": what comes to a group never makes room there, so a placement that is refused stays refused
 * whatever else comes, and the order of the instances does not matter.
 */
import * as F from '../../../model/state/node-fields.ts';
import { allPlacements } from '../homes/homes.ts';
import type { GroupRules } from '../homes/leaving.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import { type Home, isRefused, type Relocation, relocate } from '../relocate/relocation.ts';

/** Placements that are tried before the search gives up. */
const DEFAULT_BUDGET = 4000;

export type ExactResult =
  | { readonly kind: 'found'; readonly relocations: readonly Relocation[] }
  /** No choice of homes exists. */
  | { readonly kind: 'none' }
  | { readonly kind: 'spent' };

class Search {
  private readonly cluster: SuperCluster;
  private readonly rules: GroupRules;
  private readonly instances: readonly number[];
  private readonly isTarget: (group: number) => boolean;
  private budget: number;
  /** Nodes that instances have come to on the present path, as often as they have. */
  private readonly arrived: number[] = [];
  readonly homes: Home[] = [];

  constructor(
    cluster: SuperCluster,
    rules: GroupRules,
    instances: readonly number[],
    isTarget: (group: number) => boolean,
    budget: number,
  ) {
    this.cluster = cluster;
    this.rules = rules;
    this.instances = instances;
    this.isTarget = isTarget;
    this.budget = budget;
  }

  /** Places the instances from the given one on. */
  solve(from: number): ExactResult['kind'] {
    const i = this.instances[from];
    if (i === undefined) return 'found';
    const groups = this.rules.of(i).open.filter(this.isTarget);
    for (const home of allPlacements(this.cluster, i, groups)) {
      if (this.budget-- <= 0) return 'spent';
      const result = this.tryHome(i, home, from);
      if (result !== 'none') return result;
    }
    return 'none';
  }

  private tryHome(i: number, home: Home, from: number): ExactResult['kind'] {
    const { state, n1 } = this.cluster;
    const mark = state.journal.mark();
    if (isRefused(relocate(state, i, home))) return 'none';
    const nodes = [home.primary, home.secondary].filter((n) => n >= 0);
    this.arrived.push(...nodes);
    this.homes.push(home);
    const isOvercommitted = nodes.some((n) => state.nodeFields[n * F.NODE_STRIDE + F.FAILS_N1] === 1);
    const isHealthy = !isOvercommitted && n1.newlyFailing([...new Set(this.arrived)]) < 0;
    const result = isHealthy ? this.solve(from + 1) : 'none';
    state.journal.rollback(mark);
    if (result === 'found') return result;
    this.homes.pop();
    this.arrived.length -= nodes.length;
    return result;
  }
}

/** Moves all instances to homes in the target groups if there is any way to; else the state is as before. */
export function placeExactly(
  cluster: SuperCluster,
  rules: GroupRules,
  instances: readonly number[],
  isTarget: (group: number) => boolean,
  budget = DEFAULT_BUDGET,
): ExactResult {
  const search = new Search(cluster, rules, instances, isTarget, budget);
  const kind = search.solve(0);
  if (kind !== 'found') return { kind };
  const relocations = instances.map((i, k) => {
    const moved = relocate(cluster.state, i, search.homes[k]!) as Relocation;
    cluster.refresh([moved.to.primary, moved.to.secondary].filter((n) => n >= 0));
    return moved;
  });
  return { kind, relocations };
}
