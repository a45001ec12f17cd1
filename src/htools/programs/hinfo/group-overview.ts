/** `hinfo --groups` as text: partitions, and health, score, used and free resources of each group. */
import { trimmedTable } from '../../../kit/report/report-table.ts';
import { numbers, texts } from '../../../kit/report/text-table.ts';
import { printfFixed } from '../../../kit/text/numbers.ts';
import type { GroupsReport } from '../../planners/groups/homes/overview.ts';
import { EITHER_NOTE } from '../shared/listings/n1-words.ts';

const SCORE_DECIMALS = 8;

const HEALTH = [...texts('Group', 'Policy', 'State'), ...numbers('Dead', 'Fail_N+1', 'Score')];

const USE = [
  ...texts('Group'),
  ...numbers('Used_Mem', 'Free_Mem', 'Used_Disk', 'Free_Disk', 'Used_vCPU', 'Free_vCPU'),
];

/** The groups' health, what they use and have free, then the partitions, then the groups that stand alone. */
export function groupsOverviewText({ partitions, groups, alone }: GroupsReport): string {
  const health = groups.map((group) => [
    group.name,
    group.allocPolicy,
    group.state,
    `${group.deadNodes}`,
    `${group.failingNodes}`,
    printfFixed(group.score, SCORE_DECIMALS),
  ]);
  const use = groups.map((group) => [
    group.name,
    ...(['memMib', 'diskMib', 'vcpus'] as const).flatMap((name) =>
      [group.used[name], group.free[name]].map((x) => `${Math.floor(x)}`),
    ),
  ]);
  const lines = partitions.map(
    ({ pool, groups: members }) => `   ${pool}: ${members.join(', ') || 'no group'}\n`,
  );
  return [
    'Health of the groups:\n',
    trimmedTable('  ', HEALTH, health),
    EITHER_NOTE,
    'Resources of the groups (MiB, virtual cpus):\n',
    trimmedTable('  ', USE, use),
    lines.length > 0 ? `Partitions (groups that reach a storage pool):\n${lines.join('')}` : '',
    alone.length > 0 ? `Alone, without another group in any partition: ${alone.join(', ')}\n` : '',
  ].join('');
}
