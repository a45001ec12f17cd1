/** What no plan may change: each instance is on its nodes once, memory and disk in use stay the same. */
import type { Snapshot } from '../../cluster/snapshot.ts';
import { type BrokenRule, broken, brokenOf } from './node-rules.ts';
import type { Replica } from './replica.ts';

/** The part of a model that the invariants look at. */
type Holdings = Pick<Replica, 'start' | 'primaryOf' | 'secondaryOf'> & {
  readonly nodes: readonly Pick<
    Replica['nodes'][number],
    'primaries' | 'secondaries' | 'forthcomingPrimaries' | 'forthcomingSecondaries' | 'now' | 'planned'
  >[];
};

/** The sets of a node that list its instances in a role. */
const setsOf = (node: Holdings['nodes'][number], isPrimary: boolean): readonly ReadonlySet<number>[] =>
  isPrimary ? [node.primaries, node.forthcomingPrimaries] : [node.secondaries, node.forthcomingSecondaries];

/** How often each instance is listed in a role, and by which node last; -1 for none. */
function countsOf({ start, nodes }: Holdings, isPrimary: boolean): { counts: Int32Array; last: Int32Array } {
  const counts = new Int32Array(start.instances.length);
  const last = new Int32Array(start.instances.length).fill(-1);
  nodes.forEach((node, at) => {
    for (const set of setsOf(node, isPrimary)) {
      for (const position of set) {
        counts[position]!++;
        last[position] = at;
      }
    }
  });
  return { counts, last };
}

function placementFaults(holdings: Holdings, role: 'primary' | 'secondary'): readonly BrokenRule[] {
  const { start, nodes } = holdings;
  const isPrimary = role === 'primary';
  const wanted = isPrimary ? holdings.primaryOf : holdings.secondaryOf;
  const { counts, last } = countsOf(holdings, isPrimary);
  return start.instances.flatMap(({ alias }, position) => {
    const expected = Math.max(-1, wanted[position]!);
    if (counts[position] === (expected < 0 ? 0 : 1) && last[position] === expected) return [];
    const homes = start.nodes.flatMap((node, at) =>
      setsOf(nodes[at]!, isPrimary).flatMap((set) => (set.has(position) ? [node.alias] : [])),
    );
    return broken('nothing-lost', `${alias} has ${role} on ${homes.join(', ') || 'no node'}`);
  });
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
  const now = totalsOf(after);
  return brokenOf(
    ...placementFaults(after, 'primary'),
    ...placementFaults(after, 'secondary'),
    ...TOTALS.map(
      ([what], k) =>
        before[k] !== now[k] &&
        broken('conservation', `${what} of all nodes was ${before[k]} MiB and is ${now[k]} MiB`),
    ),
  );
}

/** Mirrored instances moved and left in two groups. @param mayStay whether those may that were so before */
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
    const { alias, primary, secondary } = start.instances[position]!;
    const groups = groupsOf(primaryOf[position]!, secondaryOf[position]!);
    if (groups.length < 2 || (mayStay && groupsOf(primary, secondary).length === 2)) return [];
    const names = groups.map((group) => start.groups[group]!.name).join(' and ');
    return broken('one-group', `${alias} ends in two groups: ${names}`);
  });
}
