/** A part of the cluster to work on: some nodes, and the instances whose primary is among them. */
import { kept } from '../../../kit/kept.ts';
import { NO_NODE, type Snapshot } from '../../cluster/snapshot.ts';
import * as F from './node-fields.ts';
import type { ClusterState } from './state.ts';

export interface Scope {
  /** Positions, ascending. */
  readonly nodes: readonly number[];
  readonly instances: readonly number[];
}

/** Of each snapshot the scopes of its groups: a super cluster has hundreds, and one pass finds them all. */
const scopes = new WeakMap<Snapshot, readonly Scope[]>();

/** All nodes and instances of a group, given by its position. */
export function groupScope(snapshot: Snapshot, group: number): Scope {
  return kept(scopes, snapshot, () => groupScopes(snapshot))[group]!;
}

function groupScopes({ groups, nodes, instances }: Snapshot): readonly Scope[] {
  const all = groups.map(() => ({ nodes: [] as number[], instances: [] as number[] }));
  for (const [n, { group }] of nodes.entries()) all[group]!.nodes.push(n);
  for (const [i, { primary }] of instances.entries())
    if (primary !== NO_NODE) all[nodes[primary]!.group]!.instances.push(i);
  return all;
}

export const wholeScope = (snapshot: Snapshot): Scope => ({
  nodes: [...snapshot.nodes.keys()],
  instances: [...snapshot.instances.keys()],
});

/** Positions of the groups that have nodes, ascending. */
export const groupsWithNodes = (snapshot: Snapshot): number[] =>
  [...new Set(snapshot.nodes.map((node) => node.group))].sort((a, b) => a - b);

/** Positions of the groups that have this name or this UUID, ascending. */
export const groupsCalled = ({ groups }: Snapshot, wanted: string): number[] =>
  [...groups.keys()].filter((group) => groups[group]!.name === wanted || groups[group]!.uuid === wanted);

/** Instances whose primary and secondary are in different groups; nothing moves them. */
export const splitInstances = (snapshot: Snapshot): number[] =>
  [...snapshot.instances.keys()].filter((i) => {
    const { primary, secondary } = snapshot.instances[i]!;
    return secondary !== NO_NODE && snapshot.nodes[primary]!.group !== snapshot.nodes[secondary]!.group;
  });

/** Online nodes that fail N+1 by their own reservations. */
export const badNodes = (state: ClusterState, nodes: readonly number[]): number[] =>
  nodes.filter((n) => !state.isOffline[n] && state.nodeFields[n * F.NODE_STRIDE + F.FAILS_N1] === 1);

/** Instances with a primary or secondary among the given nodes, each once. */
export const instancesOn = (state: ClusterState, nodes: readonly number[]): number[] => [
  ...new Set(nodes.flatMap((n) => [...state.primaries[n]!, ...state.secondaries[n]!])),
];

/** All with a role on some nodes, those to come included; once for each role. */
export function everyoneOn(state: ClusterState, nodes: Iterable<number>): number[] {
  const { primaries, secondaries, forthcomingPrimaries, forthcomingSecondaries } = state;
  const lists = [primaries, secondaries, forthcomingPrimaries, forthcomingSecondaries];
  return [...nodes].flatMap((n) => lists.flatMap((list) => list[n]!));
}
