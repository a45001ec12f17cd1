/** Which statements run, and what their plans read from one end to the other. */
import type { Session, SqlValue, Store } from '../../../src/ledger/store/store.ts';

export type Statement = readonly [text: string, values: readonly SqlValue[]];

/** The store, with every statement that runs written down. */
export function recorded(store: Store, statements: Map<string, Statement>): Store {
  const note = (text: string, values: readonly SqlValue[]): void => {
    statements.set(text, [text, values]);
  };
  const listening = (session: Session): Session => ({
    dialect: session.dialect,
    all: (text, values = []) => {
      note(text, values);
      return session.all(text, values);
    },
    get: (text, values = []) => {
      note(text, values);
      return session.get(text, values);
    },
    run: (text, values = []) => {
      note(text, values);
      return session.run(text, values);
    },
    script: (text) => session.script(text),
  });
  return {
    ...store,
    dialect: store.dialect,
    name: store.name,
    read: (work) => store.read((session) => work(listening(session))),
    write: (work, isKept) => store.write((session) => work(listening(session)), isKept),
    close: () => store.close(),
  };
}

/**
 * Those of the `large` tables that the plan of a statement reads from one end to the other. An alias is one
 * letter.
 */
export async function scansOf(
  session: Session,
  [text, values]: Statement,
  large: readonly string[],
): Promise<readonly string[]> {
  if (session.dialect === 'postgres') {
    // The tables are small in tests: a scan is planned only where no index serves.
    await session.script('SET LOCAL enable_seqscan = off');
    const rows = await session.all<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values);
    return rows
      .flatMap((row) => [...row['QUERY PLAN'].matchAll(/Seq Scan on (\w+)/g)].map(([, table]) => table!))
      .filter((table) => large.includes(table));
  }
  const tables = new Map(large.map((table) => [table, table]));
  for (const [, table, alias] of text.matchAll(/\b(\w+) ([a-z])\b/g))
    if (large.includes(table!)) tables.set(alias!, table!);
  const rows = await session.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, values);
  return rows.flatMap(({ detail }) => {
    const table = tables.get(/^SCAN (\w+)/.exec(detail)?.[1] ?? '');
    return table === undefined ? [] : [`${table} (${detail})`];
  });
}
