/**
 * A set of groups that are emptied together, every instance straight to its end. Grows group by group; what
 * came to a group that is added later is placed anew, from where it was at the start.
 */
import { GroupRules } from '../homes/leaving.ts';
import { STRATEGIES } from '../homes/placements.ts';
import type { SuperCluster, TrialMark } from '../homes/super-cluster.ts';
import { moveInTurns, type Relocation, relocate, sendBack } from '../relocate/relocation.ts';
import { Emptying, residentsOf } from './emptying.ts';

export class GroupSet {
  private readonly rules: GroupRules;
  /** Groups that stay or become empty, and so take nothing. */
  private readonly closed: Set<number>;
  private relocations: Relocation[] = [];

  /** @param empty groups that are empty and stay so */
  constructor(
    private readonly cluster: SuperCluster,
    private readonly healthy: ReadonlySet<number>,
    empty: readonly number[],
  ) {
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
    const waiting = cluster.largestFirst(
      new Set([...back.map(({ instance }) => instance), ...residentsOf(cluster, group)]),
    );
    const closed = new Set([...this.closed, group]);
    for (const strategy of STRATEGIES) {
      for (const shut of avoided.size > 0 ? [new Set([...closed, ...avoided]), closed] : [closed]) {
        const isTarget = (other: number): boolean => this.healthy.has(other) && !shut.has(other);
        const placed = new Emptying(cluster, this.rules, isTarget).place(waiting, strategy);
        if (placed === undefined) continue;
        this.relocations = [...this.relocations.filter((one) => !back.includes(one)), ...placed];
        this.closed.add(group);
        return true;
      }
    }
    cluster.rollback(mark);
    return false;
  }

  /** The relocations in an order that can be made. The state is left at the start, where none is made. */
  inOrder(start: TrialMark): readonly Relocation[] | undefined {
    const { cluster } = this;
    cluster.rollback(start);
    const { relocations, waiting } = moveInTurns(this.relocations, ({ instance, to }) =>
      relocate(cluster.state, instance, to),
    );
    cluster.rollback(start);
    return waiting.length === 0 ? relocations : undefined;
  }
}
