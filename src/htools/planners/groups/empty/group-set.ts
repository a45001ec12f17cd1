/**
 * A set of groups that are emptied together, every instance straight to its end. Grows group by group; what
 * came to a group that is added later is placed anew, from where it was at the start.
 */
import { GroupRules } from '../homes/leaving.ts';
import { STRATEGIES } from '../homes/placements.ts';
import type { SuperCluster } from '../homes/super-cluster.ts';
import { isRefused, type Relocation, relocate, sendBack } from '../relocate/relocation.ts';
import { emptyOf, type NotEmptied, placeAll, residentsOf } from './emptying.ts';

export class GroupSet {
  private readonly cluster: SuperCluster;
  private readonly healthy: ReadonlySet<number>;
  private readonly rules: GroupRules;
  /** Groups that stay or become empty, and so take nothing. */
  private readonly closed: Set<number>;
  private relocations: Relocation[] = [];

  /** @param empty groups that are empty and stay so */
  constructor(cluster: SuperCluster, healthy: ReadonlySet<number>, empty: readonly number[]) {
    this.cluster = cluster;
    this.healthy = healthy;
    this.rules = new GroupRules(cluster);
    this.closed = new Set(empty);
  }

  /**
   * Empties one more group; false, with everything as before, when that does not work this way.
   * @param avoided groups that take nothing if that can be, as they are to be emptied later
   */
  add(group: number, avoided: ReadonlySet<number>): boolean {
    const { cluster } = this;
    const mark = cluster.mark();
    const back = this.relocations.filter(({ to }) => to.group === group);
    for (const one of back.toReversed()) sendBack(cluster.state, one);
    const waiting = [...new Set([...back.map(({ instance }) => instance), ...residentsOf(cluster, group)])];
    const { instances } = cluster.snapshot;
    waiting.sort(
      (a, b) =>
        instances[b]!.memMib - instances[a]!.memMib || instances[b]!.diskMib - instances[a]!.diskMib || a - b,
    );
    const closed = new Set([...this.closed, group]);
    const tries = STRATEGIES.flatMap((strategy) => [
      ...(avoided.size > 0 ? [{ strategy, shut: new Set([...closed, ...avoided]) }] : []),
      { strategy, shut: closed },
    ]);
    for (const { strategy, shut } of tries) {
      const isTarget = (other: number): boolean => this.healthy.has(other) && !shut.has(other);
      const placed = placeAll({ cluster, rules: this.rules, isTarget }, waiting, strategy);
      if (placed === undefined) continue;
      this.relocations = [...this.relocations.filter((one) => !back.includes(one)), ...placed];
      this.closed.add(group);
      return true;
    }
    cluster.rollback(mark);
    return false;
  }

  /** The relocations in an order that can be made, on the state. @param start where none of them was done */
  inOrder(start: ReturnType<SuperCluster['mark']>): readonly Relocation[] | undefined {
    const { cluster } = this;
    cluster.rollback(start);
    const done: Relocation[] = [];
    for (let waiting = this.relocations; waiting.length > 0; ) {
      const left = waiting.filter(({ instance, to }) => {
        const moved = relocate(cluster.state, instance, to);
        if (!isRefused(moved)) done.push(moved);
        return isRefused(moved);
      });
      if (left.length === waiting.length) {
        cluster.rollback(start);
        return undefined;
      }
      waiting = left;
    }
    return done;
  }
}

/** Whether a set of groups can be emptied together, from nothing; for few instances. State as before. */
export function emptyTogether(
  cluster: SuperCluster,
  healthy: ReadonlySet<number>,
  groups: readonly number[],
): { readonly isPossible: true; readonly relocations: readonly Relocation[] } | NotEmptied {
  const closed = new Set(groups);
  const residents = new Set(groups.flatMap((group) => residentsOf(cluster, group)));
  const { instances } = cluster.snapshot;
  const bySize = [...residents].sort(
    (a, b) =>
      instances[b]!.memMib - instances[a]!.memMib || instances[b]!.diskMib - instances[a]!.diskMib || a - b,
  );
  const isTarget = (other: number): boolean => healthy.has(other) && !closed.has(other);
  const mark = cluster.mark();
  const outcome = emptyOf({ cluster, rules: new GroupRules(cluster), isTarget }, bySize);
  cluster.rollback(mark);
  return outcome;
}
