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

const sumBooks = (holdings: Holdings, pick: (node: Holdings['nodes'][number]) => number): number =>
  holdings.nodes.reduce((sum, node) => sum + pick(node), 0);

/** Compares the end of a replay with its start; empty = nothing lost and nothing doubled. */
export function conservationRules(before: Holdings, after: Holdings): readonly BrokenRule[] {
  const totals: readonly [string, (node: Holdings['nodes'][number]) => number][] = [
    ['free memory', (node) => node.now.freeMemMib],
    ['free disk', (node) => node.now.freeDiskMib],
    ['free memory with forthcoming instances', (node) => node.planned.freeMemMib],
    ['free disk with forthcoming instances', (node) => node.planned.freeDiskMib],
  ];
  const broken = [...placementFaults(after, 'primary'), ...placementFaults(after, 'secondary')];
  for (const [what, pick] of totals) {
    const was = sumBooks(before, pick);
    const is = sumBooks(after, pick);
    if (was !== is) {
      broken.push({ rule: 'conservation', message: `${what} of all nodes was ${was} MiB and is ${is} MiB` });
    }
  }
  return broken;
}

/** Mirrored instances that a plan moved and left with their nodes in two groups. */
export function splitRules(
  start: Snapshot,
  moved: ReadonlySet<number>,
  primaryOf: readonly number[],
  secondaryOf: readonly number[],
): readonly BrokenRule[] {
  const broken: BrokenRule[] = [];
  for (const position of moved) {
    const primary = start.nodes[primaryOf[position]!];
    const secondary = start.nodes[secondaryOf[position]!];
    if (primary === undefined || secondary === undefined || primary.group === secondary.group) continue;
    const groups = [primary, secondary].map((node) => start.groups[node.group]!.name).join(' and ');
    broken.push({
      rule: 'one-group',
      message: `${start.instances[position]!.alias} ends in two groups: ${groups}`,
    });
  }
  return broken;
}
