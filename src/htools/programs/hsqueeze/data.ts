/** What hsqueeze found, as its document has it. */
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { moveCommands } from '../../plan/commands.ts';
import { jobSets } from '../../plan/jobs.ts';
import { hardwareOf, stayingNodes } from '../../planners/maintain/squeeze/candidates.ts';
import type { Squeeze } from '../../planners/maintain/squeeze/squeeze.ts';
import type { hsqueezePlan } from '../../results/maintain.ts';

type Document = DocumentOf<typeof hsqueezePlan>;
export type Facts = Pick<Document, 'action' | 'nodes' | 'isEnough' | 'candidates' | 'saved' | 'staying'>;

export function squeezeFacts(snapshot: Snapshot, found: Squeeze): Facts {
  const nodeNames = (nodes: readonly number[]) => nodes.map((n) => snapshot.nodes[n]!.name);
  const { action, nodes } = found;
  const going = action === 'offline' ? nodes : [];
  return {
    action,
    nodes: nodeNames(nodes),
    isEnough: found.isEnough(),
    candidates: { offline: nodeNames(found.offlineCandidates), online: nodeNames(found.onlineCandidates) },
    saved: hardwareOf(snapshot, going),
    staying: stayingNodes(snapshot, going),
  };
}

/** How the instances move for it; nothing where nothing is switched. */
export function movingFacts(snapshot: Snapshot, found: Squeeze): Pick<Document, 'groups' | 'jobSets'> {
  const result = found.result();
  if (!result) return {};
  const { start, groups } = result;
  const sets = jobSets(
    start,
    groups.flatMap(({ steps }) => steps),
  );
  return {
    groups: groups.map(({ nodes, initialScore, finalScore, steps }) => ({
      group: snapshot.groups[snapshot.nodes[nodes[0]!]!.group]!.name,
      initialScore,
      finalScore,
      steps: steps.length,
    })),
    jobSets: sets.map((set) =>
      set.map(({ step }) => ({
        instance: snapshot.instances[step.instance]!.name,
        commands: moveCommands(start, step),
      })),
    ),
  };
}
