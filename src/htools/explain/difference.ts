/** What changes in thought make different: the cluster before them against after them, group by group. */
import type { Snapshot } from '../cluster/snapshot.ts';
import { nodeRows, Scorer } from '../model/score/scorer.ts';
import * as F from '../model/state/node-fields.ts';
import { badNodes, groupScope, groupsWithNodes } from '../model/state/scope.ts';
import { ClusterState } from '../model/state/state.ts';
import type { Difference, GroupDifference, GroupFigures } from '../results/parts/explanation.ts';
import { metricChanges } from './metric-changes.ts';

/** Figures of the groups of a cluster, by name. */
function sidesOf(snapshot: Snapshot) {
  const state = new ClusterState(snapshot);
  const rows = nodeRows(state);
  return new Map(
    groupsWithNodes(snapshot).map((group) => {
      const { nodes, instances } = groupScope(snapshot, group);
      const online = nodes.filter((n) => !state.isOffline[n]);
      const sum = (field: number): number => online.reduce((total, n) => total + state.field(n, field), 0);
      const scorer = new Scorer(state, nodes, rows);
      const figures: GroupFigures = {
        nodes: nodes.length,
        onlineNodes: online.length,
        instances: instances.length,
        freeMemMib: sum(F.FREE_MEM),
        freeDiskMib: sum(F.FREE_DISK),
        nodesFailingN1: badNodes(state, nodes).length,
        score: scorer.score,
      };
      return [snapshot.groups[group]!.name, { figures, scorer }] as const;
    }),
  );
}

/** @param snapshot changed by `--what-if` and ready to be planned with */
export function differenceOf(snapshot: Snapshot): Difference {
  const { edits = [], before: start = snapshot } = snapshot.whatIf ?? {};
  const before = sidesOf(start);
  const after = sidesOf(snapshot);
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const groups = names.map((group): GroupDifference => {
    const one = before.get(group);
    const other = after.get(group);
    const metrics =
      one && other && !one.scorer.isEmpty
        ? metricChanges(other.scorer, one.scorer.values, other.scorer.values, one.scorer.state.weights)
        : [];
    return { group, before: one?.figures ?? null, after: other?.figures ?? null, metrics };
  });
  return { edits, groups };
}
