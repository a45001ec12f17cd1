/**
 * Carries out one move on the checker's model, command by command, and notes each node rule that it breaks.
 *
 * What counts as "off an offline node", and so lifts the soft rules, differs by kind of move as in the stock
 * programs: the old primary where the instance starts on its secondary, the old secondary where that is
 * replaced.
 */
import {
  FAILOVER,
  FAILOVER_AND_REPLACE,
  FAILOVER_TO_ANY,
  type MoveKind,
  placementAfter,
  REPLACE_AND_FAILOVER,
  REPLACE_PRIMARY,
  REPLACE_SECONDARY,
} from '../../model/moves/kinds.ts';
import { bookPrimary, bookSecondary } from './bookings.ts';
import { type BrokenRule, migrationRules, primaryRules, secondaryRules } from './node-rules.ts';
import { commonLocations, type Replica, type ReplicaNode } from './replica.ts';

/** A move of a mirrored instance: all nodes it may need. `target` is the secondary itself for a failover. */
interface MirroredMove {
  readonly replica: Replica;
  readonly position: number;
  readonly primary: ReplicaNode;
  readonly secondary: ReplicaNode;
  readonly target: ReplicaNode;
  readonly ignoreSoftErrors: boolean;
}

function arriveAsPrimary(move: MirroredMove, node: ReplicaNode, isStrict: boolean): readonly BrokenRule[] {
  const instance = move.replica.start.instances[move.position]!;
  const broken = primaryRules(node, instance, isStrict);
  bookPrimary(move.replica, node, move.position, 1);
  return broken;
}

function arriveAsSecondary(
  move: MirroredMove,
  node: ReplicaNode,
  primary: ReplicaNode,
  isStrict: boolean,
  ignoresDisk = false,
): readonly BrokenRule[] {
  const instance = move.replica.start.instances[move.position]!;
  const broken = secondaryRules(node, instance, primary.position, { isStrict, ignoresDisk });
  bookSecondary(move.replica, node, move.position, primary.position, 1);
  return broken;
}

function failover(move: MirroredMove): readonly BrokenRule[] {
  const { primary, secondary, ignoreSoftErrors } = move;
  const isEscape = primary.record.isOffline;
  const isStrict = !(isEscape || ignoreSoftErrors);
  return [
    ...migrationRules(primary, secondary),
    ...arriveAsPrimary(move, secondary, isStrict),
    ...arriveAsSecondary(move, primary, secondary, isStrict, isEscape),
  ];
}

function replaceSecondary(move: MirroredMove): readonly BrokenRule[] {
  const { primary, secondary, target, ignoreSoftErrors } = move;
  return [
    ...arriveAsSecondary(move, target, primary, !(secondary.record.isOffline || ignoreSoftErrors)),
    ...arriveAsPrimary(move, primary, false),
  ];
}

function replaceAndFailover(move: MirroredMove): readonly BrokenRule[] {
  const { primary, secondary, target, ignoreSoftErrors } = move;
  return [
    ...migrationRules(primary, target),
    ...arriveAsPrimary(move, target, !ignoreSoftErrors),
    ...arriveAsSecondary(move, primary, target, !(secondary.record.isOffline || ignoreSoftErrors)),
  ];
}

function replacePrimary(move: MirroredMove): readonly BrokenRule[] {
  const { replica, position, primary, secondary, target, ignoreSoftErrors } = move;
  const isStrict = !(primary.record.isOffline || ignoreSoftErrors);
  // The secondary hosts the instance until the target has its disks.
  const onTheWay = primaryRules(secondary, replica.start.instances[position]!, isStrict);
  return [
    ...migrationRules(primary, secondary),
    ...migrationRules(secondary, target),
    ...onTheWay,
    ...arriveAsPrimary(move, target, isStrict),
    ...arriveAsSecondary(move, secondary, target, isStrict),
  ];
}

function failoverAndReplace(move: MirroredMove): readonly BrokenRule[] {
  const { primary, secondary, target, ignoreSoftErrors } = move;
  const isStrict = !(primary.record.isOffline || ignoreSoftErrors);
  return [
    ...migrationRules(primary, secondary),
    ...arriveAsPrimary(move, secondary, isStrict),
    ...arriveAsSecondary(move, target, secondary, isStrict),
  ];
}

const MIRRORED: Record<
  Exclude<MoveKind, typeof FAILOVER_TO_ANY>,
  (move: MirroredMove) => readonly BrokenRule[]
> = {
  [FAILOVER]: failover,
  [REPLACE_SECONDARY]: replaceSecondary,
  [REPLACE_AND_FAILOVER]: replaceAndFailover,
  [REPLACE_PRIMARY]: replacePrimary,
  [FAILOVER_AND_REPLACE]: failoverAndReplace,
};

function failoverToAny(
  replica: Replica,
  position: number,
  target: ReplicaNode,
  ignoreSoftErrors: boolean,
): readonly BrokenRule[] {
  const primary = replica.nodes[replica.primaryOf[position]!]!;
  const isStrict = !(primary.record.isOffline || ignoreSoftErrors);
  const broken = [
    ...migrationRules(primary, target),
    ...primaryRules(target, replica.start.instances[position]!, isStrict),
  ];
  bookPrimary(replica, primary, position, -1);
  bookPrimary(replica, target, position, 1);
  return broken;
}

/**
 * Moves the instance at `position` and returns the node rules that this breaks. The nodes have to be there: a
 * mirrored instance has a secondary, and every kind but failover a target of its own.
 */
export function replayMove(
  replica: Replica,
  position: number,
  kind: MoveKind,
  target: number,
  ignoreSoftErrors: boolean,
): readonly BrokenRule[] {
  const from = [replica.primaryOf[position]!, replica.secondaryOf[position]!] as const;
  const [toPrimary, toSecondary] = placementAfter(kind, from[0], from[1], target);
  let broken: readonly BrokenRule[];
  if (kind === FAILOVER_TO_ANY) {
    broken = failoverToAny(replica, position, replica.nodes[target]!, ignoreSoftErrors);
  } else {
    const primary = replica.nodes[from[0]]!;
    const secondary = replica.nodes[from[1]]!;
    bookPrimary(replica, primary, position, -1);
    bookSecondary(replica, secondary, position, from[0], -1);
    replica.commonLocationsOf[position] = commonLocations(
      replica.nodes[toPrimary]!,
      replica.nodes[toSecondary]!,
    );
    const targetNode = kind === FAILOVER ? secondary : replica.nodes[target]!;
    broken = MIRRORED[kind]({ replica, position, primary, secondary, target: targetNode, ignoreSoftErrors });
  }
  replica.primaryOf[position] = toPrimary;
  replica.secondaryOf[position] = toSecondary;
  return broken;
}
