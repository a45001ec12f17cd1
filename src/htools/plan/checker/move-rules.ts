/** What a plan's limits say about a move, ahead of nodes: who, which kinds, where to. Source: hbal(1). */
import type { Instance } from '../../cluster/snapshot.ts';
import { isMovableTemplate, mirroringOf } from '../../cluster/templates.ts';
import {
  FAILOVER,
  FAILOVER_AND_REPLACE,
  FAILOVER_TO_ANY,
  MOVE_KIND_NAMES,
  type MoveKind,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../../model/moves/kinds.ts';
import type { PlanLimits } from '../plan.ts';
import { type BrokenRule, broken, brokenOf } from './node-rules.ts';
import type { ReplicaNode } from './replica.ts';

/** Kinds after which the old secondary is or was primary. */
const USES_SECONDARY: ReadonlySet<MoveKind> = new Set([FAILOVER, FAILOVER_AND_REPLACE, REPLACE_PRIMARY]);
const COPIES_DISKS: ReadonlySet<MoveKind> = new Set([
  REPLACE_SECONDARY,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  FAILOVER_AND_REPLACE,
]);
/** Kinds that restricted migration leaves, while the primary is online and when it is offline. */
const RESTRICTED_ONLINE: ReadonlySet<MoveKind> = new Set([FAILOVER, FAILOVER_TO_ANY, REPLACE_SECONDARY]);
const RESTRICTED_OFFLINE: ReadonlySet<MoveKind> = new Set([
  ...RESTRICTED_ONLINE,
  REPLACE_AND_FAILOVER,
  FAILOVER_AND_REPLACE,
]);

/** A move with the nodes it is about, as the checker sees them. */
interface MoveView {
  /** Of the instance in the plan's start. */
  readonly position: number;
  readonly instance: Instance;
  readonly kind: MoveKind;
  readonly primary: ReplicaNode;
  readonly secondary: ReplicaNode | undefined;
  readonly target: ReplicaNode | undefined;
}

/** Rules about the instance: its template, its own settings, evacuation mode. */
export function instanceRules(view: MoveView, limits: PlanLimits): readonly BrokenRule[] {
  const { position, instance, primary, secondary } = view;
  const { alias: name, diskTemplate } = instance;
  const { requestedInstances, emptiedNodes } = limits;
  const mirroring = mirroringOf(diskTemplate);
  const mustLeave =
    requestedInstances !== undefined ||
    [instance.primary, instance.secondary].some((n) => emptiedNodes?.includes(n));
  const canMove = mustLeave ? mirroring !== 'none' : isMovableTemplate(diskTemplate);
  const isOnOffline =
    primary.record.isOffline || (mirroring === 'internal' && secondary?.record.isOffline === true);
  return brokenOf(
    requestedInstances?.includes(position) === false &&
      broken('requested', `${name}: nobody asked for it to be moved`),
    !canMove && broken('movable', `${name}: template ${diskTemplate} cannot be moved`),
    instance.isLeftAlone === true && broken('hands-off', `${name} is to be left alone`),
    !mustLeave && !instance.isMovable && broken('movable', `${name} is not to be moved`),
    !mustLeave && !instance.isAutoBalanced && broken('auto-balance', `${name}: auto_balance is off`),
    limits.evacuationOnly && !isOnOffline && broken('evacuation', `${name} is on no offline node`),
  );
}

/** Rules about the kind of move: template, permissions, restricted migration. */
export function kindRules({ instance, kind, primary }: MoveView, limits: PlanLimits): readonly BrokenRule[] {
  const name = `${instance.alias}: ${MOVE_KIND_NAMES[kind]}`;
  const mirroring = mirroringOf(instance.diskTemplate);
  const isUnsuited = (mirroring === 'external') !== (kind === FAILOVER_TO_ANY) || mirroring === 'none';
  const allowed = primary.record.isOffline ? RESTRICTED_OFFLINE : RESTRICTED_ONLINE;
  return brokenOf(
    isUnsuited && broken('kind', `${name} does not suit template ${instance.diskTemplate}`),
    !limits.diskMoves &&
      COPIES_DISKS.has(kind) &&
      broken('disk-moves', `${name} copies disks, which is not allowed`),
    !limits.instanceMoves &&
      kind !== REPLACE_SECONDARY &&
      broken('instance-moves', `${name} changes the primary, which is not allowed`),
    limits.restrictedMigration &&
      !allowed.has(kind) &&
      broken('restricted-migration', `${name} is not allowed with restricted migration`),
  );
}

/**
 * Rules about the nodes that the move goes to: online, or only drained where a failover is asked for, and of
 * the plan.
 * @param planNodes positions of the plan's nodes; undefined when moves may leave them
 */
export function destinationRules(
  { instance: { alias: name }, kind, primary, secondary, target }: MoveView,
  limits: PlanLimits,
  planNodes: ReadonlySet<number> | undefined,
): readonly BrokenRule[] {
  const mayBeDrained = kind === FAILOVER && limits.requestedInstances !== undefined;
  const isForeign = (node: ReplicaNode): boolean => planNodes?.has(node.position) === false;
  const destinations = [target, USES_SECONDARY.has(kind) ? secondary : undefined];
  const arrival = destinations.flatMap((node) => {
    if (node === undefined) return [];
    const { alias, isOffline, isLeftAlone } = node.record;
    return brokenOf(
      isOffline && !(mayBeDrained && node.isReachable) && broken('online', `${name}: ${alias} is offline`),
      isLeftAlone === true && broken('hands-off', `${name}: ${alias} is to be left alone`),
      isForeign(node) && broken('plan-nodes', `${name}: ${alias} is not a node of the plan`),
    );
  });
  return brokenOf(
    ...arrival,
    target !== undefined &&
      limits.closedNodes?.includes(target.position) === true &&
      broken('closed', `${name}: ${target.record.alias} is to be left`),
    isForeign(primary) &&
      broken('plan-nodes', `${name}: its primary ${primary.record.alias} is not a node of the plan`),
  );
}

/** Commands that Ganeti takes only from a primary that can be reached: a disk is replaced from there. */
export function reachRules({ instance, kind, primary }: MoveView): readonly BrokenRule[] {
  const needsPrimary = kind === REPLACE_SECONDARY || kind === REPLACE_AND_FAILOVER;
  const why = 'is offline, so no disk can be replaced from there';
  return brokenOf(
    needsPrimary &&
      !primary.isReachable &&
      broken('reachable-primary', `${instance.alias}: ${primary.record.alias} ${why}`),
  );
}
