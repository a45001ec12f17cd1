/** One cluster's line and snapshot, as facts. */
import type { Snapshot } from '../../cluster/snapshot.ts';
import { Scorer } from '../../model/score/scorer.ts';
import { badNodes, instancesOn, wholeScope } from '../../model/state/scope.ts';
import { ClusterState } from '../../model/state/state.ts';

/** The figures of a cluster: memory and disk in MiB. */
export interface ClusterFigures {
  readonly nodes: number;
  readonly instances: number;
  /** Online nodes that fail N+1, and the instances on them. */
  readonly badNodes: number;
  readonly badInstances: number;
  readonly totalMemMib: number;
  readonly freeMemMib: number;
  readonly totalDiskMib: number;
  readonly freeDiskMib: number;
  /** The score of all nodes taken together. */
  readonly score: number;
}

const sumOf = (snapshot: Snapshot, figure: (node: Snapshot['nodes'][number]) => number): number =>
  snapshot.nodes.reduce((sum, node) => sum + figure(node), 0);

export function clusterFigures(state: ClusterState): ClusterFigures {
  const { snapshot } = state;
  const { nodes } = wholeScope(snapshot);
  const bad = badNodes(state, nodes);
  return {
    nodes: nodes.length,
    instances: snapshot.instances.length,
    badNodes: bad.length,
    badInstances: instancesOn(state, bad).length,
    totalMemMib: sumOf(snapshot, (node) => node.totalMemMib),
    freeMemMib: sumOf(snapshot, (node) => node.freeMemMib),
    totalDiskMib: sumOf(snapshot, (node) => node.totalDiskMib),
    freeDiskMib: sumOf(snapshot, (node) => node.freeDiskMib),
    score: new Scorer(state, nodes).score,
  };
}

/** The state that the figures and the table of nodes are made from. */
export const scannedState = (snapshot: Snapshot, withTable: boolean): ClusterState =>
  new ClusterState(snapshot, { trackPeerOrder: withTable });
