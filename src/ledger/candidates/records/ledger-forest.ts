/**
 * The forest of a ledger, kept in memory and brought up to date by the ledger's history, so that a query
 * costs what changed since the last one and not the whole ledger. Several services over one ledger see each
 * other's changes the same way.
 *
 * Numbers of history rows are given before a transaction commits: on PostgreSQL a lower number may come to
 * light after a higher one. Numbers that were passed over are therefore asked for again until they appear or
 * are too old to come.
 */
import type { Session, Store } from '../../store/store.ts';
import { Forest } from '../forest/forest.ts';
import { readRecords } from './read-records.ts';

/** A transaction is long over by then. */
const MISSING_FOR_MS = 60_000;
/** Numbers of one stretch that are asked for again; a longer stretch means a sequence that jumped. */
const MOST_MISSING = 10_000;
/** Numbers below the last one that may still have been under way when everything was read. */
const RECENT = 1_000;
/** With more changes than this, reading everything is quicker. */
const MOST_CHANGES = 5_000;

interface HistoryRow {
  readonly id: number;
  readonly action: string;
  readonly provider_id: number | null;
}

export class LedgerForest {
  private readonly uuids = new Map<number, string>();
  private current = new Forest();
  private isLoaded = false;
  private lastId = 0;
  /** Number of a history row that has not been seen, and since when. */
  private missing = new Map<number, number>();
  private queue: Promise<unknown> = Promise.resolve();

  /** @param now milliseconds, any steady clock */
  constructor(
    private readonly store: Store,
    private readonly now: () => number,
  ) {}

  /** The forest with all that was committed when this was called. Valid until the caller awaits something. */
  fresh(): Promise<Forest> {
    const next = this.queue.then(() => this.update());
    this.queue = next.catch(() => {});
    return next;
  }

  private async update(): Promise<Forest> {
    await this.store.read((session) => (this.isLoaded ? this.catchUp(session) : this.load(session)));
    return this.current;
  }

  private async load(session: Session): Promise<void> {
    const last = await session.get<{ id: number | null }>('SELECT max(id) AS id FROM history');
    const records = await readRecords(session, undefined);
    this.uuids.clear();
    for (const { id, uuid } of records) this.uuids.set(id, uuid);
    this.current = new Forest(records);
    this.lastId = last?.id ?? 0;
    this.missing.clear();
    // What was under way while we read has numbers just below the last one.
    if (this.store.dialect === 'postgres')
      for (let id = Math.max(1, this.lastId - RECENT); id < this.lastId; id++)
        this.missing.set(id, this.now());
    this.isLoaded = true;
  }

  private async catchUp(session: Session): Promise<void> {
    const rows = await session.all<HistoryRow>(
      'SELECT id, action, provider_id FROM history WHERE id > ? ORDER BY id',
      [this.lastId],
    );
    if (this.missing.size > 0)
      rows.push(
        ...(await session.all<HistoryRow>(
          'SELECT id, action, provider_id FROM history WHERE id IN_NUMBERS(?)',
          [[...this.missing.keys()]],
        )),
      );
    this.note(rows);
    const changed = [...new Set(rows.flatMap(({ provider_id }) => provider_id ?? []))];
    // What was pruned may have been news here.
    const isPruned = rows.some(({ action }) => action === 'prune');
    if (isPruned || changed.length > MOST_CHANGES) await this.load(session);
    else if (changed.length > 0) await this.apply(session, changed);
  }

  private async apply(session: Session, ids: readonly number[]): Promise<void> {
    const records = await readRecords(session, ids);
    const found = new Set(records.map(({ id }) => id));
    // Removed first: a new provider may have the uuid of one that is gone.
    for (const id of ids) {
      const uuid = found.has(id) ? undefined : this.uuids.get(id);
      if (uuid === undefined) continue;
      this.uuids.delete(id);
      this.current.remove(uuid);
    }
    for (const { id, uuid } of records) this.uuids.set(id, uuid);
    this.current.putAll(records);
  }

  /** Moves the mark, and remembers which numbers were passed over. SQLite has one writer, hence no gaps. */
  private note(rows: readonly HistoryRow[]): void {
    const now = this.now();
    for (const { id } of rows) {
      this.missing.delete(id);
      if (id <= this.lastId) continue;
      if (this.store.dialect === 'postgres' && id - this.lastId <= MOST_MISSING)
        for (let passed = this.lastId + 1; passed < id; passed++) this.missing.set(passed, now);
      this.lastId = id;
    }
    for (const [id, since] of this.missing) if (now - since > MISSING_FOR_MS) this.missing.delete(id);
  }
}
