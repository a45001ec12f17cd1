/** What no plan may change: each instance is on its nodes once, memory and disk in use stay the same. */
import { hasSecondary } from '../../cluster/templates.ts';
import { type BrokenRule, broken, brokenOf } from './node-rules.ts';
import type { Replica, ReplicaNode } from './replica.ts';

/** The sets of a node that list its instances in a role. */
const setsOf = (node: ReplicaNode, isPrimary: boolean): readonly ReadonlySet<number>[] =>
  isPrimary ? [node.primaries, node.forthcomingPrimaries] : [node.secondaries, node.forthcomingSecondaries];

function placementFaults(
  before: readonly ReplicaNode[],
  { start, nodes, primaryOf, secondaryOf }: Replica,
  moved: readonly number[],
  role: 'primary' | 'secondary',
): readonly BrokenRule[] {
  const isPrimary = role === 'primary';
  const wanted = isPrimary ? primaryOf : secondaryOf;
  const after = new Map(before.map(({ position }) => [position, setsOf(nodes[position]!, isPrimary)]));
  const wrong = new Set<number>();
  const expect = (position: number): void => {
    const lists = after.get(wanted[position]!)?.filter((set) => set.has(position));
    if (lists !== undefined && lists.length !== 1) wrong.add(position);
  };
  moved.forEach(expect);
  for (const node of before) for (const set of setsOf(node, isPrimary)) set.forEach(expect);
  for (const [node, sets] of after)
    for (const set of sets) for (const position of set) if (wanted[position] !== node) wrong.add(position);
  return [...wrong].map((position) => {
    const found = [...after].flatMap(([node, sets]) =>
      sets.filter((set) => set.has(position)).map(() => node),
    );
    const names = found.map((node) => start.nodes[node]!.alias).join(', ') || 'no node';
    return broken('nothing-lost', `${start.instances[position]!.alias} has ${role} on ${names}`);
  });
}

const TOTALS: readonly (readonly [string, (node: ReplicaNode) => number])[] = [
  ['free memory', (node) => node.now.freeMemMib],
  ['free disk', (node) => node.now.freeDiskMib],
  ['free memory with forthcoming instances', (node) => node.planned.freeMemMib],
  ['free disk with forthcoming instances', (node) => node.planned.freeDiskMib],
];

/**
 * Compares a replay's end with its start: nothing lost, nothing doubled.
 * @param before the plan's nodes as they were @param moved the plan's instances
 */
export const conservationRules = (
  before: readonly ReplicaNode[],
  after: Replica,
  moved: readonly number[],
): readonly BrokenRule[] =>
  brokenOf(
    ...placementFaults(before, after, moved, 'primary'),
    ...placementFaults(before, after, moved, 'secondary'),
    ...TOTALS.map(([what, pick]) => {
      const was = before.reduce((sum, node) => sum + pick(node), 0);
      const is = before.reduce((sum, { position }) => sum + pick(after.nodes[position]!), 0);
      return (
        was !== is && broken('conservation', `${what} of the plan's nodes was ${was} MiB and is ${is} MiB`)
      );
    }),
  );

/** Second copies moved and left in two groups. @param mayStay whether those may that were so before */
export function splitRules(
  { start, primaryOf, secondaryOf }: Replica,
  moved: readonly number[],
  mayStay: boolean,
): readonly BrokenRule[] {
  const groupsOf = (...nodes: readonly number[]): readonly number[] => [
    ...new Set(nodes.flatMap((node) => start.nodes[node]?.group ?? [])),
  ];
  return moved.flatMap((position) => {
    const { alias, primary, secondary, diskTemplate } = start.instances[position]!;
    if (!hasSecondary(diskTemplate)) return [];
    const groups = groupsOf(primaryOf[position]!, secondaryOf[position]!);
    if (groups.length < 2 || (mayStay && groupsOf(primary, secondary).length === 2)) return [];
    const names = groups.map((group) => start.groups[group]!.name).join(' and ');
    return broken('one-group', `${alias} ends in two groups: ${names}`);
  });
}
