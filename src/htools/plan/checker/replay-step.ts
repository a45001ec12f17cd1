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

/** Moves a mirrored instance from two nodes to two nodes. */
function moveMirrored(
  replica: Replica,
  position: number,
  kind: Exclude<MoveKind, typeof FAILOVER_TO_ANY>,
  [primary, secondary]: readonly [ReplicaNode, ReplicaNode],
  [newPrimary, newSecondary]: readonly [ReplicaNode, ReplicaNode],
  ignoreSoftErrors: boolean,
): readonly BrokenRule[] {
  const instance = replica.start.instances[position]!;
  const isStrictOff = (node: ReplicaNode): boolean => !(node.record.isOffline || ignoreSoftErrors);
  const arriveAsPrimary = (isStrict: boolean): readonly BrokenRule[] => {
    const broken = primaryRules(newPrimary, instance, isStrict);
    bookPrimary(replica, newPrimary, position, 1);
    return broken;
  };
  const arriveAsSecondary = (isStrict: boolean, ignoresDisk = false): readonly BrokenRule[] => {
    const broken = secondaryRules(newSecondary, instance, newPrimary.position, { isStrict, ignoresDisk });
    bookSecondary(replica, newSecondary, position, newPrimary.position, 1);
    return broken;
  };
  bookPrimary(replica, primary, position, -1);
  bookSecondary(replica, secondary, position, primary.position, -1);
  replica.commonLocationsOf[position] = commonLocations(newPrimary, newSecondary);
  switch (kind) {
    case FAILOVER:
    case FAILOVER_AND_REPLACE:
      return [
        ...migrationRules(primary, newPrimary),
        ...arriveAsPrimary(isStrictOff(primary)),
        ...arriveAsSecondary(isStrictOff(primary), kind === FAILOVER && primary.record.isOffline),
      ];
    case REPLACE_SECONDARY:
      return [...arriveAsSecondary(isStrictOff(secondary)), ...arriveAsPrimary(false)];
    case REPLACE_AND_FAILOVER:
      return [
        ...migrationRules(primary, newPrimary),
        ...arriveAsPrimary(!ignoreSoftErrors),
        ...arriveAsSecondary(isStrictOff(secondary)),
      ];
    case REPLACE_PRIMARY:
      return [
        ...migrationRules(primary, secondary),
        ...migrationRules(secondary, newPrimary),
        // The secondary hosts the instance until the target has its disks.
        ...primaryRules(secondary, instance, isStrictOff(primary)),
        ...arriveAsPrimary(isStrictOff(primary)),
        ...arriveAsSecondary(isStrictOff(primary)),
      ];
  }
}

function failoverToAny(
  replica: Replica,
  position: number,
  primary: ReplicaNode,
  target: ReplicaNode,
  ignoreSoftErrors: boolean,
): readonly BrokenRule[] {
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
  const { nodes, primaryOf, secondaryOf } = replica;
  const [p, s] = [primaryOf[position]!, secondaryOf[position]!];
  const [P, S] = placementAfter(kind, p, s, target);
  primaryOf[position] = P;
  secondaryOf[position] = S;
  if (kind === FAILOVER_TO_ANY)
    return failoverToAny(replica, position, nodes[p]!, nodes[P]!, ignoreSoftErrors);
  const from = [nodes[p]!, nodes[s]!] as const;
  return moveMirrored(replica, position, kind, from, [nodes[P]!, nodes[S]!], ignoreSoftErrors);
}
