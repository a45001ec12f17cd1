/** What no plan may change: each instance is on its nodes once, memory and disk in use stay the same. */
import { kept } from '../../../kit/kept.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { hasSecondary } from '../../cluster/templates.ts';
import { type BrokenRule, broken, brokenOf } from './node-rules.ts';
import type { Replica, ReplicaNode } from './replica.ts';

/** The sets of a node that list its instances in a role. */
const setsOf = (node: ReplicaNode, isPrimary: boolean): readonly ReadonlySet<number>[] =>
  isPrimary ? [node.primaries, node.forthcomingPrimaries] : [node.secondaries, node.forthcomingSecondaries];

interface Part {
  /** Positions of nodes, and of the instances that it moved. */
  readonly nodes: readonly number[];
  readonly moved: ReadonlySet<number>;
  /** Positions of the instances that each node had at the start. */
  readonly residents: readonly (readonly number[])[];
}

function placementFaults(
  { start, nodes, primaryOf, secondaryOf }: Replica,
  { nodes: places, moved, residents }: Part,
  role: 'primary' | 'secondary',
): readonly BrokenRule[] {
  const isPrimary = role === 'primary';
  const wanted = isPrimary ? primaryOf : secondaryOf;
  /** By instance the nodes of the part that list it. */
  const homes = new Map<number, number[]>([...moved].map((position) => [position, []]));
  for (const node of places) for (const position of residents[node]!) homes.set(position, []);
  for (const node of places)
    for (const set of setsOf(nodes[node]!, isPrimary))
      for (const position of set) kept(homes, position, (): number[] => []).push(node);
  const isPart = new Set(places);
  return [...homes].flatMap(([position, found]) => {
    const expected = wanted[position]!;
    if (isPart.has(expected) ? found.length === 1 && found[0] === expected : found.length === 0) return [];
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

/** What is free on each node, MiB: four figures in the order of TOTALS. */
export const freeOf = ({ nodes }: Replica): readonly (readonly number[])[] =>
  nodes.map((node) => TOTALS.map(([, pick]) => pick(node)));

/** Compares a replay's end with its start: nothing lost, nothing doubled. @param before free on each node */
export const conservationRules = (
  before: ReturnType<typeof freeOf>,
  after: Replica,
  part: Part,
): readonly BrokenRule[] =>
  brokenOf(
    ...placementFaults(after, part, 'primary'),
    ...placementFaults(after, part, 'secondary'),
    ...TOTALS.map(([what, pick], k) => {
      const was = part.nodes.reduce((sum, node) => sum + before[node]![k]!, 0);
      const is = part.nodes.reduce((sum, node) => sum + pick(after.nodes[node]!), 0);
      return (
        was !== is && broken('conservation', `${what} of the plan's nodes was ${was} MiB and is ${is} MiB`)
      );
    }),
  );

/** Second copies moved and left in two groups. @param mayStay whether those may that were so before */
export function splitRules(
  start: Snapshot,
  moved: ReadonlySet<number>,
  primaryOf: readonly number[],
  secondaryOf: readonly number[],
  mayStay: boolean,
): readonly BrokenRule[] {
  const groupsOf = (...nodes: readonly number[]): readonly number[] => [
    ...new Set(nodes.flatMap((node) => start.nodes[node]?.group ?? [])),
  ];
  return [...moved].flatMap((position) => {
    const { alias, primary, secondary, diskTemplate } = start.instances[position]!;
    if (!hasSecondary(diskTemplate)) return [];
    const groups = groupsOf(primaryOf[position]!, secondaryOf[position]!);
    if (groups.length < 2 || (mayStay && groupsOf(primary, secondary).length === 2)) return [];
    const names = groups.map((group) => start.groups[group]!.name).join(' and ');
    return broken('one-group', `${alias} ends in two groups: ${names}`);
  });
}
