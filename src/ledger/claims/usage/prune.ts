/**
 * Pruning the history. The last word about what is still held stays, and a provider knows up to which
 * generation its changes are not counted any more, so that the audit says as much as before.
 */
import type { Session } from '../../store/store.ts';
import { type Author, change, type Ledger } from '../claim/ledger.ts';
import type { Outcome } from '../model/refusal.ts';
import { type ChangeContext, writeHistory } from '../tables/history.ts';
import { historyStart } from './history.ts';

interface Pruned {
  readonly removed: number;
  /** From when on the history is whole, in milliseconds since 1970; null: from its beginning. */
  readonly wholeSince: number | null;
}

/** Changes of one transaction: others get their turn in between. */
const MOST_AT_ONCE = 5000;

/** Removes changes before a moment, ms since 1970. That it was done, by whom and why, stays. */
export async function pruneHistory(
  ledger: Ledger,
  author: Author,
  before: number,
): Promise<Outcome<Pruned, never>> {
  const begun = await change(ledger, author, (session, context) => beginPruning(session, context, before));
  if (begun.kind !== 'done') return begun;
  const { end, wholeSince } = begun.value;
  let removed = 0;
  for (let last = 0; ; ) {
    const piece = await change<readonly PrunableRow[], never>(ledger, author, async (session) => ({
      kind: 'done',
      value: await prunePiece(session, last, end),
    }));
    if (piece.kind !== 'done') return piece;
    const { length } = piece.value;
    if (length === 0) return { kind: 'done', value: { removed, wholeSince } };
    removed += length;
    last = piece.value.at(-1)!.id;
  }
}

/** Where the changes end that may go, by number: by time, a later word could go before an earlier one. */
async function beginPruning(
  session: Session,
  context: ChangeContext,
  before: number,
): Promise<Outcome<{ readonly end: number; readonly wholeSince: number | null }, never>> {
  const row = await session.get<{ kept: number | null; last: number | null }>(
    'SELECT (SELECT MIN(id) FROM history WHERE at >= ?) AS kept, (SELECT MAX(id) FROM history) AS last',
    [before],
  );
  const end = row!.kept ?? (row!.last ?? 0) + 1;
  const start = await historyStart(session);
  if ((await prunable(session, 0, end, 1)).length === 0)
    return { kind: 'done', value: { end: 0, wholeSince: start } };
  const wholeSince = Math.max(start ?? 0, before);
  await writeHistory(session, context, [{ action: 'prune', after: { whole_since: wholeSince } }]);
  return { kind: 'done', value: { end, wholeSince } };
}

interface PrunableRow {
  readonly id: number;
  readonly provider_id: number | null;
  readonly generation: number | null;
}

/** Changes between two numbers that are not the last word about what is held, the first ones first. */
const prunable = (
  session: Session,
  after: number,
  end: number,
  most: number,
): Promise<readonly PrunableRow[]> =>
  session.all(
    `SELECT h.id, h.provider_id, h.generation FROM history h WHERE h.id > ? AND h.id < ? AND h.action <> 'prune'
       AND (h.after IS NULL OR h.consumer IS NULL OR h.provider_id IS NULL OR EXISTS
         (SELECT 1 FROM history n WHERE n.consumer = h.consumer AND n.provider_id = h.provider_id AND n.id > h.id))
     ORDER BY h.id LIMIT ?`,
    [after, end, most],
  );

async function prunePiece(session: Session, after: number, end: number): Promise<readonly PrunableRow[]> {
  const rows = await prunable(session, after, end, MOST_AT_ONCE);
  await session.run('DELETE FROM history WHERE id IN_NUMBERS(?)', [rows.map(({ id }) => id)]);
  const generations = new Map<number, number>();
  for (const { provider_id: id, generation } of rows)
    if (id !== null && generation !== null)
      generations.set(id, Math.max(generation, generations.get(id) ?? 0));
  await Promise.all(
    [...generations]
      .sort(([a], [b]) => a - b)
      .map(([id, generation]) =>
        session.run('UPDATE resource_providers SET history_from = ? WHERE id = ? AND history_from < ?', [
          generation,
          id,
          generation,
        ]),
      ),
  );
  return rows;
}
