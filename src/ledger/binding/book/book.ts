/** The book of pods and bindings, open for work. */
import { type MigrationReport, migrate, onKnownTables, requireSchema } from '../../store/migrations.ts';
import { openStore } from '../../store/open-store.ts';
import { withRetries } from '../../store/retry.ts';
import type { Session, Store } from '../../store/store.ts';
import { PODS } from '../schema/migrations.ts';
import type { ChangeContext } from '../tables/changes.ts';
import { raiseGeneration } from '../tables/registry.ts';
import { PodCache } from './pod-cache.ts';

export interface Book {
  readonly store: Store;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly cache: PodCache;
}

/** Why something is not done. */
export type BookRefusal =
  | { readonly kind: 'unknown-pod'; readonly pod: string }
  | { readonly kind: 'name-taken'; readonly pod: string }
  /** Tenants are or were bound to it: it is part of their history. */
  | { readonly kind: 'ever-bound'; readonly pod: string }
  | { readonly kind: 'not-in-maintenance'; readonly pod: string; readonly state: string }
  /** A binding that no request would keep. */
  | { readonly kind: 'does-not-suit'; readonly pod: string; readonly filter: string; readonly why: string };

export type Outcome<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'refused'; readonly refusals: readonly BookRefusal[] };

export const done = <Value>(value: Value): Outcome<Value> => ({ kind: 'done', value });
export const refused = (...refusals: BookRefusal[]): Outcome<never> => ({ kind: 'refused', refusals });

/** A book on a store whose tables are known to be right. */
export const bookOn = (store: Store, now: () => number): Book => ({
  store: onKnownTables(store, PODS),
  now,
  cache: new PodCache(),
});

/**
 * Opens the book at `url` (a file, or postgres://...).
 * @throws a Fault when it is not there, is none, or has tables of another version.
 */
export async function openBook(url: string, now: () => number): Promise<Book> {
  const store = await openStore(url);
  try {
    await requireSchema(store, PODS);
  } catch (error) {
    await store.close();
    throw error;
  }
  return bookOn(store, now);
}

/** Makes the tables at `url`, or brings them up to date; then opens the book. */
export async function initBook(
  url: string,
  now: () => number,
): Promise<{ readonly book: Book; readonly report: MigrationReport }> {
  const store = await openStore(url, { isMade: true });
  try {
    const report = await migrate(store, PODS, now());
    return { book: bookOn(store, now), report };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * One change of pods: `work` in a transaction of its own generation, kept when its outcome is `done`. It may
 * run several times.
 * @throws {StoreConflict} when others came first again and again
 */
export const changePods = <Value>(
  book: Book,
  actor: string,
  work: (session: Session, context: ChangeContext) => Promise<Outcome<Value>>,
): Promise<Outcome<Value>> =>
  withRetries(
    () =>
      book.store.write(
        async (session) =>
          work(session, { at: book.now(), actor, generation: await raiseGeneration(session) }),
        ({ kind }) => kind === 'done',
      ),
    () => false,
  );
