/**
 * Which nodes must not be down at the same time. Source: hroller(1) "ALGORITHM FOR CALCULATING OFFLINE REBOOT
 * GROUPS".
 *
 * The two nodes of a mirrored instance exclude each other. When instances keep running through the
 * maintenance, so do the primaries of instances with a common secondary, which could not take over for both.
 */
import { groupedBy } from '../../../../kit/grouped.ts';
import { NO_NODE } from '../../../cluster/snapshot.ts';
import { type ClusterState, HAS_SECONDARY } from '../../../model/state/state.ts';
import type { Graph } from '../colour/colouring.ts';

type Edge = readonly [number, number];

const isMirrored = ({ flags, secondary }: ClusterState, i: number): boolean =>
  (flags[i]! & HAS_SECONDARY) !== 0 && secondary[i] !== NO_NODE;

const mirroredInstances = (state: ClusterState): number[] =>
  [...state.flags.subarray(0, state.instanceCount).keys()].filter((i) => isMirrored(state, i));

const mirrorEdges = (state: ClusterState): Edge[] =>
  mirroredInstances(state).flatMap((i): Edge[] => {
    const p = state.primary[i]!;
    const s = state.secondary[i]!;
    return [
      [p, s],
      [s, p],
    ];
  });

/** Edges between all primaries, with themselves too, of the instances that have a node as secondary. */
const sharedSecondaryEdges = (state: ClusterState): Edge[] =>
  state.secondaries.flatMap((instances) => {
    const primaries = instances.toReversed().map((i) => state.primary[i]!);
    return primaries.flatMap((a) => primaries.map((b): Edge => [a, b]));
  });

/**
 * The graph over positions up to the last wanted; others have no neighbours.
 * @param wanted ascending; at least one
 * @param isOffline instances are down meanwhile, so that common secondaries do not matter
 */
export function rebootGraph(state: ClusterState, wanted: readonly number[], isOffline: boolean): Graph {
  const edges = mirrorEdges(state);
  const keyOf = ([a, b]: Edge): number => a * state.nodeCount + b;
  const seen = new Set(edges.map(keyOf));
  for (const edge of isOffline ? [] : sharedSecondaryEdges(state)) {
    if (seen.has(keyOf(edge))) continue;
    seen.add(keyOf(edge));
    edges.push(edge);
  }
  const isWanted = new Uint8Array(state.nodeCount);
  for (const n of wanted) isWanted[n] = 1;
  const near: number[][] = Array.from({ length: wanted.at(-1)! + 1 }, () => []);
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
  const { primary, secondary, primaries, secondaries } = state;
  const mirrored = mirroredInstances(state).flatMap((i) => {
    if (primary[i] === n) return { node: secondary[i]!, i };
    return secondary[i] === n ? { node: primary[i]!, i } : [];
  });
  // Those without a second copy, too, whose record names a secondary: in stock it counts as one here.
  const own = primaries[n]!.map((i) => secondary[i]!).filter((s) => s !== NO_NODE);
  const common = isOffline
    ? []
    : [...new Set(own)].flatMap((s) => secondaries[s]!.map((i) => ({ node: primary[i]!, i })));
  const entries = (pairs: typeof mirrored, rule: RebootConflict['rule']): RebootConflict[] =>
    [...groupedBy(pairs, ({ node }) => node)]
      .filter(([node]) => node !== n)
      .map(([node, some]) => ({ node, rule, instances: some.map(({ i }) => i).sort((a, b) => a - b) }));
  return [...entries(mirrored, 'mirror'), ...entries(common, 'common-secondary')].sort(
    (a, b) => a.node - b.node,
  );
}
