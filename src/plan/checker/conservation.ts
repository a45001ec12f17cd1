/**
 * What no plan may change: every instance is on its nodes once, and memory and disk in use stay what they were.
 */
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { BrokenRule } from './node-rules.ts';
import type { Replica } from './replica.ts';

/** The part of a model that the invariants look at. */
export type Holdings = Pick<Replica, 'start' | 'primaryOf' | 'secondaryOf'> & {
  readonly nodes: readonly Pick<
    Replica['nodes'][number],
    'primaries' | 'secondaries' | 'forthcomingPrimaries' | 'forthcomingSecondaries' | 'now' | 'planned'
  >[];
};

/** For each instance the nodes that list it in that role. */
function homesOf(holdings: Holdings, isPrimary: boolean): readonly number[][] {
  const homes: number[][] = holdings.start.instances.map(() => []);
  holdings.nodes.forEach((node, at) => {
    const sets = isPrimary
      ? [node.primaries, node.forthcomingPrimaries]
      : [node.secondaries, node.forthcomingSecondaries];
    for (const position of sets.flatMap((set) => [...set])) homes[position]!.push(at);
  });
  return homes;
}

function placementFaults(holdings: Holdings, role: 'primary' | 'secondary'): readonly BrokenRule[] {
  const { start } = holdings;
  const isPrimary = role === 'primary';
  const wanted = isPrimary ? holdings.primaryOf : holdings.secondaryOf;
  const homes = homesOf(holdings, isPrimary);
  const broken: BrokenRule[] = [];
  start.instances.forEach((instance, position) => {
    const expected = wanted[position]! < 0 ? [] : [wanted[position]!];
    if (homes[position]!.join() === expected.join()) return;
    const names = homes[position]!.map((node) => start.nodes[node]!.alias).join(', ') || 'no node';
    broken.push({ rule: 'nothing-lost', message: `${instance.alias} has ${role} on ${names}` });
  });
  return broken;
}

const TOTALS: readonly (readonly [string, (node: Holdings['nodes'][number]) => number])[] = [
  ['free memory', (node) => node.now.freeMemMib],
  ['free disk', (node) => node.now.freeDiskMib],
  ['free memory with forthcoming instances', (node) => node.planned.freeMemMib],
  ['free disk with forthcoming instances', (node) => node.planned.freeDiskMib],
];

/** What is free on all nodes together, MiB: four figures in the order of TOTALS. */
export const totalsOf = ({ nodes }: Pick<Holdings, 'nodes'>): readonly number[] =>
  TOTALS.map(([, pick]) => nodes.reduce((sum, node) => sum + pick(node), 0));

/** Compares the end of a replay with its start; empty = nothing lost and nothing doubled. */
export function conservationRules(before: readonly number[], after: Holdings): readonly BrokenRule[] {
  const broken = [...placementFaults(after, 'primary'), ...placementFaults(after, 'secondary')];
  const now = totalsOf(after);
  TOTALS.forEach(([what], k) => {
    if (before[k] === now[k]) return;
    const message = `${what} of all nodes was ${before[k]} MiB and is ${now[k]} MiB`;
    broken.push({ rule: 'conservation', message });
  });
  return broken;
}

/**
 * Mirrored instances that a plan moved and left with their nodes in two groups.
 * @param mayStay whether those may stay so that were so at the start
 */
export function splitRules(
  start: Snapshot,
  moved: ReadonlySet<number>,
  primaryOf: readonly number[],
  secondaryOf: readonly number[],
  mayStay: boolean,
): readonly BrokenRule[] {
  const broken: BrokenRule[] = [];
  const groupsOf = (...nodes: readonly number[]): readonly number[] => [
    ...new Set(nodes.flatMap((node) => start.nodes[node]?.group ?? [])),
  ];
  for (const position of moved) {
    const { alias, primary, secondary } = start.instances[position]!;
    const groups = groupsOf(primaryOf[position]!, secondaryOf[position]!);
    if (groups.length < 2 || (mayStay && groupsOf(primary, secondary).length === 2)) continue;
    const names = groups.map((group) => start.groups[group]!.name).join(' and ');
    broken.push({ rule: 'one-group', message: `${alias} ends in two groups: ${names}` });
  }
  return broken;
}
