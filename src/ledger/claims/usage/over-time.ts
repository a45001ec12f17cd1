/** Use over time: from what is used now, back through the history. */
import type { Session } from '../../store/store.ts';
import type { HistoryFilter } from './history.ts';

export interface UseOverTime {
  readonly class: string;
  /** Use at equal distances from the start of the span to now; the last is now. */
  readonly used: readonly number[];
}

interface Span {
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** 2 or more. */
  readonly points: number;
}

interface Step {
  /** The first point at or behind the changes; beyond the last one they are later than the span. */
  readonly point: number;
  readonly class: string;
  readonly change: number;
}

/** One series a class that was used at any time of the span, by name. */
export async function useOverTime(
  session: Session,
  filter: Pick<HistoryFilter, 'provider' | 'project'>,
  span: Span,
): Promise<readonly UseOverTime[]> {
  const now = await usedNow(session, filter);
  const steps = new Map<string, Map<number, number>>([...now.keys()].map((name) => [name, new Map()]));
  for (const { class: name, point, change } of await stepsOf(session, filter, span))
    steps.set(name, (steps.get(name) ?? new Map<number, number>()).set(point, change));
  return [...steps]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, changes]) => {
      const used = Array<number>(span.points);
      let level = now.get(name) ?? 0;
      for (const [point, change] of changes) if (point >= span.points) level -= change;
      for (let point = span.points - 1; point >= 0; point--) {
        used[point] = level;
        level -= changes.get(point) ?? 0;
      }
      return { class: name, used };
    });
}

/** The database adds up: a busy hour has hundreds of thousands of changes. */
function stepsOf(
  session: Session,
  { provider, project }: Pick<HistoryFilter, 'provider' | 'project'>,
  { from, to, points }: Span,
): Promise<readonly Step[]> {
  const span = to - from;
  const scope = `${provider === undefined ? '' : 'AND provider_id = ?'} ${project === undefined ? '' : 'AND project = ?'}`;
  const changes = (side: string, sign: number) =>
    `SELECT at, ${sign} AS sign, ${side} AS amounts FROM history
     WHERE at >= ? AND consumer IS NOT NULL AND provider_id IS NOT NULL AND ${side} IS NOT NULL ${scope}`;
  const values = [from, ...[provider, project].filter((value) => value !== undefined)];
  return session.all<Step>(
    `SELECT CAST(((h.at - ?) * ? + ?) / ? AS BIGINT) AS point, j.key AS class, SUM(h.sign * CAST(j.value AS BIGINT)) AS change
     FROM (${changes('after', 1)} UNION ALL ${changes('before', -1)}) h, JSON_PAIRS(h.amounts) j GROUP BY 1, 2`,
    [from, points - 1, span - 1, span, ...values, ...values],
  );
}

async function usedNow(
  session: Session,
  { provider, project }: Pick<HistoryFilter, 'provider' | 'project'>,
): Promise<ReadonlyMap<string, number>> {
  interface Row {
    readonly class: string;
    readonly used: number;
  }
  const inventories =
    'SELECT c.name AS class, SUM(i.used) AS used FROM inventories i JOIN resource_classes c ON c.id = i.class_id';
  let rows: readonly Row[];
  if (project !== undefined && provider !== undefined)
    rows = await session.all<Row>(
      `SELECT c.name AS class, SUM(a.used) AS used FROM allocations a JOIN consumers k ON k.id = a.consumer_id
         JOIN projects p ON p.id = k.project_id JOIN resource_classes c ON c.id = a.class_id
       WHERE a.provider_id = ? AND p.external_id = ? GROUP BY c.name`,
      [provider, project],
    );
  else if (project !== undefined)
    rows = await session.all<Row>(
      `SELECT c.name AS class, SUM(o.used) AS used FROM owner_totals o JOIN projects p ON p.id = o.project_id
         JOIN resource_classes c ON c.id = o.class_id WHERE p.external_id = ? GROUP BY c.name`,
      [project],
    );
  else if (provider !== undefined)
    rows = await session.all<Row>(`${inventories} WHERE i.provider_id = ? GROUP BY c.name`, [provider]);
  else rows = await session.all<Row>(`${inventories} GROUP BY c.name`);
  return new Map(rows.filter(({ used }) => used > 0).map((row) => [row.class, row.used]));
}
