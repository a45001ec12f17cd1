/** The linter of tags: slips of the pen, tags that match nothing, contradict each other, cannot be met. */
import type { Instance, Node, Snapshot } from '../../cluster/snapshot.ts';
import {
  APART_PREFIX,
  isBarredFrom,
  KEEP_OFF_PREFIX,
  meansNode,
  PINNED_PREFIX,
  type PlacementWishes,
  SET_PREFIXES,
  wishesOf,
} from '../../cluster/tags/placement-tags.ts';
import { requiredNodes } from '../../cluster/templates.ts';
import type { LintFinding } from '../record.ts';
import { misspeltTags } from './lint-words.ts';

interface Wisher {
  readonly instance: Instance;
  readonly wishes: PlacementWishes;
}

const subjectOf = ({ name }: Instance): string => `instance ${name}`;
const setOf = (members: readonly Wisher[]): string =>
  `instances ${members.map(({ instance }) => instance.name).join(', ')}`;

/** What is found of one tag. */
const findingsOf =
  (subject: string, tag: string) =>
  (kind: LintFinding['kind'], problem: string, remedy: string): LintFinding[] => [
    { kind, subject, tag, problem, remedy },
  ];

/** Instances by what each belongs to. */
function gathered<Key>(
  wishers: readonly Wisher[],
  keysOf: (wisher: Wisher) => Iterable<Key>,
): Map<Key, Wisher[]> {
  const sets = new Map<Key, Wisher[]>();
  for (const wisher of wishers)
    for (const key of keysOf(wisher)) {
      const set = sets.get(key);
      if (set) set.push(wisher);
      else sets.set(key, [wisher]);
    }
  return sets;
}

/** Nodes that the instance may be on by its tags, in the group that it is in. */
function openNodes({ nodes }: Snapshot, { instance, wishes }: Wisher): Node[] {
  const group = nodes[instance.primary]?.group;
  return nodes.filter((node) => (group === undefined || node.group === group) && !isBarredFrom(wishes, node));
}

const online = (nodes: readonly Node[]): Node[] => nodes.filter(({ isOffline }) => !isOffline);

/** Names of nodes that are none. */
function namesOfNothing({ nodes }: Snapshot, wishers: readonly Wisher[]): LintFinding[] {
  return wishers.flatMap(({ instance, wishes }) =>
    [
      ...wishes.pinned.map((name) => [PINNED_PREFIX, name]),
      ...wishes.keepOff.map((name) => [KEEP_OFF_PREFIX, name]),
    ].flatMap(([prefix, name]) =>
      nodes.some((node) => meansNode(name!, node))
        ? []
        : findingsOf(subjectOf(instance), `${prefix}${name}`)(
            'unmatched',
            'no node has this name or tag',
            'name a node, or tag the nodes that are meant',
          ),
    ),
  );
}

/** Sets of one instance: nobody to be with, or apart from. */
function loneSets(wishers: readonly Wisher[]): LintFinding[] {
  const of = (prefix: string, sets: ReadonlyMap<string, readonly Wisher[]>): LintFinding[] =>
    [...sets]
      .filter(([, members]) => members.length === 1)
      .flatMap(([name, [only]]) =>
        findingsOf(subjectOf(only!.instance), `${prefix}${name}`)(
          'unmatched',
          'no other instance has it',
          'give it to the others that are meant, or take it off',
        ),
      );
  return [
    ...of(
      SET_PREFIXES.together,
      gathered(wishers, ({ wishes }) => wishes.together),
    ),
    ...of(
      APART_PREFIX,
      gathered(wishers, ({ wishes }) => wishes.apart),
    ),
  ];
}

/** Instances that leave themselves too few nodes. */
const tooFewNodes = (snapshot: Snapshot, wishers: readonly Wisher[]): LintFinding[] =>
  wishers.flatMap((wisher): LintFinding[] => {
    const { instance, wishes } = wisher;
    if (wishes.pinned.length + wishes.keepOff.length === 0) return [];
    const [first] = wishes.pinned.length > 0 ? wishes.pinned : wishes.keepOff;
    const tag = `${wishes.pinned.length > 0 ? PINNED_PREFIX : KEEP_OFF_PREFIX}${first}`;
    const clash = wishes.pinned.find((name) => wishes.keepOff.includes(name));
    const found = findingsOf(subjectOf(instance), tag);
    if (clash !== undefined)
      return found(
        'contradiction',
        `it is pinned to ${clash} and to keep off it`,
        'take one of the two tags off',
      );
    const open = openNodes(snapshot, wisher);
    const needed = requiredNodes(instance.diskTemplate);
    if (open.length < needed)
      return found(
        'unmeetable',
        `its tags leave ${open.length} of its group's nodes, and template ${instance.diskTemplate} needs ${needed}`,
        'pin it to more nodes of its group, or keep it off fewer',
      );
    const up = online(open).length;
    return up < needed
      ? found(
          'unmeetable',
          `of the nodes that its tags leave ${up} are online, and it needs ${needed}`,
          'name others, or bring them back',
        )
      : [];
  });

/** Sets that are to be together and cannot be. */
const impossibleSets = (snapshot: Snapshot, wishers: readonly Wisher[]): LintFinding[] =>
  [...gathered(wishers, ({ wishes }) => wishes.together)].flatMap(([name, members]): LintFinding[] => {
    if (members.length < 2) return [];
    const tag = `${SET_PREFIXES.together}${name}`;
    const found = findingsOf(setOf(members), tag);
    const shared = members
      .flatMap(({ instance }) => [...new Set(instance.exclusionTags)])
      .find((one, at, all) => all.indexOf(one) !== at);
    if (shared !== undefined)
      return found(
        'contradiction',
        `two of them are to be apart by ${shared}`,
        'take one of the two tags off',
      );
    const groups = new Set(members.map(({ instance }) => snapshot.nodes[instance.primary]?.group));
    if (groups.size > 1)
      return found(
        'unmeetable',
        'they are in several node groups, and no step leaves its group',
        'bring them into one group with gnt-instance change-group',
      );
    const open = members.map((member) => new Set(openNodes(snapshot, member)));
    const common = online([...open[0]!].filter((node) => open.every((nodes) => nodes.has(node))));
    if (common.length === 0)
      return found(
        'contradiction',
        'their pinned and keepoff tags leave no online node to all of them',
        'pin them to the same nodes',
      );
    const memMib = members.reduce((sum, { instance }) => sum + instance.memMib, 0);
    const largest = Math.max(...common.map((node) => node.totalMemMib - node.nodeMemMib));
    return memMib > largest
      ? found(
          'unmeetable',
          `together they need ${memMib} MiB of memory, and the largest node has ${largest}`,
          'part the set',
        )
      : [];
  });

/** More instances that are to be apart than nodes to be on. */
function crowdedApart(snapshot: Snapshot, wishers: readonly Wisher[]): LintFinding[] {
  const carriers = gathered(wishers, ({ instance }) => new Set(instance.exclusionTags));
  return [...carriers].flatMap(([tag, all]): LintFinding[] => {
    const byGroup = gathered(all, ({ instance }) => [snapshot.nodes[instance.primary]?.group]);
    return [...byGroup.values()].flatMap((members): LintFinding[] => {
      const nodes = new Set(members.flatMap((member) => online(openNodes(snapshot, member))));
      if (members.length <= nodes.size) return [];
      const problem = `${members.length} instances of a group have it, and ${nodes.size} online nodes are open to them`;
      return findingsOf(setOf(members), tag)('unmeetable', problem, 'use more than one tag, or add nodes');
    });
  });
}

/** All that is found, unknown tags first. @param snapshot prepared, so that exclusion tags are known */
export function lintTags(snapshot: Snapshot): LintFinding[] {
  const wishers = snapshot.instances.map((instance) => ({ instance, wishes: wishesOf(instance.tags) }));
  return [
    ...misspeltTags(snapshot),
    ...namesOfNothing(snapshot, wishers),
    ...loneSets(wishers),
    ...tooFewNodes(snapshot, wishers),
    ...impossibleSets(snapshot, wishers),
    ...crowdedApart(snapshot, wishers),
  ];
}
