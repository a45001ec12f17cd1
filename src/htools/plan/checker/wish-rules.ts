/** Rules as tags (apart: see exclusion tags): pinned, kept off, sets, sticky. See rules.md. */
import { kept } from '../../../kit/kept.ts';
import {
  isBarredFrom,
  isSticky,
  mayWish,
  SET_RULE_NAMES,
  type SetRuleName,
  wishesOf,
} from '../../cluster/tags/placement-tags.ts';
import { hasSecondary } from '../../cluster/templates.ts';
import type { PlanLimits } from '../plan.ts';
import { type BrokenRule, broken, brokenOf } from './node-rules.ts';
import type { Replica } from './replica.ts';

/**
 * What is wrong with one more of a set on a node. @param there others of it on the node @param best the most
 * others on one online node
 */
const SET_FAULTS: Readonly<
  Record<SetRuleName, (there: number, best: number, name: string) => string | false>
> = { together: (there, best, name) => there < best && `parts it from ${name}` };

/** Positions of the instances of each set, by rule and name; made once a replica. */
const sets = new WeakMap<Replica, ReadonlyMap<string, readonly number[]>>();

const setsOf = (replica: Replica): ReadonlyMap<string, readonly number[]> =>
  kept(sets, replica, () => {
    const made = new Map<string, number[]>();
    replica.start.instances.forEach(({ tags }, position) => {
      const wishes = wishesOf(tags);
      for (const rule of SET_RULE_NAMES)
        for (const name of wishes[rule]) kept(made, `${rule}:${name}`, (): number[] => []).push(position);
    });
    return made;
  });

/**
 * Nodes that get a new role by a move, before its replay: those that become primary, in order, and all.
 * @param to primary, secondary; negative for none
 */
export function arrivalsOf(
  { start, primaryOf, secondaryOf }: Replica,
  position: number,
  to: readonly [number, number],
) {
  const from = [primaryOf[position]!, secondaryOf[position]!];
  // A new primary comes by way of the second copy, if there is one: it carries the instance meanwhile.
  const isCarried =
    hasSecondary(start.instances[position]!.diskTemplate) &&
    to[1] === from[1] &&
    !from.includes(to[0]) &&
    to[1] >= 0;
  const primaries = to[0] === from[0] ? [] : isCarried ? [to[1], to[0]] : [to[0]];
  return { primaries, nodes: to[1] < 0 || to[1] === from[1] ? primaries : [...primaries, to[1]] };
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
  if (!mayWish(instance.tags)) return [];
  const wishes = wishesOf(instance.tags);
  const from = [primaryOf[position]!, secondaryOf[position]!];
  const isOffline = (node: number): boolean => node >= 0 && start.nodes[node]!.isOffline;
  const { primaries, nodes } = arrivalsOf(replica, position, to);
  const isLoose =
    limits.mendsRules || limits.requestedInstances !== undefined || limits.emptiedNodes !== undefined;
  const own = brokenOf(
    ...nodes.map(
      (node) =>
        isBarredFrom(wishes, start.nodes[node]!) &&
        broken('pinned', `${alias}: its tags keep it off ${start.nodes[node]!.alias}`),
    ),
    isSticky(instance.tags) &&
      !isLoose &&
      !from.some(isOffline) &&
      broken('sticky', `${alias} is sticky, and on no offline node`),
  );
  // Only a new secondary that becomes primary (`r:t f`) is asked soft rules whatever node it relieves.
  const isLifted = isOffline(from[0]!) && (to[1] !== from[0] || to[0] === from[1]);
  if (limits.ignoreSoftErrors || instance.isForthcoming || isLifted) return own;
  const ofSets = SET_RULE_NAMES.flatMap((rule) =>
    wishes[rule].flatMap((name) => {
      const others = setsOf(replica)
        .get(`${rule}:${name}`)!
        .map((mate) => (mate === position ? -1 : primaryOf[mate]!));
      const count = (node: number): number => others.filter((other) => other === node).length;
      const best = Math.max(0, ...others.filter((other) => other >= 0 && !isOffline(other)).map(count));
      return primaries.map((node) => {
        const fault = SET_FAULTS[rule](count(node), best, name);
        return fault !== false && broken(rule, `${alias}: ${start.nodes[node]!.alias} ${fault}`);
      });
    }),
  );
  return [...own, ...brokenOf(...ofSets)];
}
