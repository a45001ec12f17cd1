/** Many rows in few statements, and those of a filter. */
import type { Session, SqlValue } from './store.ts';

/** Rows of one statement at most: SQLite takes 32,766 values in one, and prepared texts should be few. */
const MAX_ROWS = 256;
/** Up to so many rows are one statement, whatever their number: most claims are. */
const FEW_ROWS = 16;

/** Sizes of the statements for `count` rows: above a few, powers of two, so that few texts are prepared. */
function chunkSizes(count: number): readonly number[] {
  const sizes: number[] = [];
  for (let left = count; left > 0; ) {
    const size = left >= MAX_ROWS ? MAX_ROWS : left <= FEW_ROWS ? left : 2 ** Math.floor(Math.log2(left));
    sizes.push(size);
    left -= size;
  }
  return sizes;
}

interface InsertOptions {
  /** How one row is written, where a value has to be looked up; `(?, ?, ...)` otherwise. */
  readonly row?: string;
  /** What follows the rows, such as `ON CONFLICT (a) DO UPDATE SET ...`. */
  readonly onConflict?: string;
}

/** @param into `table (column, ...)` */
export async function insertRows(
  session: Pick<Session, 'run'>,
  into: string,
  rows: readonly (readonly SqlValue[])[],
  { row, onConflict = '' }: InsertOptions = {},
): Promise<void> {
  const sent: Promise<number>[] = [];
  let first = 0;
  for (const size of chunkSizes(rows.length)) {
    const chunk = rows.slice(first, first + size);
    const one = row ?? `(${chunk[0]!.map(() => '?').join(', ')})`;
    const statement = `INSERT INTO ${into} VALUES ${Array(size).fill(one).join(', ')} ${onConflict}`;
    sent.push(session.run(statement, chunk.flat() as SqlValue[]));
    first += size;
  }
  await Promise.all(sent);
}

/** A filter without what is undefined. @param asked condition with one question mark to its value */
export function whereOf(asked: Readonly<Record<string, SqlValue | undefined>>): {
  readonly where: string;
  readonly values: readonly SqlValue[];
} {
  const stated = Object.entries(asked).flatMap(([condition, value]) =>
    value === undefined ? [] : [{ condition, value }],
  );
  const conditions = stated.map(({ condition }) => condition).join(' AND ');
  return { where: conditions && `WHERE ${conditions}`, values: stated.map(({ value }) => value) };
}
