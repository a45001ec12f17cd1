/** The forest of a ledger, kept up to date by its history: a query costs what changed since the last. */
import { newsBehind, type Tail, tailNow } from '../../claims/tables/history.ts';
import type { Session, Store } from '../../store/store.ts';
import { Forest } from '../forest/forest.ts';
import { readRecords } from './read-records.ts';

/** With more news than this, or more providers changed, reading everything is quicker. */
const MOST_NEWS = 50_000;
const MOST_CHANGED = 5_000;

export class LedgerForest {
  private readonly uuids = new Map<number, string>();
  private current = new Forest();
  /** Up to where the forest has the history; undefined: all is to be read. */
  private tail: Tail | undefined;
  private queue: Promise<unknown> = Promise.resolve();

  constructor(private readonly store: Store) {}

  /** The forest with all that was committed when this was called. Valid until the caller awaits something. */
  fresh(): Promise<Forest> {
    const next = this.queue.then(() => this.update());
    this.queue = next.catch(() => {});
    return next;
  }

  private async update(): Promise<Forest> {
    const { tail } = this;
    // What ends halfway begins anew.
    this.tail = undefined;
    this.tail = await this.store.read((session) => (tail ? this.catchUp(session, tail) : this.load(session)));
    return this.current;
  }

  private async load(session: Session): Promise<Tail> {
    const tail = await tailNow(session);
    const records = await readRecords(session, undefined);
    this.uuids.clear();
    for (const { id, uuid } of records) this.uuids.set(id, uuid);
    this.current = new Forest(records);
    return tail;
  }

  private async catchUp(session: Session, seen: Tail): Promise<Tail> {
    const { news, tail } = await newsBehind(session, seen, MOST_NEWS);
    const changed = [...new Set(news.flatMap(({ provider_id }) => provider_id ?? []))];
    // What was pruned may have been news here.
    const isPruned = news.some(({ action }) => action === 'prune');
    if (isPruned || news.length >= MOST_NEWS || changed.length > MOST_CHANGED) return this.load(session);
    if (changed.length > 0) await this.apply(session, changed);
    return tail;
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
}
