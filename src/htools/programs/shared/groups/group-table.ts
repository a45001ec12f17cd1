/** Groups with counts, N+1 state and score, as a table in the stock programs' layout (byte contract). */
import { numbers, texts, textTable } from '../../../../kit/report/text-table.ts';
import type { DocumentOf } from '../../../../kit/results/members.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import type { GroupScore } from '../../../planners/balance/steps/group-scores.ts';
import type { groupRow as row } from '../../../results/parts/tables.ts';
import { showScore } from '../steps/said.ts';

const COLUMNS = [
  ...texts('Group'),
  ...numbers('Nodes', 'Instances', 'Bad_Nodes', 'Bad_Instances'),
  ...texts('N+1'),
  ...numbers('Score'),
];

export type GroupRow = DocumentOf<typeof row>;

export const groupRow = (
  snapshot: Snapshot,
  { group, scope, badNodes, badInstances, score }: GroupScore,
): GroupRow => ({
  name: snapshot.groups[group]!.name,
  nodes: scope.nodes.length,
  instances: scope.instances.length,
  badNodes,
  badInstances,
  score,
  isNPlusOneHappy: badNodes === 0,
});

export const groupTable = (rows: readonly GroupRow[]): string =>
  textTable(
    '  ',
    COLUMNS,
    rows.map((row) => [
      row.name,
      `${row.nodes}`,
      `${row.instances}`,
      `${row.badNodes}`,
      `${row.badInstances}`,
      row.isNPlusOneHappy ? 'True' : 'False',
      showScore(row.score),
    ]),
  );
