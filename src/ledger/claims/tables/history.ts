/**
 * The record of every change: who, when, why, before, after. Rows are added, and pruned; and changes as they
 * come to light: PostgreSQL gives numbers before commit, so a lower one may come later, and numbers that were
 * passed over are asked for again until all transactions of that time are over.
 */
import { insertRows } from '../../store/rows.ts';
import type { Session } from '../../store/store.ts';

/** What all changes of one request have in common. */
export interface ChangeContext {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Tells requests apart: one text for all rows of one request. */
  readonly request: string;
  readonly actor: string;
  readonly reason: string | null;
}

/** One provider's part in a request; what it is not about is left out, or null. */
export interface HistoryEntry {
  /** `claim`, `release`, `inventory`...: see docs/how-to/claims.md. */
  readonly action: string;
  readonly provider?: { readonly id: number; readonly name: string } | null;
  /** The provider's generation after the change; null where the change left it as it was. */
  readonly generation?: number | null;
  readonly consumer?: string | null;
  readonly project?: string | null;
  /** Plain data. Of a claim: class to amount. */
  readonly before?: unknown;
  readonly after?: unknown;
}

const json = (value: unknown): string | null => ((value ?? null) === null ? null : JSON.stringify(value));

export const writeHistory = (
  session: Session,
  { at, request, actor, reason }: ChangeContext,
  entries: readonly HistoryEntry[],
): Promise<void> =>
  insertRows(
    session,
    'history (at, request, actor, reason, action, provider_id, provider_name, generation, consumer, project, before, after)',
    entries.map((entry) => [
      at,
      request,
      actor,
      reason,
      entry.action,
      entry.provider?.id ?? null,
      entry.provider?.name ?? null,
      entry.generation ?? null,
      entry.consumer ?? null,
      entry.project ?? null,
      json(entry.before),
      json(entry.after),
    ]),
  );

/** Up to where the history has been read. */
export interface Tail {
  readonly last: number;
  /** Numbers that were passed over, and the transaction below which all must be over to give them up. */
  readonly passed: ReadonlyMap<number, number>;
  /** The transaction below which all were over before the next look. */
  readonly over: number;
}

interface News {
  readonly id: number;
  readonly action: string;
  readonly provider_id: number | null;
}

/** Numbers in one stretch that are asked for again; a longer stretch means a sequence that jumped. */
const MOST_PASSED = 100_000;
/** Numbers below the last one that may be under way when reading begins. */
const RECENT = 10_000;

export const tailBehind = (last: number): Tail => ({ last, passed: new Map(), over: 0 });

export async function tailNow(session: Session): Promise<Tail> {
  const row = await session.get<{ id: number | null }>('SELECT MAX(id) AS id FROM history');
  const tail = tailBehind(row?.id ?? 0);
  if (session.dialect === 'sqlite') return tail;
  const first = Math.max(1, tail.last - RECENT);
  const rows = await session.all<{ id: number }>('SELECT id FROM history WHERE id >= ? AND id < ?', [
    first,
    tail.last,
  ]);
  const present = new Set(rows.map(({ id }) => id));
  const absent: number[] = [];
  for (let id = first; id < tail.last; id++) if (!present.has(id)) absent.push(id);
  return passing(session, tail, absent);
}

/** @returns at most `most` new changes besides those that were passed over; and from where to go on. */
export async function newsBehind(
  session: Session,
  tail: Tail,
  most: number,
): Promise<{ readonly news: readonly News[]; readonly tail: Tail }> {
  const SELECT = 'SELECT id, action, provider_id FROM history WHERE';
  const fresh = await session.all<News>(`${SELECT} id > ? ORDER BY id LIMIT ?`, [tail.last, most]);
  const late =
    tail.passed.size === 0
      ? []
      : await session.all<News>(`${SELECT} id IN_NUMBERS(?) ORDER BY id`, [[...tail.passed.keys()]]);
  const found = new Set(late.map(({ id }) => id));
  const passed = new Map([...tail.passed].filter(([id, until]) => until > tail.over && !found.has(id)));
  let { last } = tail;
  const skipped: number[] = [];
  for (const { id } of fresh) {
    // SQLite has one writer: there nothing is overtaken.
    if (session.dialect === 'postgres' && id - last <= MOST_PASSED)
      for (let between = last + 1; between < id; between++) skipped.push(between);
    last = id;
  }
  return { news: [...late, ...fresh], tail: await passing(session, { ...tail, last, passed }, skipped) };
}

/** The tail with numbers more that were passed over by now. */
async function passing(session: Session, tail: Tail, skipped: readonly number[]): Promise<Tail> {
  const { last, passed } = tail;
  if (passed.size + skipped.length === 0) return tail;
  const row = await session.get<{ over: number; begun: number }>(
    `SELECT pg_snapshot_xmin(s)::text::bigint AS over, pg_snapshot_xmax(s)::text::bigint AS begun
     FROM pg_current_snapshot() s`,
  );
  const { over, begun } = row!;
  return { last, passed: new Map([...passed, ...skipped.map((id) => [id, begun] as const)]), over };
}
