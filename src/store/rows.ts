/** Many rows in few statements. */
import type { Session, SqlValue } from './store.ts';

/** Rows of one statement at most: SQLite takes 32,766 values in one, and prepared texts should be few. */
const MAX_ROWS = 256;
/** Up to so many rows are one statement, whatever their number: most claims are. */
const FEW_ROWS = 16;

/** `(?,?), (?,?)` for `count` rows. */
const placeholders = (columns: number, count: number): string =>
  Array(count)
    .fill(`(${Array(columns).fill('?').join(', ')})`)
    .join(', ');

/** Sizes of the statements for `count` rows: above a few, powers of two, so that few different texts are prepared. */
export function chunkSizes(count: number): readonly number[] {
  const sizes: number[] = [];
  for (let left = count; left > 0; ) {
    const size = left >= MAX_ROWS ? MAX_ROWS : left <= FEW_ROWS ? left : 2 ** Math.floor(Math.log2(left));
    sizes.push(size);
    left -= size;
  }
  return sizes;
}

/**
 * Inserts rows.
 * @param into `table (column, ...)`.
 * @param rows each with a value for every column, in order; none is fine.
 * @param onConflict what follows the rows, such as `ON CONFLICT (a) DO UPDATE SET ...`.
 */
export async function insertRows(
  session: Session,
  into: string,
  rows: readonly (readonly SqlValue[])[],
  onConflict = '',
): Promise<void> {
  let first = 0;
  for (const size of chunkSizes(rows.length)) {
    const chunk = rows.slice(first, first + size);
    const statement = `INSERT INTO ${into} VALUES ${placeholders(chunk[0]!.length, size)} ${onConflict}`;
    await session.run(statement, chunk.flat() as SqlValue[]);
    first += size;
  }
}
