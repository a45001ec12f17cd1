/** The account of evacuations: each instance's moves, or nodes tried with rules and figures. */
import {
  ALLOWED,
  FAIL_INTERNAL,
  FAIL_MIG,
  FAIL_MODES,
  type FailCode,
  type FailModeName,
} from '../../cluster/refusal.ts';
import { NO_NODE } from '../../cluster/snapshot.ts';
import { hasSecondary } from '../../cluster/templates.ts';
import { applyMove, takeOff } from '../../model/moves/apply.ts';
import { FAILOVER, FAILOVER_TO_ANY, type MoveKind, REPLACE_SECONDARY } from '../../model/moves/kinds.ts';
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
        const kind = hasSecondary(this.state.instanceRecord(i).diskTemplate)
          ? REPLACE_SECONDARY
          : FAILOVER_TO_ANY;
        return failure.refusals.flatMap(({ node, code }) =>
          code === FAIL_INTERNAL
            ? [this.explain(i, node, { kind: 'primary' }, code)]
            : this.refusedMove(i, kind, node, ignoreSoftErrors),
        );
      }
      case 'failover-refused':
        return this.refusedMove(i, FAILOVER, NO_NODE, ignoreSoftErrors);
      case 'no-pair':
        return this.refusedPair(i, targets, ignoreSoftErrors);
      default:
        return [];
    }
  }

  /** The node whose rule ends the move, as the rule sees it. */
  private refusedMove(i: number, kind: MoveKind, target: number, ignoreSoftErrors: boolean): RefusedNode[] {
    const refused: RefusedNode[] = [];
    this.state.journal.tentatively(() =>
      applyMove(this.state, i, kind, target, ignoreSoftErrors, (node, role, primary, code) =>
        refused.push(
          this.explain(i, node, role === 'primary' ? { kind: role } : { kind: role, primary }, code),
        ),
      ),
    );
    return refused;
  }

  /** Nodes that could not be primary, or not secondary, of a new pair, with the instance off its own. */
  private refusedPair(i: number, targets: readonly number[], ignoreSoftErrors: boolean): RefusedNode[] {
    const { state } = this;
    const parked = parkedOn(state, i);
    const isSoft = ignoreSoftErrors || state.isOffline[parked] === 1;
    return state.journal.tentatively(() => {
      takeOff(state, i);
      return targets.flatMap((t) => {
        const asPrimary = migrationRefusal(state, parked, t) || primaryRefusal(state, i, t, isSoft);
        const asSecondary = secondaryRefusal(state, i, t, parked, false, isSoft);
        return [
          ...(asPrimary === ALLOWED ? [] : [this.explain(i, t, { kind: 'primary' }, asPrimary)]),
          ...(asSecondary === ALLOWED
            ? []
            : [this.explain(i, t, { kind: 'secondary', primary: parked }, asSecondary)]),
        ];
      });
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
