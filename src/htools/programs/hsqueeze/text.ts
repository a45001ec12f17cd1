/** What hsqueeze says: lists as in stock (byte contract), and on stderr what they are worth. */
import { gib } from '../../../kit/report/gib.ts';
import { count, someOf } from '../../../kit/text/words.ts';
import type { Obstacle } from '../../planners/maintain/squeeze/candidates.ts';
import type { Facts } from './data.ts';

export const HEADINGS: Readonly<Record<Facts['action'], string>> = {
  online: "'Nodes to online'\n",
  offline: "'Nodes to offline'\n",
  none: "'No action'\n",
};

export const candidatesText = ({ candidates: { offline, online } }: Facts): string =>
  `Offline candidates: ${offline.join(',')}\nOnline candidates: ${online.join(',')}\n`;

export const TOO_FEW = 'Onlining all nodes will not yield enough capacity\n';

/** Names in one line at most; the rest is counted. */
const MOST_NAMED = 5;

const REASONS: readonly (readonly [Obstacle | 'room', string])[] = [
  ['master', 'the master node'],
  ['secondaries', 'holding second copies'],
  ['local-storage', 'holding disks that are nowhere else'],
  ['room', 'needed for their instances, or for the room that must be left'],
];

/** What is saved, and why the other nodes stay on. */
export function savingsText({ action, saved: { nodes, memMib, cpus }, staying }: Facts): string {
  const saved = `Saves ${count(nodes, 'node')}, ${gib(memMib)} GiB of memory, ${count(cpus, 'cpu')}\n`;
  const stays = REASONS.flatMap(([reason, words]) => {
    const those = staying.filter((one) => one.reason === reason);
    if (those.length === 0) return [];
    const names = those.map(({ node }) => node);
    const ties = those.flatMap(({ instances }) => instances);
    const tied = ties.length > 0 ? `    tied by ${someOf(ties, MOST_NAMED)}\n` : '';
    return [
      `  ${count(those.length, 'node stays', 'nodes stay')} on, ${words}:\n    ${someOf(names, MOST_NAMED)}\n${tied}`,
    ];
  });
  return (action === 'online' ? '' : saved) + stays.join('');
}
