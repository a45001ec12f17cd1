/** A ledger that is open for work. */
import { initTables, type MigrationReport, onKnownTables, openTables } from '../../store/migrations.ts';
import { type Session, type Store, StoreConflict, withRetries } from '../../store/store.ts';
import { busy, type Outcome } from '../model/refusal.ts';
import { CLAIMS } from '../schema/migrations.ts';
import type { ChangeContext } from '../tables/history.ts';

/** What the ledger takes from the world: programs give the real ones, tests their own. */
export interface Surroundings {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A text that no other request has. */
  readonly newRequest: () => string;
}

export interface Ledger extends Surroundings {
  readonly store: Store;
}

export interface Author {
  readonly actor: string;
  readonly reason?: string | null | undefined;
  /** The request's own name, where it has one; else a new one is made. */
  readonly request?: string | undefined;
}

/** @throws a Fault when it is not there, is none, or has tables of another version. */
export const openLedger = async (url: string, surroundings: Surroundings): Promise<Ledger> => ({
  store: onKnownTables(await openTables(url, CLAIMS), CLAIMS),
  ...surroundings,
});

/** Makes the ledger at `url`, or brings its tables up to date; then opens it. */
export async function initLedger(
  url: string,
  surroundings: Surroundings,
): Promise<{ readonly ledger: Ledger; readonly report: MigrationReport }> {
  const { store, report } = await initTables(url, CLAIMS, surroundings.now());
  return { ledger: { store: onKnownTables(store, CLAIMS), ...surroundings }, report };
}

/**
 * A change: `work` in a transaction, kept when its outcome is `done`, tried again when others changed the
 * same rows. It may run several times, and change only the database. A stated generation is not tried again.
 */
export async function change<Value, Refusal>(
  ledger: Ledger,
  author: Author,
  work: (session: Session, context: ChangeContext) => Promise<Outcome<Value, Refusal>>,
): Promise<Outcome<Value, Refusal>> {
  const context: ChangeContext = {
    at: ledger.now(),
    request: author.request ?? ledger.newRequest(),
    actor: author.actor,
    reason: author.reason ?? null,
  };
  try {
    return await withRetries(
      () =>
        ledger.store.write(
          (session) => work(session, context),
          ({ kind }) => kind === 'done',
        ),
      (outcome) => outcome.kind === 'conflict' && outcome.conflict.kind === 'busy',
    );
  } catch (error) {
    if (!(error instanceof StoreConflict)) throw error;
    return busy(error.message);
  }
}
