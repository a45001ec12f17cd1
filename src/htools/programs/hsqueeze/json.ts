/** hsqueeze's `--json` document. */
import { documentHead } from '../../../kit/report/json.ts';
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { moveCommands } from '../../plan/commands.ts';
import { jobSets } from '../../plan/jobs.ts';
import { hardwareOf, stayingNodes } from '../../planners/maintain/squeeze/savings.ts';
import type { Squeeze } from '../../planners/maintain/squeeze/squeeze.ts';
import type { hsqueezePlan } from '../../results/maintain.ts';

export function squeezeJson(snapshot: Snapshot, found: Squeeze): DocumentOf<typeof hsqueezePlan> {
  const nodeNames = (nodes: readonly number[]): readonly string[] =>
    nodes.map((n) => snapshot.nodes[n]!.name);
  const { action, nodes } = found;
  const result = found.result();
  return {
    ...documentHead('hsqueeze'),
    action,
    nodes: nodeNames(nodes),
    isEnough: found.isEnough(),
    candidates: { offline: nodeNames(found.offlineCandidates), online: nodeNames(found.onlineCandidates) },
    saved: hardwareOf(snapshot, action === 'offline' ? nodes : []),
    staying: stayingNodes(snapshot, found).map(({ node, reason, instances }) => ({
      node: snapshot.nodes[node]!.name,
      reason,
      instances: instances.map((i) => snapshot.instances[i]!.name),
    })),
    ...(result
      ? {
          groups: result.groups.map(({ nodes: members, initialScore, finalScore, steps }) => ({
            group: snapshot.groups[snapshot.nodes[members[0]!]!.group]!.name,
            initialScore,
            finalScore,
            steps: steps.length,
          })),
          jobSets: jobSets(
            result.start,
            result.groups.flatMap(({ steps }) => steps),
          ).map((set) =>
            set.map(({ step }) => ({
              instance: snapshot.instances[step.instance]!.name,
              commands: moveCommands(result.start, step),
            })),
          ),
        }
      : {}),
  };
}
