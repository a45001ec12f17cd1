/** The storage pools of laid out nodes. */
import { documentHead } from '../../../kit/report/json.ts';
import { numbers, texts } from '../../../kit/report/text-table.ts';
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { LaidOut } from '../../facts/node-layout.ts';
import { nodePools } from '../../facts/space-totals.ts';
import type { pools } from '../../results/hdisk.ts';
import { table } from './text.ts';

export function poolsText(outcomes: readonly LaidOut[]): string {
  const rows = outcomes.flatMap((outcome) =>
    nodePools(outcome).map(({ pool, size, spaces }) => [
      outcome.node ?? '-',
      pool,
      String(size),
      spaces.join(', ') || '-',
    ]),
  );
  return table([...texts('Node', 'Pool'), ...numbers('Size'), ...texts('Spaces')], rows);
}

export const poolsJson = (outcomes: readonly LaidOut[]): DocumentOf<typeof pools> => ({
  ...documentHead('hdisk'),
  nodes: outcomes.map((outcome) => ({ node: outcome.node ?? null, pools: nodePools(outcome) })),
});
