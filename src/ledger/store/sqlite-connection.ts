/** One connection to an SQLite file: statements are prepared once and kept. */
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import { DatabaseSync } from '@photostructure/sqlite';
import { sqliteValues, translate } from './dialect.ts';
import type { Session, SqlValue } from './store.ts';

export class Connection implements Session {
  readonly dialect = 'sqlite';
  readonly database: DatabaseSyncInstance;
  private readonly prepared = new Map<string, StatementSyncInstance>();

  /** @param busyMs how long a statement of its own waits for another writer, standing still. */
  constructor(file: string, busyMs: number) {
    this.database = new DatabaseSync(file);
    this.database.exec(
      `PRAGMA busy_timeout = ${busyMs}; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON`,
    );
  }

  prepare(statement: string): StatementSyncInstance {
    let prepared = this.prepared.get(statement);
    if (prepared === undefined) {
      prepared = this.database.prepare(translate('sqlite', statement));
      this.prepared.set(statement, prepared);
    }
    return prepared;
  }

  async all<Row>(statement: string, values: readonly SqlValue[] = []): Promise<Row[]> {
    return this.prepare(statement).all(...sqliteValues(values));
  }

  async get<Row>(statement: string, values: readonly SqlValue[] = []): Promise<Row | undefined> {
    return this.prepare(statement).get(...sqliteValues(values)) ?? undefined;
  }

  async run(statement: string, values: readonly SqlValue[] = []): Promise<number> {
    return this.prepare(statement).run(...sqliteValues(values)).changes;
  }

  async script(statements: string): Promise<void> {
    this.database.exec(translate('sqlite', statements));
  }

  close(): void {
    this.database.close();
  }
}
