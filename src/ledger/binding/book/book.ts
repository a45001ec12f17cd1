/** The book of pods and bindings, open for work. */
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { refusal } from '../../results/hbind.ts';
import { initTables, type MigrationReport, onKnownTables, openTables } from '../../store/migrations.ts';
import { type Session, type Store, withRetries } from '../../store/store.ts';
import type { Pod } from '../model/pod.ts';
import { PODS } from '../schema/migrations.ts';
import type { ChangeContext } from '../tables/changes.ts';
import { allPods, podsById, podsSince } from '../tables/pods.ts';
import { type Registry, raiseGeneration } from '../tables/registry.ts';

interface Picture {
  readonly generation: number;
  /** The oldest first. */
  readonly pods: readonly Pod[];
  readonly byId: ReadonlyMap<number, Pod>;
}

/**
 * The pods as they were read last: while no pod changes, requests need not read a thousand rows each. Only
 * for transactions that change no pod themselves, since what they would read might be taken back.
 */
class PodCache {
  private picture: Picture | undefined;

  /** All pods of the registry's generation, the oldest first. */
  async all(session: Session, registry: Registry): Promise<readonly Pod[]> {
    const { picture } = this;
    if (picture?.generation === registry.generation) return picture.pods;
    // Another transaction may have seen more than this one does.
    if (picture && picture.generation > registry.generation) return allPods(session);
    const isPiece = picture !== undefined && registry.removedAt <= picture.generation;
    const pods = isPiece
      ? merged(picture, await podsSince(session, picture.generation))
      : await allPods(session);
    const next = { generation: registry.generation, pods, byId: new Map(pods.map((pod) => [pod.id, pod])) };
    if (this.picture === undefined || this.picture.generation < next.generation) this.picture = next;
    return pods;
  }

  async some(session: Session, registry: Registry, ids: readonly number[]): Promise<(id: number) => Pod> {
    const { picture } = this;
    const byId =
      picture?.generation === registry.generation
        ? picture.byId
        : new Map((await podsById(session, ids)).map((pod) => [pod.id, pod]));
    return (id) => byId.get(id)!;
  }
}

function merged({ byId }: Picture, changed: readonly Pod[]): readonly Pod[] {
  const next = new Map(byId);
  for (const pod of changed) next.set(pod.id, pod);
  return [...next.values()].sort((a, b) => a.createdAt - b.createdAt || a.id - b.id);
}

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
