/**
 * Which groups might go together, as far as sums tell: for each pool the memory that instances need against
 * what is free on the nodes that reach it. Only placing the instances tells whether it holds.
 */
import { memRoomOf } from '../../../model/redundancy/shared/restart-demand.ts';
import { USES_MEMORY } from '../../../model/state/state.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import { residentsOf } from './emptying.ts';

/** Share of the free memory that is of use: the rest is lost between instances, or kept for N+1. */
const USABLE_SHARE = 0.85;
/** Exchanges of one group for two that are looked at. */
const MOST_EXCHANGES = 20_000;

/**
 * A large set among the candidates: added in order, then one exchanged for two as long as that works.
 * @param targets groups that may take instances unless they are emptied
 */
export function largestBySums(
  cluster: SuperCluster,
  candidates: readonly number[],
  targets: ReadonlySet<number>,
  empty: readonly number[],
  order: readonly number[],
): readonly number[] {
  const { state, storage, open } = cluster;
  const rowCount = storage.access.length / Math.max(1, storage.nodeCount);
  /** By group and row of access, MiB: what its instances need, and its nodes have free. */
  const sums = [...new Set([...candidates, ...targets])].map((group) => {
    const need = new Float64Array(rowCount);
    for (const i of residentsOf(cluster, group))
      if (state.flags[i]! & USES_MEMORY) need[storage.rows[i]!]! += state.mem[i]!;
    const free = new Float64Array(rowCount);
    for (const n of targets.has(group) ? open[group]! : [])
      for (let row = 0; row < rowCount; row++)
        if (storage.access[row * storage.nodeCount + n] !== 0) free[row]! += memRoomOf(state, n);
    return { group, need, free };
  });

  /** Whether the sums leave room for what is in these groups, pool by pool and all together. */
  const holds = (closed: ReadonlySet<number>): boolean => {
    let needed = 0;
    let most = 0;
    for (let row = 0; row < rowCount; row++) {
      let need = 0;
      let free = 0;
      for (const one of sums) {
        if (closed.has(one.group)) need += one.need[row]!;
        else free += one.free[row]!;
      }
      if (need > USABLE_SHARE * free) return false;
      needed += need;
      most = Math.max(most, free);
    }
    return needed <= USABLE_SHARE * most;
  };

  let closed = new Set(empty);
  let exchanges = 0;
  const add = (set: Set<number>, most: number, out?: number): void => {
    for (const group of order) {
      if (group === out || set.has(group) || exchanges++ > most) continue;
      set.add(group);
      if (!holds(set)) set.delete(group);
    }
  };
  add(closed, Number.POSITIVE_INFINITY);
  exchanges = 0;
  for (let isBetter = true; isBetter; ) {
    isBetter = [...closed].some((out) => {
      if (!order.includes(out)) return false;
      const other = new Set([...closed].filter((group) => group !== out));
      add(other, MOST_EXCHANGES, out);
      if (other.size <= closed.size) return false;
      closed = other;
      return true;
    });
  }
  return order.filter((group) => closed.has(group));
}
