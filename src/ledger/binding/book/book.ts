/** The book of pods and bindings, open for work. */
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { refusal } from '../../results/hbind.ts';
import { initTables, type MigrationReport, onKnownTables, openTables } from '../../store/migrations.ts';
import { withRetries } from '../../store/retry.ts';
import type { Session, Store } from '../../store/store.ts';
import { PODS } from '../schema/migrations.ts';
import type { ChangeContext } from '../tables/changes.ts';
import { raiseGeneration } from '../tables/registry.ts';
import { PodCache } from './pod-cache.ts';

export interface Book {
  readonly store: Store;
  readonly now: () => number;
  readonly cache: PodCache;
}

export type BookRefusal = DocumentOf<typeof refusal>;

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

/** @throws a Fault when it is not there, is none, or has tables of another version. */
export const openBook = async (url: string, now: () => number): Promise<Book> =>
  bookOn(await openTables(url, PODS), now);

/** Makes the tables at `url`, or brings them up to date; then opens the book. */
export async function initBook(
  url: string,
  now: () => number,
): Promise<{ readonly book: Book; readonly report: MigrationReport }> {
  const { store, report } = await initTables(url, PODS, now());
  return { book: bookOn(store, now), report };
}

/** A change of the book, tried again when others came first. @throws {StoreConflict} when they always did */
export const changeBook = <Result>(
  { store }: Book,
  work: (session: Session) => Promise<Result>,
  isKept?: (result: Result) => boolean,
): Promise<Result> => withRetries(() => store.write(work, isKept));

/** A change of pods with a generation of its own, kept when `done`; may run several times. */
export const changePods = <Value>(
  book: Book,
  actor: string,
  work: (session: Session, context: ChangeContext) => Promise<Outcome<Value>>,
): Promise<Outcome<Value>> =>
  changeBook(
    book,
    async (session) => work(session, { at: book.now(), actor, generation: await raiseGeneration(session) }),
    ({ kind }) => kind === 'done',
  );
