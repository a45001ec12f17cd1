/**
 * Emptying nodes ahead of their reboot, and filling them again, in steps that Ganeti can take: mirrored
 * instances change over to their secondaries, others go to the node of their group with most free memory.
 */

import { ALLOWED } from '../../../cluster/refusal.ts';
import { applyMove } from '../../../model/moves/apply.ts';
import {
  FAILOVER,
  FAILOVER_AND_REPLACE,
  FAILOVER_TO_ANY,
  type MoveKind,
  moveBetween,
  REPLACE_SECONDARY,
} from '../../../model/moves/kinds.ts';
import * as F from '../../../model/state/node-fields.ts';
import { groupScope } from '../../../model/state/scope.ts';
import {
  type ClusterState,
  IS_FORTHCOMING,
  MIRROR_EXTERNAL,
  MIRROR_INTERNAL,
  USES_MEMORY,
} from '../../../model/state/state.ts';
import type { PlanStep } from '../../../plan/plan.ts';
import { stepOf } from '../../../plan/step.ts';
import type { RebootOptions } from '../reboot/reboot-rounds.ts';

/** Why a node cannot be emptied: an instance on it, and what holds it there. */
export interface Stuck {
  readonly node: number;
  readonly instance: number;
  readonly why: 'only-copy' | 'no-room';
}

/** Steps from where the passage before ended. */
export interface Passage {
  readonly steps: readonly PlanStep[];
  /** The rules that only warn had to be left out. */
  readonly isForced: boolean;
}

/** Makes a step if the rules allow it, without a score: what is emptied for a while is not balanced. */
function takeStep(
  state: ClusterState,
  i: number,
  kind: MoveKind,
  target: number,
  ignoreSoftErrors: boolean,
): PlanStep | undefined {
  const step = stepOf(state, { instance: i, kind, target }, 0);
  return applyMove(state, i, kind, target, ignoreSoftErrors) === ALLOWED ? step : undefined;
}

/** Whether the instance runs, or is meant to. One that is only reserved does not. */
export const runs = ({ flags }: ClusterState, i: number): boolean =>
  (flags[i]! & (USES_MEMORY | IS_FORTHCOMING)) === USES_MEMORY;

/** Primaries of a node that run, and the others, too, where all have to leave; none that is only reserved. */
const primariesOf = (
  state: ClusterState,
  node: number,
  { fullEvacuation }: RebootOptions,
): readonly number[] =>
  state.primaries[node]!.filter((i) =>
    fullEvacuation ? !(state.flags[i]! & IS_FORTHCOMING) : runs(state, i),
  );

/**
 * Second copies that leave a node where all have to; else they miss some writes while it is down, and are
 * there again behind it. Disks can be copied from the primary only; where that is gone, the instance is down
 * in any case.
 */
const copiesOf = (
  { secondaries, primary, isOffline }: ClusterState,
  node: number,
  { fullEvacuation }: RebootOptions,
): readonly number[] => (fullEvacuation ? secondaries[node]!.filter((i) => !isOffline[primary[i]!]) : []);

export class Leaving {
  private readonly online: readonly (readonly number[])[];

  constructor(
    private readonly state: ClusterState,
    private readonly rules: RebootOptions,
  ) {
    const { snapshot, isOffline } = state;
    this.online = snapshot.groups.map((_, group) =>
      groupScope(snapshot, group).nodes.filter((n) => !isOffline[n]),
    );
  }

  /** Primaries of a node that have to leave it, the largest first. */
  private leavers(node: number): readonly number[] {
    const { fullEvacuation, offlineMaintenance } = this.rules;
    if (offlineMaintenance && !fullEvacuation) return [];
    const { mem } = this.state;
    return primariesOf(this.state, node, this.rules).toSorted((a, b) => mem[b]! - mem[a]! || a - b);
  }

  /** Whether the instance has no other place to run. */
  private isBound(i: number): boolean {
    const { mirroring, secondary, isOffline } = this.state;
    if (mirroring[i] === MIRROR_EXTERNAL) return false;
    return mirroring[i] !== MIRROR_INTERNAL || secondary[i]! < 0 || isOffline[secondary[i]!] === 1;
  }

  /**
   * Other online nodes of the same group for an instance, those with most of a figure first. Mostly the first
   * takes it, so the others are put in order only when they are asked for.
   */
  private *targets(i: number, node: number, closed: ReadonlySet<number>, figure: number): Iterable<number> {
    const { primary, secondary, groupOf } = this.state;
    const open = this.online[groupOf[node]!]!.filter(
      (n) => !closed.has(n) && n !== primary[i] && n !== secondary[i],
    );
    const lead = (a: number, b: number): number =>
      this.state.field(b, figure) - this.state.field(a, figure) || a - b;
    if (open.length === 0) return;
    const first = open.reduce((a, b) => (lead(a, b) < 0 ? a : b));
    yield first;
    yield* open.filter((n) => n !== first).sort(lead);
  }

  private takeFirst(
    i: number,
    kind: MoveKind,
    targets: Iterable<number>,
    ignoreSoftErrors: boolean,
  ): PlanStep | undefined {
    for (const target of targets) {
      const step = takeStep(this.state, i, kind, target, ignoreSoftErrors);
      if (step) return step;
    }
    return undefined;
  }

  private leave(
    i: number,
    node: number,
    closed: ReadonlySet<number>,
    ignoreSoftErrors: boolean,
  ): PlanStep | undefined {
    const { mirroring, secondary } = this.state;
    const take = (kind: MoveKind, figure: number): PlanStep | undefined =>
      this.takeFirst(i, kind, this.targets(i, node, closed, figure), ignoreSoftErrors);
    if (mirroring[i] === MIRROR_EXTERNAL) return take(FAILOVER_TO_ANY, F.FREE_MEM);
    if (closed.has(secondary[i]!)) return undefined;
    // In one job, which costs less than two.
    if (this.rules.fullEvacuation) return take(FAILOVER_AND_REPLACE, F.FREE_DISK);
    return takeStep(this.state, i, FAILOVER, secondary[i]!, ignoreSoftErrors);
  }

  /** Empties a node, or leaves the state as before. @param closed nodes that take nothing, this one too */
  clear(node: number, closed: ReadonlySet<number>, ignoreSoftErrors: boolean): readonly PlanStep[] | Stuck {
    const { journal } = this.state;
    const mark = journal.mark();
    const steps: PlanStep[] = [];
    const giveUp = (instance: number, why: Stuck['why']): Stuck => {
      journal.rollback(mark);
      return { node, instance, why };
    };
    for (const i of this.leavers(node)) {
      if (this.isBound(i)) {
        if (this.rules.ignoreNonRedundant) continue;
        return giveUp(i, 'only-copy');
      }
      const step = this.leave(i, node, closed, ignoreSoftErrors);
      if (!step) return giveUp(i, 'no-room');
      steps.push(step);
    }
    for (const i of copiesOf(this.state, node, this.rules)) {
      const targets = this.targets(i, node, closed, F.FREE_DISK);
      const step = this.takeFirst(i, REPLACE_SECONDARY, targets, ignoreSoftErrors);
      if (!step) return giveUp(i, 'no-room');
      steps.push(step);
    }
    return steps;
  }

  /**
   * Takes steps back, the last first, also against rules broken at the start.
   * @returns undefined without room where one came from; the state is as before then
   */
  comeBack(steps: readonly PlanStep[]): Passage | undefined {
    const mark = this.state.journal.mark();
    for (const isForced of [false, true]) {
      const back: PlanStep[] = [];
      for (const taken of steps.toReversed()) {
        const { instance, kind, fromPrimary, fromSecondary, toPrimary, toSecondary } = taken;
        const [backKind, target] =
          kind === FAILOVER_TO_ANY
            ? [kind, fromPrimary]
            : moveBetween(toPrimary, toSecondary, fromPrimary, fromSecondary, fromPrimary)!;
        const step = takeStep(this.state, instance, backKind, target, isForced);
        if (!step) break;
        back.push(step);
      }
      if (back.length === steps.length) return { steps: back, isForced };
      this.state.journal.rollback(mark);
    }
    return undefined;
  }
}

export interface HeldNode {
  readonly node: number;
  /** Those that a reboot would move or stop; empty = the node itself is to be left alone. */
  readonly instances: readonly number[];
}

export function withoutHeld(wanted: readonly number[], held: readonly HeldNode[]): number[] {
  const out = new Set(held.map(({ node }) => node));
  return wanted.filter((node) => !out.has(node));
}

/** @param wanted positions of nodes */
export function heldNodes(
  state: ClusterState,
  wanted: readonly number[],
  options: RebootOptions,
): readonly HeldNode[] {
  const { nodes, instances } = state.snapshot;
  return wanted.flatMap((node): readonly HeldNode[] => {
    if (nodes[node]!.isLeftAlone) return [{ node, instances: [] }];
    const leavers = [...primariesOf(state, node, options), ...copiesOf(state, node, options)];
    const held = leavers.filter((i) => instances[i]!.isLeftAlone);
    return held.length > 0 ? [{ node, instances: held.sort((a, b) => a - b) }] : [];
  });
}
