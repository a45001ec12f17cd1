/**
 * Which nodes must not be down at the same time. Source: hroller(1) "ALGORITHM FOR CALCULATING OFFLINE REBOOT
 * GROUPS".
 *
 * The two nodes of a mirrored instance exclude each other. When instances keep running through the
 * maintenance, so do the primaries of instances with a common secondary, which could not take over for both.
 */
import { type ClusterState, HAS_SECONDARY } from '../../../model/state/state.ts';
import type { Graph } from '../colour/graph.ts';

type Edge = readonly [number, number];

const keyOf = ([a, b]: Edge, nodeCount: number): number => a * nodeCount + b;

function mirrorEdges(state: ClusterState): Edge[] {
  const edges: Edge[] = [];
  for (let i = 0; i < state.instanceCount; i++) {
    if (!(state.flags[i]! & HAS_SECONDARY)) continue;
    const p = state.primary[i]!;
    const s = state.secondary[i]!;
    edges.push([p, s], [s, p]);
  }
  return edges;
}

/** Edges between all primaries, with themselves too, of the instances that have a node as secondary. */
const sharedSecondaryEdges = (state: ClusterState): Edge[] =>
  state.secondaries.flatMap((instances) => {
    const primaries = instances.toReversed().map((i) => state.primary[i]!);
    return primaries.flatMap((a) => primaries.map((b): Edge => [a, b]));
  });

/**
 * The graph over positions up to the last wanted; others have no neighbours.
 * @param wanted ascending
 * @param isOffline instances are down meanwhile, so that common secondaries do not matter
 */
export function rebootGraph(state: ClusterState, wanted: readonly number[], isOffline: boolean): Graph {
  const edges = mirrorEdges(state);
  if (!isOffline) {
    const seen = new Set(edges.map((edge) => keyOf(edge, state.nodeCount)));
    for (const edge of sharedSecondaryEdges(state)) {
      const key = keyOf(edge, state.nodeCount);
      if (seen.has(key)) continue;
      seen.add(key);
      edges.push(edge);
    }
  }
  const isWanted = new Uint8Array(state.nodeCount);
  for (const n of wanted) isWanted[n] = 1;
  const near: number[][] = Array.from({ length: (wanted.at(-1) ?? -1) + 1 }, () => []);
  for (const [a, b] of edges.toReversed()) if (isWanted[a] && isWanted[b]) near[a]!.push(b);
  return near;
}

/** A node that must not be down together with another, and the instances because of which. */
interface RebootConflict {
  readonly node: number;
  readonly rule: 'mirror' | 'common-secondary';
  readonly instances: readonly number[];
}

/** All nodes that may not share a round with this one, in order; two rules for one node are two entries. */
export function conflictsOf(state: ClusterState, n: number, isOffline: boolean): RebootConflict[] {
  const mirrored = new Map<number, number[]>();
  const common = new Map<number, number[]>();
  const note = (map: Map<number, number[]>, node: number, i: number): void => {
    if (node !== n) map.set(node, [...(map.get(node) ?? []), i]);
  };
  for (let i = 0; i < state.instanceCount; i++) {
    if (!(state.flags[i]! & HAS_SECONDARY)) continue;
    if (state.primary[i] === n) note(mirrored, state.secondary[i]!, i);
    if (state.secondary[i] === n) note(mirrored, state.primary[i]!, i);
  }
  const ownSecondaries = new Set(
    state.primaries[n]!.filter((i) => state.flags[i]! & HAS_SECONDARY).map((i) => state.secondary[i]!),
  );
  if (!isOffline)
    for (const s of ownSecondaries) for (const i of state.secondaries[s]!) note(common, state.primary[i]!, i);
  const entries = (map: Map<number, number[]>, rule: RebootConflict['rule']): RebootConflict[] =>
    [...map].map(([node, instances]) => ({ node, rule, instances: instances.sort((a, b) => a - b) }));
  return [...entries(mirrored, 'mirror'), ...entries(common, 'common-secondary')].sort(
    (a, b) => a.node - b.node,
  );
}
