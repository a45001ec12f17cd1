/**
 * A ledger whose claims are written later than they were read, so that somebody else can come in between on
 * either database.
 */
import type { Ledger } from '../../../src/ledger/claims/claim/ledger.ts';
import type { Session, SqlValue, Store } from '../../../src/ledger/store/store.ts';
import { writing } from '../store/writing.ts';

export interface LateLedger extends Ledger {
  /** Rows that each try's compare-and-update of a provider touched, in order: 0 for one that had moved on. */
  readonly touched: number[];
}

/** Thrown in place of a try's first statement that writes. */
const READ_ALL = Symbol('read all');

/**
 * `ledger`, whose first `tries` changes read in a transaction of their own; then `between` runs, and only
 * then is the change written, with what was read. SQLite lets only one writer in, which reads inside its
 * turn; so this is the one way to make it late there.
 */
export function lateLedger(ledger: Ledger, tries: number, between: () => Promise<unknown>): LateLedger {
  const touched: number[] = [];
  let count = 0;
  const store = writing(ledger.store, async (work, isKept) => {
    let known: readonly object[][] = [];
    if (++count <= tries) {
      known = await readsOf(ledger.store, work);
      await between();
    }
    return ledger.store.write((session) => work(replaying(session, known, touched)), isKept);
  });
  return { now: ledger.now, newRequest: ledger.newRequest, store, touched };
}

/** What `work` reads before it first writes. */
function readsOf(store: Store, work: (session: Session) => Promise<unknown>): Promise<readonly object[][]> {
  return store.read(async (session) => {
    const answers: object[][] = [];
    const all = async <Row extends object>(
      statement: string,
      values?: readonly SqlValue[],
    ): Promise<Row[]> => {
      if (!/^\s*(SELECT|WITH)\b/.test(statement)) throw READ_ALL;
      const rows = await session.all<Row>(statement, values);
      answers.push(rows);
      return rows;
    };
    const stop = async () => {
      throw READ_ALL;
    };
    try {
      await work({
        dialect: session.dialect,
        all,
        get: async <Row extends object>(
          statement: string,
          values?: readonly SqlValue[],
        ): Promise<Row | undefined> => (await all<Row>(statement, values))[0],
        run: stop,
        script: stop,
      });
    } catch (error) {
      if (error !== READ_ALL) throw error;
    }
    return answers;
  });
}

/** `session`, which gives its first answers from `known`. */
function replaying(session: Session, known: readonly object[][], touched: number[]): Session {
  let next = 0;
  const all = async <Row extends object>(statement: string, values?: readonly SqlValue[]): Promise<Row[]> =>
    next < known.length ? (known[next++] as Row[]) : session.all<Row>(statement, values);
  return {
    dialect: session.dialect,
    all,
    get: async <Row extends object>(
      statement: string,
      values?: readonly SqlValue[],
    ): Promise<Row | undefined> => (await all<Row>(statement, values))[0],
    async run(statement, values) {
      const rows = await session.run(statement, values);
      if (/^UPDATE resource_providers SET generation = generation \+ 1/.test(statement)) touched.push(rows);
      return rows;
    },
    script: (statements) => session.script(statements),
  };
}
