/**
 * What the limits of a plan say about a move, before any node is asked: who may move, which kinds, where to.
 * Source: hbal(1), `--evac-mode`, `--no-disk-moves`, `--no-instance-moves`, `--restricted-migration`.
 */
import type { Instance } from '../../cluster/snapshot.ts';
import { isMovableTemplate, mirroringOf } from '../../cluster/templates.ts';
import type { MoveKind } from '../../model/moves/kinds.ts';
import {
  FAILOVER,
  FAILOVER_AND_REPLACE,
  FAILOVER_TO_ANY,
  MOVE_KIND_NAMES,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../../model/moves/kinds.ts';
import type { PlanLimits } from '../plan.ts';
import type { BrokenRule } from './node-rules.ts';
import type { ReplicaNode } from './replica.ts';

/** Kinds after which the old secondary is or was primary. */
const USES_SECONDARY: ReadonlySet<MoveKind> = new Set([FAILOVER, FAILOVER_AND_REPLACE, REPLACE_PRIMARY]);
/** Kinds that copy disks. */
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
  const { instance, primary, secondary } = view;
  const broken: BrokenRule[] = [];
  const name = instance.alias;
  const { requestedInstances } = limits;
  if (requestedInstances && !requestedInstances.includes(view.position))
    broken.push({ rule: 'requested', message: `${name}: nobody asked for it to be moved` });
  const mustLeave =
    requestedInstances !== undefined ||
    [instance.primary, instance.secondary].some((n) => limits.emptiedNodes?.includes(n));
  const canMove = mustLeave
    ? mirroringOf(instance.diskTemplate) !== 'none'
    : isMovableTemplate(instance.diskTemplate);
  if (!canMove) {
    broken.push({ rule: 'movable', message: `${name}: template ${instance.diskTemplate} cannot be moved` });
  }
  if (!mustLeave && !instance.isMovable) {
    broken.push({ rule: 'movable', message: `${name} is not to be moved` });
  }
  if (!mustLeave && !instance.isAutoBalanced) {
    broken.push({ rule: 'auto-balance', message: `${name}: auto_balance is off` });
  }
  const isOnOffline =
    primary.record.isOffline ||
    (mirroringOf(instance.diskTemplate) === 'internal' && secondary?.record.isOffline === true);
  if (limits.evacuationOnly && !isOnOffline) {
    broken.push({ rule: 'evacuation', message: `${name} is on no offline node` });
  }
  return broken;
}

/** Rules about the kind of move: template, permissions, restricted migration. */
export function kindRules(view: MoveView, limits: PlanLimits): readonly BrokenRule[] {
  const { instance, kind, primary } = view;
  const broken: BrokenRule[] = [];
  const name = `${instance.alias}: ${MOVE_KIND_NAMES[kind]}`;
  const mirroring = mirroringOf(instance.diskTemplate);
  if ((mirroring === 'external') !== (kind === FAILOVER_TO_ANY) || mirroring === 'none') {
    broken.push({ rule: 'kind', message: `${name} does not suit template ${instance.diskTemplate}` });
  }
  if (!limits.diskMoves && COPIES_DISKS.has(kind)) {
    broken.push({ rule: 'disk-moves', message: `${name} copies disks, which is not allowed` });
  }
  if (!limits.instanceMoves && kind !== REPLACE_SECONDARY) {
    broken.push({ rule: 'instance-moves', message: `${name} changes the primary, which is not allowed` });
  }
  const allowed = primary.record.isOffline ? RESTRICTED_OFFLINE : RESTRICTED_ONLINE;
  if (limits.restrictedMigration && !allowed.has(kind)) {
    broken.push({
      rule: 'restricted-migration',
      message: `${name} is not allowed with restricted migration`,
    });
  }
  return broken;
}

/**
 * Rules about the nodes that the move goes to: online, or only drained where a failover is asked for, and of
 * the plan.
 * @param planNodes positions of the plan's nodes; undefined when moves may leave them
 */
export function destinationRules(
  view: MoveView,
  limits: PlanLimits,
  planNodes: ReadonlySet<number> | undefined,
): readonly BrokenRule[] {
  const { instance, kind, primary, secondary, target } = view;
  const broken: BrokenRule[] = [];
  const destinations = [target, USES_SECONDARY.has(kind) ? secondary : undefined];
  for (const node of destinations) {
    if (node === undefined) continue;
    const mayBeDrained = kind === FAILOVER && limits.requestedInstances !== undefined;
    if (node.record.isOffline && !(mayBeDrained && node.isReachable)) {
      broken.push({ rule: 'online', message: `${instance.alias}: ${node.record.alias} is offline` });
    }
    if (planNodes !== undefined && !planNodes.has(node.position)) {
      broken.push({
        rule: 'plan-nodes',
        message: `${instance.alias}: ${node.record.alias} is not a node of the plan`,
      });
    }
  }
  if (target && limits.closedNodes?.includes(target.position)) {
    broken.push({ rule: 'closed', message: `${instance.alias}: ${target.record.alias} is to be left` });
  }
  if (planNodes !== undefined && !planNodes.has(primary.position)) {
    broken.push({
      rule: 'plan-nodes',
      message: `${instance.alias}: its primary ${primary.record.alias} is not a node of the plan`,
    });
  }
  return broken;
}

/** Commands that Ganeti takes only from a primary that can be reached: a disk is replaced from there. */
export function reachRules({ instance, kind, primary }: MoveView): readonly BrokenRule[] {
  const needsPrimary = kind === REPLACE_SECONDARY || kind === REPLACE_AND_FAILOVER;
  if (!needsPrimary || primary.isReachable) return [];
  const message = `${instance.alias}: ${primary.record.alias} is offline, so no disk can be replaced from there`;
  return [{ rule: 'reachable-primary', message }];
}
