/** Everything of a state that moves can change, as plain data to compare. */
import type { Instance, Node, Snapshot } from '../../src/htools/cluster/snapshot.ts';
import * as F from '../../src/htools/model/state/node-fields.ts';
import type { ClusterState } from '../../src/htools/model/state/state.ts';

/** What nodes reserve for the primaries of others, and when that was written. */
export const peersOf = ({ peers, primaries }: ClusterState) =>
  primaries.flatMap((_, primary) =>
    [...primaries.keys()]
      .map((node) => ({
        node,
        primary,
        reserved: peers.get(node, primary),
        stamp: peers.stampOf(node, primary),
      }))
      .filter(({ reserved, stamp }) => reserved > 0 || stamp > 0),
  );

/** A copy of all that the transitions write, in the order in which it stands. */
export const imageOf = (state: ClusterState) => ({
  nodeFields: [...state.nodeFields],
  peers: peersOf(state),
  primary: [...state.primary.subarray(0, state.instanceCount)],
  secondary: [...state.secondary.subarray(0, state.instanceCount)],
  locationScore: [...state.locationScore.subarray(0, state.instanceCount)],
  primaries: state.primaries.map((list) => [...list]),
  secondaries: state.secondaries.map((list) => [...list]),
  forthcomingPrimaries: state.forthcomingPrimaries.map((list) => [...list]),
  forthcomingSecondaries: state.forthcomingSecondaries.map((list) => [...list]),
  tagCounts: [...state.tags.counts],
  pairCounts: [...state.tags.pairCounts],
  crowding: [...state.tags.crowding],
  instanceCount: state.instanceCount,
});

/** Figures of one node by field number. */
export const fieldsOf = (state: ClusterState, node: number): number[] => [
  ...state.nodeFields.subarray(node * F.NODE_STRIDE, (node + 1) * F.NODE_STRIDE),
];

/** The snapshot that the nodes would report after the state's moves. */
export function movedSnapshot(state: ClusterState): Snapshot {
  const { snapshot } = state;
  return {
    ...snapshot,
    nodes: snapshot.nodes.map((node, n): Node => {
      const figure = (field: number): number => state.nodeFields[n * F.NODE_STRIDE + field]!;
      return {
        ...node,
        freeMemMib: reportedFree(state, n),
        freeDiskMib: figure(F.FREE_DISK),
        freeSpindles: node.hasExclusiveStorage ? figure(F.FREE_SPINDLES) : node.freeSpindles,
      };
    }),
    instances: snapshot.instances.map(
      (one, i): Instance => ({ ...one, primary: state.primary[i]!, secondary: state.secondary[i]! }),
    ),
  };
}

/** Free memory as the node would report it: what is left by our records, less what it is known to miss. */
function reportedFree(state: ClusterState, n: number): number {
  const { nodeMemMib, totalMemMib } = state.snapshot.nodes[n]!;
  const used = state.nodeFields[n * F.NODE_STRIDE + F.INSTANCE_MEM]!;
  return totalMemMib - nodeMemMib - used - state.missingMem[n]!;
}
