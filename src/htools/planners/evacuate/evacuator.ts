/**
 * Getting instances off their nodes one after the other, in their group or to another. Source: stock Evacuate
 * (nodeEvacInstance, tryNodeEvac) and tryChangeGroup; iallocator protocol of ganeti(7).
 */
import { InternalError } from '../../../kit/faults.ts';
import { kept } from '../../../kit/kept.ts';
import type { EvacuationMode } from '../../cluster/iallocator-request.ts';
import { ALLOWED } from '../../cluster/refusal.ts';
import { NO_NODE } from '../../cluster/snapshot.ts';
import { type DiskTemplate, hasSecondary, mirroringOf, requiredNodes } from '../../cluster/templates.ts';
import { applyMove } from '../../model/moves/apply.ts';
import { FAILOVER, FAILOVER_TO_ANY, REPLACE_SECONDARY } from '../../model/moves/kinds.ts';
import { TargetChooser } from '../../model/redundancy/drbd/best-target.ts';
import { groupScope } from '../../model/state/scope.ts';
import { type ClusterState, MIRROR_INTERNAL } from '../../model/state/state.ts';
import type { GroupAllocation } from '../allocate/by-group/group-allocation.ts';
import type { EvacuationTrace } from './evacuation-trace.ts';
import type { Evacuation, EvacuationMove, Found } from './outcome.ts';
import { PairRelocation, parkedOn } from './pair-relocation.ts';

/** How instances get off their nodes within their groups; the state is left as it is then. */
export type EvacuationWay = (
  state: ClusterState,
  instances: readonly number[],
  mode: EvacuationMode,
  options: { readonly ignoreSoftErrors: boolean; readonly evacuations?: EvacuationTrace | undefined },
) => readonly Evacuation[];

const UNMOVABLE: ReadonlySet<DiskTemplate> = new Set(['plain', 'file']);

/** The node whose disks are copied or taken over, where Ganeti cannot ask it; else undefined. */
export function unreachableNode(state: ClusterState, i: number, mode: EvacuationMode): number | undefined {
  if (state.mirroring[i] !== MIRROR_INTERNAL || state.secondary[i] === NO_NODE) return undefined;
  const kept = mode === 'primary-only' ? state.secondary[i]! : state.primary[i]!;
  const used = mode === 'all' ? parkedOn(state, i) : kept;
  return state.isReachable[used] ? undefined : used;
}

export class Evacuator {
  /** By group. */
  private readonly choosers = new Map<number, TargetChooser>();

  /** @param ignoreSoftErrors leave out the soft rules @param trace keeps account of all that is tried */
  constructor(
    readonly state: ClusterState,
    private readonly ignoreSoftErrors: boolean,
    private readonly trace?: EvacuationTrace,
  ) {}

  private groupOf(i: number): number {
    return this.state.groupOf[this.state.primary[i]!]!;
  }

  private nodesOf(group: number): readonly number[] {
    return groupScope(this.state.snapshot, group).nodes;
  }

  /** Evacuates within groups, on the state. Nodes that any instance is to leave take none of the others. */
  evacuate(instances: readonly number[], mode: EvacuationMode): Evacuation[] {
    const targets = this.targetsOf(instances, mode);
    return instances.map((i, k) => this.carryOut(i, this.find(i, mode, targets[k]!), targets[k]!));
  }

  /** For each instance the nodes of its group that it may go to, seen from where all of them are now. */
  targetsOf(instances: readonly number[], mode: EvacuationMode): readonly (readonly number[])[] {
    const excluded = this.nodesToLeave(instances, mode);
    return instances.map((i) => {
      const home = this.state.primary[i]!;
      return this.nodesOf(this.groupOf(i)).filter((n) => n !== home && !excluded.has(n));
    });
  }

  /** Moves each instance to the group with the best place. @param targetGroups none = all but its own */
  changeGroup(
    instances: readonly number[],
    targetGroups: readonly number[],
    allocation: GroupAllocation,
  ): Evacuation[] {
    const { state } = this;
    const left = new Set(instances.map((i) => this.groupOf(i)));
    const wanted = targetGroups.length > 0 ? targetGroups : [...state.snapshot.groups.keys()];
    const allowed = withoutEach(wanted, left);
    return instances.map((i) => {
      const record = state.instanceRecord(i);
      const search = allocation.search(
        { instance: record, requiredNodes: requiredNodes(record.diskTemplate) },
        allowed,
        i,
      );
      if (!search.best) return this.carryOut(i, { kind: 'no-group', search, allowed }, []);
      const { group } = search.best;
      const targets = this.nodesOf(group).filter((n) => !state.isOffline[n]);
      const before = [state.primary[i]!, state.secondary[i]!];
      const outcome = this.carryOut(i, this.find(i, 'all', targets, group), targets);
      // It ends on targets of its moves.
      if (outcome.isMoved) allocation.refresh(touchedBy(before, outcome.moves));
      return outcome;
    });
  }

  /** Nodes that take none of the instances, since they are offline or some are to leave them. */
  nodesToLeave(instances: readonly number[], mode: EvacuationMode): Set<number> {
    const { state } = this;
    const nodes = new Set([...state.isOffline.keys()].filter((n) => state.isOffline[n] === 1));
    for (const i of instances) {
      if (mode !== 'secondary-only') nodes.add(state.primary[i]!);
      if (mode !== 'primary-only' && hasSecondary(state.instanceRecord(i).diskTemplate))
        nodes.add(state.secondary[i]!);
    }
    return nodes;
  }

  /** The moves for an instance to nodes of a group, else its own; or why none. The state is as before. */
  find(i: number, mode: EvacuationMode, targets: readonly number[], group: number = this.groupOf(i)): Found {
    const { diskTemplate: template } = this.state.instanceRecord(i);
    if (UNMOVABLE.has(template)) return { kind: 'unmovable', template };
    if (mirroringOf(template) === 'external') {
      return mode === 'secondary-only'
        ? { kind: 'no-secondary', template }
        : this.findTarget(i, FAILOVER_TO_ANY, group, targets);
    }
    // A record that contradicts itself: it says that there is a copy, and not where.
    if (this.state.secondary[i]! === NO_NODE) return { kind: 'unmovable', template };
    const node = unreachableNode(this.state, i, mode);
    if (node !== undefined) return { kind: 'unreachable', node };
    if (mode === 'primary-only') return this.findFailover(i);
    if (mode === 'secondary-only') return this.findTarget(i, REPLACE_SECONDARY, group, targets);
    return new PairRelocation(this.state, this.nodesOf(group), this.ignoreSoftErrors).find(i, targets);
  }

  private findFailover(i: number): Found {
    const { state } = this;
    const code = state.journal.tentatively(() => applyMove(state, i, FAILOVER, -1, this.ignoreSoftErrors));
    return code === ALLOWED ? [{ kind: FAILOVER, target: -1 }] : { kind: 'failover-refused', code };
  }

  private findTarget(
    i: number,
    kind: typeof FAILOVER_TO_ANY | typeof REPLACE_SECONDARY,
    group: number,
    targets: readonly number[],
  ): Found {
    const chooser = kept(this.choosers, group, () => new TargetChooser(this.state, this.nodesOf(group)));
    const best = chooser.choose(i, kind, targets, this.ignoreSoftErrors);
    if (best !== undefined) return [{ kind, target: best }];
    const refusals = targets.map((node, k) => ({ node, code: chooser.refusals[k]! }));
    return { kind: 'no-target', refusals };
  }

  /** Makes the moves that were found. @param targets nodes that were tried */
  carryOut(i: number, found: Found, targets: readonly number[]): Evacuation {
    const { state } = this;
    const from = [state.primary[i]!, state.secondary[i]!] as const;
    const outcome =
      'kind' in found ? ({ instance: i, isMoved: false, failure: found } as const) : this.move(i, found);
    this.trace?.note(outcome, from, targets, this.ignoreSoftErrors);
    return outcome;
  }

  private move(i: number, found: readonly EvacuationMove[]): Evacuation {
    const { state } = this;
    const touched = touchedBy([state.primary[i]!, state.secondary[i]!], found);
    for (const { kind, target } of found)
      if (applyMove(state, i, kind, target, this.ignoreSoftErrors) !== ALLOWED)
        throw new InternalError(`instance ${i}: a move was found possible and then refused`);
    for (const chooser of this.choosers.values()) chooser.refresh(touched);
    const primary = state.primary[i]!;
    const secondary = state.secondary[i]!;
    return { instance: i, isMoved: true, moves: found, group: this.groupOf(i), primary, secondary };
  }
}

/** Nodes that moves of an instance touch. @param from where it was before */
const touchedBy = (from: readonly number[], moves: readonly EvacuationMove[]): number[] =>
  [...new Set([...from, ...moves.map(({ target }) => target)])].filter((n) => n >= 0);

/** A list less one occurrence of each of the given values. */
function withoutEach(list: readonly number[], values: ReadonlySet<number>): number[] {
  const left = new Set(values);
  return list.filter((value) => !left.delete(value));
}
