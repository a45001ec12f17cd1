/**
 * Homes for a few instances, decided exactly: depth first over all placements that rules of nodes allow.
 *
 * What comes to a group never makes room there, so a refusal is final; what leaves only makes room, so
 * whoever can leave may as well leave first: only homes are a choice, the order is none. But a secondary is
 * taken only by a node that has its memory free as if all instances there were started, and a stopped one
 * takes that memory without being asked. So where one is stopped, here or there, all orders are tried.
 */
import * as F from '../../../model/state/node-fields.ts';
import { USES_MEMORY } from '../../../model/state/state.ts';
import { tryHome } from '../homes/homes.ts';
import { placementsIn } from '../homes/placements.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import { departureRefusals } from '../relocate/departure.ts';
import type { Relocation } from '../relocate/relocation.ts';

/** Placements that are tried before the search gives up. */
const DEFAULT_BUDGET = 10_000;

/** Whether a secondary may be refused memory that stopped instances would take, and so comes first. */
function doOrdersMatter(
  cluster: SuperCluster,
  instances: readonly number[],
  groupsOf: (i: number) => readonly number[],
): boolean {
  const { flags } = cluster.state;
  if (!instances.some((i) => cluster.isMirrored(i))) return false;
  if (instances.some((i) => (flags[i]! & USES_MEMORY) === 0)) return true;
  const nodes = [...new Set(instances.flatMap(groupsOf))].flatMap((group) => cluster.open[group]!);
  return nodes.some((n) => cluster.state.field(n, F.FREE_MEM_FORTHCOMING) < cluster.freeMem(n));
}

/** Moves all instances to homes in their groups if there is any way to; else the state is as before. */
export function placeExactly(
  cluster: SuperCluster,
  instances: readonly number[],
  groupsOf: (i: number) => readonly number[],
  budget = DEFAULT_BUDGET,
) {
  const triesOrders = doOrdersMatter(cluster, instances, groupsOf);
  let left = budget;
  /** Nothing was left untried or undecided. */
  let isProven = true;
  const done: Relocation[] = [];
  /** Sets of homes from which the others find none. In one order none comes twice. */
  const hopelessSets = new Set<string>();
  /** Which instances were placed, and where: the order has left no trace. */
  const setOfHomes = (): string =>
    done
      .map(({ instance, to }) => `${instance} ${to.primary} ${to.secondary}`)
      .sort()
      .join();
  const canLeave = (i: number): boolean => departureRefusals(cluster.state, i).length === 0;

  /** Places the instances that are left; on success the state is left with them placed. */
  const solve = (waiting: readonly number[]): boolean => {
    if (waiting.length === 0) return true;
    if (!triesOrders) {
      const first = waiting.find(canLeave);
      return first !== undefined && solveWith(first, waiting);
    }
    const key = setOfHomes();
    if (hopelessSets.has(key)) return false;
    if (waiting.filter(canLeave).some((i) => solveWith(i, waiting))) return true;
    hopelessSets.add(key);
    return false;
  };
  const solveWith = (next: number, waiting: readonly number[]): boolean => {
    const rest = waiting.filter((i) => i !== next);
    const hopeless = new Set<number>();
    const homes = groupsOf(next).flatMap((group) => placementsIn(cluster, next, group));
    for (const home of homes) {
      if (hopeless.has(home.primary)) continue;
      if (left-- <= 0) {
        isProven = false;
        return false;
      }
      const mark = cluster.mark();
      const tried = tryHome(cluster, next, home, false);
      if (!tried.relocation) {
        isProven &&= tried.isProven;
        if (tried.isByPrimary) hopeless.add(home.primary);
        continue;
      }
      done.push(tried.relocation);
      if (solve(rest)) return true;
      done.pop();
      cluster.rollback(mark);
    }
    return false;
  };
  const relocations: readonly Relocation[] | undefined = solve(instances) ? done : undefined;
  return { relocations, isProven };
}
