/** Rules as tags (apart: see exclusion tags): pinned, kept off, together, sticky. See rules.md. */
import { isBarredFrom, isSticky, wishesOf } from '../../cluster/tags/placement-tags.ts';
import type { PlanLimits } from '../plan.ts';
import { type BrokenRule, broken, brokenOf } from './node-rules.ts';
import type { Replica } from './replica.ts';

/** Positions of the instances of each set; made once a replica. */
const sets = new WeakMap<Replica, ReadonlyMap<string, readonly number[]>>();

function setsOf(replica: Replica): ReadonlyMap<string, readonly number[]> {
  const known = sets.get(replica);
  if (known) return known;
  const made = new Map<string, number[]>();
  replica.start.instances.forEach(({ tags }, position) => {
    for (const name of wishesOf(tags).together) made.set(name, [...(made.get(name) ?? []), position]);
  });
  sets.set(replica, made);
  return made;
}

/** The wishes that a move breaks, before its replay. @param to primary, secondary; negative for none */
export function wishRules(
  replica: Replica,
  position: number,
  to: readonly [number, number],
  limits: PlanLimits,
): readonly BrokenRule[] {
  const { start, primaryOf, secondaryOf } = replica;
  const instance = start.instances[position]!;
  const { alias } = instance;
  if (instance.tags.length === 0) return [];
  const wishes = wishesOf(instance.tags);
  const from = [primaryOf[position]!, secondaryOf[position]!];
  const isOffline = (node: number): boolean => node >= 0 && start.nodes[node]!.isOffline;
  // A new primary comes by way of the secondary, which carries the instance while its disks are copied.
  const isCarried = to[1] === from[1] && !from.includes(to[0]) && to[1] >= 0;
  const primaries = to[0] === from[0] ? [] : isCarried ? [to[1], to[0]] : [to[0]];
  const isLoose =
    limits.mendsRules || limits.requestedInstances !== undefined || limits.emptiedNodes !== undefined;
  const own = brokenOf(
    ...[...primaries, to[1] === from[1] ? -1 : to[1]].map(
      (node) =>
        node >= 0 &&
        isBarredFrom(wishes, start.nodes[node]!) &&
        broken('pinned', `${alias}: its tags keep it off ${start.nodes[node]!.alias}`),
    ),
    isSticky(instance.tags) &&
      !isLoose &&
      !from.some(isOffline) &&
      broken('sticky', `${alias} is sticky, and on no offline node`),
  );
  if (limits.ignoreSoftErrors || instance.isForthcoming || isOffline(from[0]!)) return own;
  const parted = wishes.together.flatMap((name) => {
    const mates = setsOf(replica)
      .get(name)!
      .filter((mate) => mate !== position && primaryOf[mate]! >= 0);
    const count = (node: number): number => mates.filter((mate) => primaryOf[mate] === node).length;
    const best = mates.map((mate) => primaryOf[mate]!).filter((node) => !isOffline(node));
    return primaries
      .filter((node) => best.some((other) => count(other) > count(node)))
      .map((node) => broken('together', `${alias}: ${start.nodes[node]!.alias} parts it from ${name}`));
  });
  return [...own, ...parted];
}
