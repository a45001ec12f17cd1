/** Use over time: from what is used now, back through the history. */
import type { Session } from '../../store/store.ts';
import { type HistoryFilter, readHistory } from './history.ts';

export interface UseOverTime {
  readonly class: string;
  /** Use at equal distances from the start of the span to now; the last is now. */
  readonly used: readonly number[];
}

export interface Span {
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** 2 or more. */
  readonly points: number;
}

/** Amounts of a class in a history entry; entries about other things have none. */
const amountIn = (side: unknown, name: string): number =>
  (side as Record<string, number> | null)?.[name] ?? 0;

/** One series a class that was used at any time of the span, by name. */
export async function useOverTime(
  session: Session,
  filter: Pick<HistoryFilter, 'provider' | 'project'>,
  { from, to, points }: Span,
): Promise<readonly UseOverTime[]> {
  const now = await usedNow(session, filter);
  const changes = (await readHistory(session, { ...filter, since: from }, Number.MAX_SAFE_INTEGER)).filter(
    ({ consumer, provider: name }) => consumer !== null && name !== null,
  );
  const names = new Set(now.keys());
  for (const { before, after } of changes)
    for (const side of [before, after]) for (const name of Object.keys(side ?? {})) names.add(name);
  return [...names].sort().map((name) => {
    const used = Array<number>(points);
    let level = now.get(name) ?? 0;
    let next = 0;
    for (let point = points - 1; point >= 0; point--) {
      const at = from + ((to - from) * point) / (points - 1);
      for (; next < changes.length && changes[next]!.at > at; next++) {
        const { before, after } = changes[next]!;
        level -= amountIn(after, name) - amountIn(before, name);
      }
      used[point] = level;
    }
    return { class: name, used };
  });
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
