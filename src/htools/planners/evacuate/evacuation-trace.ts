/** The account of evacuations: each instance's moves, or nodes tried with rules and figures. */
import {
  ALLOWED,
  FAIL_INTERNAL,
  FAIL_MIG,
  FAIL_MODES,
  type FailCode,
  type FailModeName,
} from '../../cluster/refusal.ts';
import { hasSecondary } from '../../cluster/templates.ts';
import { takeOff } from '../../model/moves/apply.ts';
import { addPrimary } from '../../model/moves/transitions.ts';
import { migrationRefusal, primaryRefusal, secondaryRefusal } from '../../model/rules/admission.ts';
import type { ClusterState } from '../../model/state/state.ts';
import { type ExplainedRefusal, explainRefusal, type Role } from '../allocate/choose/refusal-figures.ts';
import type { Evacuation } from './outcome.ts';
import { parkedOn } from './pair-relocation.ts';

/** A node that was not taken, and as what. */
interface RefusedNode extends ExplainedRefusal {
  readonly role: Role['kind'];
}

export interface TracedEvacuation {
  readonly outcome: Evacuation;
  readonly primary: number;
  readonly secondary: number;
  readonly refused: readonly RefusedNode[];
}

export class EvacuationTrace {
  readonly entries: TracedEvacuation[] = [];

  constructor(private readonly state: ClusterState) {}

  /** Keeps what became of an instance, before the next is looked at. @param targets that were tried */
  note(
    outcome: Evacuation,
    from: readonly [number, number],
    targets: readonly number[],
    ignoreSoftErrors: boolean,
  ): void {
    const refused = outcome.isMoved ? [] : this.refusedNodes(outcome, targets, ignoreSoftErrors);
    this.entries.push({ outcome, primary: from[0], secondary: from[1], refused });
  }

  private refusedNodes(
    { instance: i, failure }: Extract<Evacuation, { isMoved: false }>,
    targets: readonly number[],
    ignoreSoftErrors: boolean,
  ): RefusedNode[] {
    switch (failure.kind) {
      case 'no-target': {
        const isDrbd = hasSecondary(this.state.instanceRecord(i).diskTemplate);
        return failure.refusals.flatMap(({ node, code }) =>
          this.refusedTarget(i, node, code, isDrbd, ignoreSoftErrors),
        );
      }
      case 'failover-refused':
        return this.refusedFailover(i, failure.code, ignoreSoftErrors);
      case 'no-pair':
        return this.refusedPair(i, targets, ignoreSoftErrors);
      default:
        return [];
    }
  }

  private refusedTarget(
    i: number,
    node: number,
    code: FailCode,
    isDrbd: boolean,
    ignoreSoftErrors: boolean,
  ): RefusedNode[] {
    const { state } = this;
    const p = state.primary[i]!;
    if (!isDrbd) return [this.explain(i, node, { kind: 'primary' }, code)];
    const isTakenAsSecondary = secondaryRefusal(state, i, node, p, false, ignoreSoftErrors) === ALLOWED;
    // Then it is the primary that has no room to take its instance back.
    return isTakenAsSecondary
      ? this.without(i, () => [this.explain(i, p, { kind: 'primary' }, code)])
      : [this.explain(i, node, { kind: 'secondary', primary: p }, code)];
  }

  private refusedFailover(i: number, code: FailCode, ignoreSoftErrors: boolean): RefusedNode[] {
    const { state } = this;
    const p = state.primary[i]!;
    const s = state.secondary[i]!;
    const isSoft = ignoreSoftErrors || state.isOffline[p] === 1;
    return this.without(i, () => {
      if (code === FAIL_MIG || primaryRefusal(state, i, s, isSoft) !== ALLOWED)
        return [this.explain(i, s, { kind: 'primary' }, code)];
      addPrimary(state, i, s, 0);
      return [this.explain(i, p, { kind: 'secondary', primary: s }, code)];
    });
  }

  /** Nodes that could not be primary, or not secondary, of a new pair, with the instance off its own. */
  private refusedPair(i: number, targets: readonly number[], ignoreSoftErrors: boolean): RefusedNode[] {
    const { state } = this;
    const parked = parkedOn(state, i);
    const isSoft = ignoreSoftErrors || state.isOffline[parked] === 1;
    return this.without(i, () =>
      targets.flatMap((t) => {
        const asPrimary = migrationRefusal(state, parked, t) || primaryRefusal(state, i, t, isSoft);
        const asSecondary = secondaryRefusal(state, i, t, parked, false, isSoft);
        return [
          ...(asPrimary === ALLOWED ? [] : [this.explain(i, t, { kind: 'primary' }, asPrimary)]),
          ...(asSecondary === ALLOWED
            ? []
            : [this.explain(i, t, { kind: 'secondary', primary: parked }, asSecondary)]),
        ];
      }),
    );
  }

  /** Looks at the state with the instance off its nodes, and puts it back. */
  private without<T>(i: number, look: () => T): T {
    const { state } = this;
    return state.journal.tentatively(() => {
      takeOff(state, i);
      return look();
    });
  }

  private explain(i: number, node: number, role: Role, code: FailCode): RefusedNode {
    const mode = FAIL_MODES[code] as FailModeName;
    if (code === FAIL_MIG) return { mode, rule: 'migration-tags', node, role: role.kind };
    // The node has the instance already.
    if (code === FAIL_INTERNAL) return { mode, rule: 'same-node', node, role: role.kind };
    return { ...explainRefusal(this.state, i, node, role, code), role: role.kind };
  }
}
