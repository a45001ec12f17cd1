/** What hsqueeze says: lists as in stock (byte contract), and on stderr what they are worth. */
import { gib } from '../../../kit/report/gib.ts';
import { count, someOf } from '../../../kit/text/words.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { hardwareOf, type StayingNode, stayingNodes } from '../../planners/maintain/squeeze/savings.ts';
import type { Squeeze } from '../../planners/maintain/squeeze/squeeze.ts';

const HEADINGS: Readonly<Record<Squeeze['action'], string>> = {
  online: "'Nodes to online'\n",
  offline: "'Nodes to offline'\n",
  none: "'No action'\n",
};

export const heading = (action: Squeeze['action']): string => HEADINGS[action];

const namesOf = (snapshot: Snapshot, nodes: readonly number[]): readonly string[] =>
  nodes.map((n) => snapshot.nodes[n]!.name);

export const candidatesText = (snapshot: Snapshot, found: Squeeze): string =>
  `Offline candidates: ${namesOf(snapshot, found.offlineCandidates).join(',')}\n` +
  `Online candidates: ${namesOf(snapshot, found.onlineCandidates).join(',')}\n`;

/** @param explains whether to say that switching on is not enough */
export const nodesText = (snapshot: Snapshot, { nodes, isEnough }: Squeeze, explains: boolean): string =>
  namesOf(snapshot, nodes)
    .map((name) => `${name}\n`)
    .join('') + (explains && !isEnough() ? 'Onlining all nodes will not yield enough capacity\n' : '');

/** Names in one line at most; the rest is counted. */
const MOST_NAMED = 5;

const REASONS: readonly (readonly [StayingNode['reason'], string])[] = [
  ['master', 'the master node'],
  ['secondaries', 'holding second copies'],
  ['local-storage', 'holding disks that are nowhere else'],
  ['room', 'needed for their instances, or for the room that must be left'],
];

/** What is saved, and why the other nodes stay on. */
export function savingsText(snapshot: Snapshot, found: Squeeze): string {
  const { nodes, memMib, cpus } = hardwareOf(snapshot, found.action === 'offline' ? found.nodes : []);
  const saved = `Saves ${count(nodes, 'node')}, ${gib(memMib)} GiB of memory, ${count(cpus, 'cpu')}\n`;
  const staying = stayingNodes(snapshot, found);
  const stays = REASONS.flatMap(([reason, words]) => {
    const those = staying.filter((node) => node.reason === reason);
    if (those.length === 0) return [];
    const names = someOf(
      those.map(({ node }) => snapshot.nodes[node]!.name),
      MOST_NAMED,
    );
    const ties = those.flatMap(({ instances }) => instances.map((i) => snapshot.instances[i]!.name));
    const tied = ties.length > 0 ? `    tied by ${someOf(ties, MOST_NAMED)}\n` : '';
    return [`  ${count(those.length, 'node stays', 'nodes stay')} on, ${words}:\n    ${names}\n${tied}`];
  });
  return (found.action === 'online' ? '' : saved) + stays.join('');
}
