/** Groups with counts, N+1 state and score, as a table in the stock programs' layout (byte contract). */
import { numbers, texts, textTable } from '../../../../kit/report/text-table.ts';
import type { GroupRow } from '../../../planners/balance/steps/group-scores.ts';
import { showScore } from '../steps/said.ts';

const COLUMNS = [
  ...texts('Group'),
  ...numbers('Nodes', 'Instances', 'Bad_Nodes', 'Bad_Instances'),
  ...texts('N+1'),
  ...numbers('Score'),
];

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
