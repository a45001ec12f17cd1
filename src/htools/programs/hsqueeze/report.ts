/** What hsqueeze found and how it says so: lists as in stock (byte contract), what they save on stderr. */
import { gib, wrapped } from '../../../kit/report/sentences.ts';
import { count, someOf } from '../../../kit/text/words.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { moveCommands } from '../../plan/commands.ts';
import {
  hardwareOf,
  type Obstacle,
  type Squeeze,
  stayingNodes,
} from '../../planners/maintain/squeeze/squeeze.ts';
import type { SqueezeDocument } from '../../results/maintain.ts';
import { setsOf } from './orders.ts';

type Facts = Pick<SqueezeDocument, 'action' | 'nodes' | 'isEnough' | 'candidates' | 'saved' | 'staying'>;

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

export function movingFacts(snapshot: Snapshot, found: Squeeze): Pick<SqueezeDocument, 'groups' | 'jobSets'> {
  const result = found.result();
  if (!result) return {};
  const { start, groups } = result;
  return {
    groups: groups.map(({ nodes, initialScore, finalScore, steps }) => ({
      group: snapshot.groups[snapshot.nodes[nodes[0]!]!.group]!.name,
      initialScore,
      finalScore,
      steps: steps.length,
    })),
    jobSets: setsOf(result).map((set) =>
      set.map(({ step }) => ({
        instance: snapshot.instances[step.instance]!.name,
        commands: moveCommands(start, step),
      })),
    ),
  };
}

export const HEADINGS: Readonly<Record<Facts['action'], string>> = {
  online: "'Nodes to online'\n",
  offline: "'Nodes to offline'\n",
  none: "'No action'\n",
};

export const candidatesText = ({ candidates: { offline, online } }: Facts): string =>
  `Offline candidates: ${offline.join(',')}\nOnline candidates: ${online.join(',')}\n`;

export const TOO_FEW = 'Onlining all nodes will not yield enough capacity\n';

const MOST_NAMED = 5;

const REASONS: readonly (readonly [Obstacle | 'room', string])[] = [
  ['hands-off', 'to be left alone, or with instances that are'],
  ['master', 'the master node'],
  ['secondaries', 'holding second copies'],
  ['local-storage', 'holding disks that are nowhere else'],
  ['room', 'needed for their instances, or for the room that must be left'],
];

export function savingsText({ action, saved: { nodes, memMib, cpus }, staying }: Facts): string {
  const saved = `Saves ${count(nodes, 'node')}, ${gib(memMib)} GiB of memory, ${count(cpus, 'cpu')}\n`;
  const stays = REASONS.flatMap(([reason, words]) => {
    const those = staying.filter((one) => one.reason === reason);
    if (those.length === 0) return [];
    const names = those.map(({ node }) => node);
    const ties = those.flatMap(({ instances }) => instances);
    const tied = ties.length > 0 ? wrapped('    ', `tied by ${someOf(ties, MOST_NAMED)}`) : '';
    return [
      wrapped('  ', `${count(those.length, 'node stays', 'nodes stay')} on, ${words}:`),
      wrapped('    ', someOf(names, MOST_NAMED)),
      tied,
    ];
  });
  return (action === 'online' ? '' : saved) + stays.join('');
}
