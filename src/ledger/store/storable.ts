/** Texts that are refused: SQLite ends them at NUL, PostgreSQL takes neither that nor half a character. */
import { InputError } from '../../kit/faults.ts';
import { shorten } from '../../kit/printable.ts';
import type { SqlValue } from './store.ts';

/** NUL, or half a surrogate pair (only those are of this class where whole characters are matched). */
const UNSTORABLE = /[\0\p{Cs}]/u;

export class UnstorableText extends InputError {
  constructor(text: string) {
    super('the ledger', [
      {
        value: shorten(text),
        problem: 'a text with NUL or half of a character cannot be kept',
        remedy: 'leave these characters out',
      },
    ]);
  }
}

/** @throws {UnstorableText} when one of the values, or of their members, cannot be kept. */
export function requireStorable(values: readonly SqlValue[]): void {
  for (const value of values)
    if (typeof value === 'string') {
      if (UNSTORABLE.test(value)) throw new UnstorableText(value);
    } else if (value !== null && typeof value === 'object') requireStorable(value);
}
