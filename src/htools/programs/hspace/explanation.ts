/** `hspace --explain` in words: what stops the next instance, what would lift it, how many fit of a size. */

import { LINE_WIDTH, wrapped } from '../../../kit/report/sentences.ts';
import { padLeft, padRight, widest } from '../../../kit/report/text-table.ts';
import { MIB_PER_GIB } from '../../../kit/units.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { CapacityLift, CapacityObstacle } from '../../results/hspace.ts';
import { RESERVED } from '../shared/listings/n1-words.ts';
import { inUnits, ruleWords } from '../shared/questions/words.ts';
import type { Explanation } from './explain.ts';

const ROLE_WORDS = { primary: ' as primary', secondary: ' as secondary', any: '' } as const;

/** Characters of the longest bar, and of the shortest where what stands in front of it is wide. */
const LONGEST_BAR = 40;
const SHORTEST_BAR = 10;

const amountText = (amount: number, unit: string): string => {
  if (unit !== 'MiB') return inUnits(amount, unit);
  return amount >= MIB_PER_GIB && amount % MIB_PER_GIB === 0
    ? `${amount / MIB_PER_GIB} GiB`
    : `${amount} MiB`;
};

const specText = ({ memMib, diskMib, vcpus }: Explanation['size']): string =>
  `${amountText(memMib, 'MiB')} memory, ${amountText(diskMib, 'MiB')} disk, ${amountText(vcpus, 'cpus')}`;

function obstacleLine(obstacle: CapacityObstacle, { usableNodes }: Explanation): string {
  const { rule, role, least, detail, nodes } = obstacle;
  if (role === 'any')
    return wrapped(
      '  - ',
      'global N+1: there is room, but some node could not be emptied onto the others any more',
    );
  if (rule === 'pool-space' && least)
    return wrapped(
      '  - ',
      `space in the storage pool ${detail}: ${amountText(least.missing, least.unit)} are missing (${least.available} of ${least.needed} ${least.unit})`,
    );
  const refusing = `${nodes.length} of ${usableNodes} nodes refuse${ROLE_WORDS[role]}`;
  const best = !least
    ? ''
    : rule === 'policy'
      ? `; its bound is ${inUnits(least.available, least.unit)}, the instance has ${least.needed}`
      : `; the best of them, ${least.node.split('.')[0]}, lacks ${amountText(least.missing, least.unit)}` +
        ` (has ${Math.floor(least.available)}, needs ${least.mustLeaveSome ? 'more than ' : ''}${inUnits(least.needed, least.unit)})`;
  const about = detail === undefined ? '' : ` ${detail}`;
  return wrapped('  - ', `${ruleWords(rule)}${about}: ${refusing}${best}`);
}

/** Where there are too many to count, each change is named alone. */
function liftsText(lifts: readonly CapacityLift[]): string {
  if (lifts.length === 0) return '';
  const isCounted = lifts.some(({ gain, isAtLeast }) => gain > 0 || !isAtLeast);
  const moreText = ({ gain, isAtLeast }: CapacityLift): string =>
    gain > 0 ? `${gain}${isAtLeast ? ' or' : ''} more` : 'no more';
  return [
    isCounted
      ? 'What would lift it, in the words of --what-if:\n'
      : 'What would lift it, in the words of --what-if (which tells by how many):\n',
    ...lifts.map((one) => wrapped('  - ', one.lift.join('; ') + (isCounted ? `: ${moreText(one)}` : ''))),
  ].join('');
}

function chartText(chart: Explanation['chart']): string {
  if (chart.length === 0) return '';
  const largest = Math.max(1, ...chart.map(({ count }) => count));
  const labels = chart.map(specText);
  const labelWidth = widest(labels);
  const counts = chart.map(({ count, isAtLeast }) => `${count}${isAtLeast ? '+' : ''}`);
  const countWidth = widest(counts);
  const room = LINE_WIDTH - `  ${' '.repeat(labelWidth)}  ${' '.repeat(countWidth)} `.length;
  const longest = Math.max(SHORTEST_BAR, Math.min(LONGEST_BAR, room));
  const lines = chart.map(({ count }, k) => {
    const bar = '#'.repeat(Math.ceil((count / largest) * longest));
    return `  ${padRight(labels[k]!, labelWidth)}  ${padLeft(counts[k]!, countWidth)} ${bar}`.trimEnd();
  });
  return `What fits by size, if nothing else came:\n${lines.join('\n')}\n`;
}

export function explanationText(explanation: Explanation, { nodes }: Snapshot): string {
  const { stoppedBy, obstacles, lifts, chart, size } = explanation;
  if (stoppedBy.length > 0) {
    const bad = nodes.filter(({ name }) => stoppedBy.includes(name));
    const names = bad.map(({ alias }) => alias).join(', ');
    return [
      'What stops the next instance:\n',
      wrapped('  - ', `the cluster is not N+1 happy already (${RESERVED}): see ${names}`),
      'What would lift it:\n',
      wrapped('  - ', 'balancing the cluster with hbal, --accept-existing-errors, or --independent-groups'),
    ].join('');
  }
  return [
    `What stops the next instance of ${specText(size)}:\n`,
    obstacles.length > 0
      ? obstacles.map((obstacle) => obstacleLine(obstacle, explanation)).join('')
      : '  - nothing but --max-length: it would fit\n',
    liftsText(lifts),
    chartText(chart),
  ].join('');
}
