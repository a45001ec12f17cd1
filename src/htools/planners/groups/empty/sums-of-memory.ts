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

export class SumsOfMemory {
  /** Memory (MiB) by group and row of access: what its instances need, and its nodes have free. */
  private readonly need = new Map<number, Float64Array>();
  private readonly free = new Map<number, Float64Array>();
  private readonly groups: readonly number[];
  private readonly rowCount: number;

  /** @param targets groups that may take instances unless they are emptied */
  constructor(cluster: SuperCluster, groups: readonly number[], targets: ReadonlySet<number>) {
    const { state, storage, open } = cluster;
    this.rowCount = storage.access.length / Math.max(1, storage.nodeCount);
    this.groups = [...new Set([...groups, ...targets])];
    for (const group of this.groups) {
      const need = new Float64Array(this.rowCount);
      for (const i of residentsOf(cluster, group))
        if (state.flags[i]! & USES_MEMORY) need[storage.rows[i]!]! += state.mem[i]!;
      const free = new Float64Array(this.rowCount);
      for (const n of targets.has(group) ? open[group]! : [])
        for (let row = 0; row < this.rowCount; row++)
          if (storage.access[row * storage.nodeCount + n] !== 0) free[row]! += memRoomOf(state, n);
      this.need.set(group, need);
      this.free.set(group, free);
    }
  }

  /** Whether the sums leave room for what is in these groups, pool by pool and all together. */
  holds(closed: ReadonlySet<number>): boolean {
    let needed = 0;
    let most = 0;
    for (let row = 0; row < this.rowCount; row++) {
      let need = 0;
      let free = 0;
      for (const group of this.groups) {
        if (closed.has(group)) need += this.need.get(group)![row]!;
        else free += this.free.get(group)![row]!;
      }
      if (need > USABLE_SHARE * free) return false;
      needed += need;
      most = Math.max(most, free);
    }
    return needed <= USABLE_SHARE * most;
  }

  /** A large set among the candidates: added in order, then one exchanged for two as long as that works. */
  largest(empty: readonly number[], order: readonly number[]): readonly number[] {
    let closed = new Set(empty);
    let exchanges = 0;
    const add = (set: Set<number>, most: number, out?: number): void => {
      for (const group of order) {
        if (group === out || set.has(group) || exchanges++ > most) continue;
        set.add(group);
        if (!this.holds(set)) set.delete(group);
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
}
