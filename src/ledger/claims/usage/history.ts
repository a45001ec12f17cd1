/** The record of changes, read. */
import { momentOf } from '../../../kit/report/moments.ts';
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { change } from '../../results/hclaim.ts';
import { whereOf } from '../../store/rows.ts';
import type { Session } from '../../store/store.ts';

export type Change = DocumentOf<typeof change>;

export interface HistoryFilter {
  /** Number of the provider. */
  readonly provider?: number | undefined;
  readonly consumer?: string | undefined;
  readonly project?: string | undefined;
  /** Not older than this, in milliseconds since 1970. */
  readonly since?: number | undefined;
  /** Only rows with these numbers, or before that one. */
  readonly among?: readonly number[] | undefined;
  readonly before?: number | undefined;
}

interface Row extends Omit<Change, 'at' | 'before' | 'after'> {
  readonly at: number;
  readonly before: string | null;
  readonly after: string | null;
}

/** The newest changes first, or the oldest, at most `limit`. */
export async function readHistory(
  session: Session,
  filter: HistoryFilter,
  limit: number,
  first: 'newest' | 'oldest' = 'newest',
): Promise<readonly Change[]> {
  // A span of time goes by the index of times; numbers and times run alike but for writers at the same time.
  const newest = filter.since === undefined ? 'id DESC' : 'at DESC, id DESC';
  const { where, values } = whereOf({
    'provider_id = ?': filter.provider,
    'consumer = ?': filter.consumer,
    'project = ?': filter.project,
    'at >= ?': filter.since,
    'id IN_NUMBERS(?)': filter.among,
    'id < ?': filter.before,
  });
  const rows = await session.all<Row>(
    `SELECT id, at, request, actor, reason, action, provider_name AS provider, generation, consumer, project, before, after
     FROM history ${where} ORDER BY ${first === 'newest' ? newest : 'id'} LIMIT ?`,
    [...values, limit],
  );
  return rows.map((row) => ({
    ...row,
    at: momentOf(row.at),
    before: parsed(row.before),
    after: parsed(row.after),
  }));
}

const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text));

/** From when on the history is whole, in milliseconds since 1970; null: nothing was ever pruned. */
export async function historyStart(session: Session): Promise<number | null> {
  const row = await session.get<{ after: string }>(
    "SELECT after FROM history WHERE action = 'prune' ORDER BY id DESC LIMIT 1",
  );
  return row === undefined ? null : JSON.parse(row.after).whole_since;
}
