/** The linter of tags: slips of the pen, tags that match nothing, contradict each other, cannot be met. */
import { groupedBy } from '../../../kit/grouped.ts';
import type { Instance, Node, Snapshot } from '../../cluster/snapshot.ts';
import {
  isBarredFrom,
  meansNode,
  type PlacementWishes,
  SET_RULE_NAMES,
  WISH_PREFIXES,
  wishesOf,
} from '../../cluster/tags/placement-tags.ts';
import { requiredNodes } from '../../cluster/templates.ts';
import type { LintFinding } from '../../results/parts/explanation.ts';
import { misspeltTags } from './lint-words.ts';

interface Wisher {
  readonly instance: Instance;
  readonly wishes: PlacementWishes;
}

/** What a finding is about, and what is found of it. */
const finding = (
  about: Instance | readonly Wisher[],
  tag: string,
  kind: LintFinding['kind'],
  problem: string,
  remedy: string,
): LintFinding => {
  const subject =
    'name' in about
      ? `instance ${about.name}`
      : `instances ${about.map(({ instance }) => instance.name).join(', ')}`;
  return { kind, subject, tag, problem, remedy };
};

/** Instances by what each belongs to. */
function gathered<Key>(
  wishers: readonly Wisher[],
  keysOf: (wisher: Wisher) => Iterable<Key>,
): Map<Key, Wisher[]> {
  const pairs = wishers.flatMap((wisher) => [...keysOf(wisher)].map((key) => ({ key, wisher })));
  const sets = groupedBy(pairs, ({ key }) => key);
  return new Map([...sets].map(([key, some]) => [key, some.map(({ wisher }) => wisher)]));
}

/** Nodes that the instance may be on by its tags, in the group that it is in. */
function openNodes({ nodes }: Snapshot, { instance, wishes }: Wisher): Node[] {
  const group = nodes[instance.primary]?.group;
  return nodes.filter((node) => (group === undefined || node.group === group) && !isBarredFrom(wishes, node));
}

const online = (nodes: readonly Node[]): Node[] => nodes.filter(({ isOffline }) => !isOffline);

function* namesOfNothing({ nodes }: Snapshot, wishers: readonly Wisher[]): Iterable<LintFinding> {
  const remedy = 'name a node, or tag the nodes that are meant';
  for (const { instance, wishes } of wishers)
    for (const wish of ['pinned', 'keepOff'] as const)
      for (const name of wishes[wish])
        if (!nodes.some((node) => meansNode(name, node)))
          yield finding(
            instance,
            `${WISH_PREFIXES[wish]}${name}`,
            'unmatched',
            'no node has this name or tag',
            remedy,
          );
}

/** Sets of one instance: nobody to be with, or apart from. */
function* loneSets(wishers: readonly Wisher[]): Iterable<LintFinding> {
  const remedy = 'give it to the others that are meant, or take it off';
  for (const set of [...SET_RULE_NAMES, 'apart'] as const)
    for (const [name, [one, another]] of gathered(wishers, ({ wishes }) => wishes[set]))
      if (another === undefined)
        yield finding(
          one!.instance,
          `${WISH_PREFIXES[set]}${name}`,
          'unmatched',
          'no other instance has it',
          remedy,
        );
}

/** What is wrong with the nodes that an instance leaves itself: too few, or none that it may mean. */
function tooFewNodes(snapshot: Snapshot, wisher: Wisher): LintFinding | undefined {
  const { instance, wishes } = wisher;
  const wish = wishes.pinned.length > 0 ? 'pinned' : 'keepOff';
  const names = wishes[wish];
  if (names.length === 0) return undefined;
  const found = (kind: LintFinding['kind'], problem: string, remedy: string): LintFinding =>
    finding(instance, `${WISH_PREFIXES[wish]}${names[0]}`, kind, problem, remedy);
  const clash = wishes.pinned.find((name) => wishes.keepOff.includes(name));
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
  if (up >= needed) return undefined;
  const problem = `of the nodes that its tags leave ${up} are online, and it needs ${needed}`;
  return found('unmeetable', problem, 'name others, or bring them back');
}

/** Why a set that is to be together cannot be. */
function impossibleSet(
  snapshot: Snapshot,
  name: string,
  members: readonly Wisher[],
): LintFinding | undefined {
  if (members.length < 2) return undefined;
  const found = (kind: LintFinding['kind'], problem: string, remedy: string): LintFinding =>
    finding(members, `${WISH_PREFIXES.together}${name}`, kind, problem, remedy);
  const shared = members
    .flatMap(({ instance }) => [...new Set(instance.exclusionTags)])
    .find((one, at, all) => all.indexOf(one) !== at);
  if (shared !== undefined)
    return found('contradiction', `two of them are to be apart by ${shared}`, 'take one of the two tags off');
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
  const largest = common.reduce((most, node) => Math.max(most, node.totalMemMib - node.nodeMemMib), 0);
  if (memMib <= largest) return undefined;
  const problem = `together they need ${memMib} MiB of memory, and the largest node has ${largest}`;
  return found('unmeetable', problem, 'part the set');
}

/** More instances that are to be apart than nodes to be on. */
function* crowdedApart(snapshot: Snapshot, wishers: readonly Wisher[]): Iterable<LintFinding> {
  const groupOf = ({ instance }: Wisher) => snapshot.nodes[instance.primary]?.group;
  for (const [tag, all] of gathered(wishers, ({ instance }) => new Set(instance.exclusionTags)))
    for (const members of groupedBy(all, groupOf).values()) {
      const nodes = new Set(members.flatMap((member) => online(openNodes(snapshot, member))));
      const problem = `${members.length} instances of a group have it, and ${nodes.size} online nodes are open to them`;
      if (members.length > nodes.size)
        yield finding(members, tag, 'unmeetable', problem, 'use more than one tag, or add nodes');
    }
}

/** All that is found, unknown tags first. @param snapshot prepared, so that exclusion tags are known */
export function lintTags(snapshot: Snapshot): LintFinding[] {
  const wishers = snapshot.instances.map((instance) => ({ instance, wishes: wishesOf(instance.tags) }));
  const together = gathered(wishers, ({ wishes }) => wishes.together);
  return [
    ...misspeltTags(snapshot),
    ...namesOfNothing(snapshot, wishers),
    ...loneSets(wishers),
    ...wishers.flatMap((wisher) => tooFewNodes(snapshot, wisher) ?? []),
    ...[...together].flatMap(([name, members]) => impossibleSet(snapshot, name, members) ?? []),
    ...crowdedApart(snapshot, wishers),
  ];
}
