/** One cluster's line and snapshot, as facts. */
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { Scorer } from '../../model/score/scorer.ts';
import { badNodes, instancesOn, wholeScope } from '../../model/state/scope.ts';
import type { ClusterState } from '../../model/state/state.ts';
import type { scanned } from '../../results/maintain.ts';

/** The figures of a cluster: memory and disk in MiB. */
export type ClusterFigures = DocumentOf<typeof scanned>;

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
