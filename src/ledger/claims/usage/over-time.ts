/** Use over time: from what is used now, back through the history. */
import { kept } from '../../../kit/kept.ts';
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { useOverTime as useSchema } from '../../results/hclaim.ts';
import { whereOf } from '../../store/rows.ts';
import type { Session } from '../../store/store.ts';
import type { HistoryFilter } from './history.ts';

export type UseOverTime = DocumentOf<typeof useSchema>;

type Scope = Pick<HistoryFilter, 'provider' | 'project'>;

interface Span {
  readonly from: number;
  readonly to: number;
  readonly points: number;
}

interface Step {
  /** The first point at or behind the changes; beyond the last one they say to be later than the span. */
  readonly point: number;
  readonly class: string;
  readonly change: number;
}

/** One series a class that was used at any time of the span, by name. */
export async function useOverTime(
  session: Session,
  filter: Scope,
  span: Span,
): Promise<readonly UseOverTime[]> {
  const { points } = span;
  const atAll = (used: number): number[] => Array<number>(points).fill(used);
  const series = new Map((await usedNow(session, filter)).map((row) => [row.class, atAll(row.used)]));
  for (const { class: name, point, change } of await stepsOf(session, filter, span)) {
    const used = kept(series, name, () => atAll(0));
    // What is there now is there at the end, also where the clock was set back since.
    for (let at = Math.min(point, points - 1) - 1; at >= 0; at--) used[at]! -= change;
  }
  return [...series].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, used]) => ({ class: name, used }));
}

/** The database adds up: a busy hour has hundreds of thousands of changes. */
function stepsOf(
  session: Session,
  { provider, project }: Scope,
  { from, to, points }: Span,
): Promise<readonly Step[]> {
  // A clock that was set back may be behind the start of the history.
  const span = Math.max(1, to - from);
  const { where, values } = whereOf({ 'at >= ?': from, 'provider_id = ?': provider, 'project = ?': project });
  const changes = (side: string, sign: number) =>
    `SELECT at, ${sign} AS sign, ${side} AS amounts FROM history
     ${where} AND consumer IS NOT NULL AND provider_id IS NOT NULL AND ${side} IS NOT NULL`;
  return session.all<Step>(
    `SELECT CAST(((h.at - ?) * ? + ?) / ? AS BIGINT) AS point, j.key AS class, SUM(h.sign * CAST(j.value AS BIGINT)) AS change
     FROM (${changes('after', 1)} UNION ALL ${changes('before', -1)}) h, JSON_PAIRS(h.amounts) j GROUP BY 1, 2`,
    [from, points - 1, span - 1, span, ...values, ...values],
  );
}

/** From what is summed up already, but for what one project uses of one provider. */
async function usedNow(session: Session, { provider, project }: Scope) {
  const used =
    project === undefined
      ? 'inventories u'
      : provider === undefined
        ? 'owner_totals u JOIN projects p ON p.id = u.project_id'
        : 'allocations u JOIN consumers k ON k.id = u.consumer_id JOIN projects p ON p.id = k.project_id';
  const { where, values } = whereOf({ 'u.provider_id = ?': provider, 'p.external_id = ?': project });
  const rows = await session.all<{ class: string; used: number }>(
    `SELECT c.name AS class, SUM(u.used) AS used FROM ${used} JOIN resource_classes c ON c.id = u.class_id ${where} GROUP BY c.name`,
    values,
  );
  return rows.filter((row) => row.used > 0);
}
