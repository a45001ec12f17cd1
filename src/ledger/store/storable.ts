/**
 * Texts that no database keeps: SQLite ends them at NUL, and PostgreSQL takes neither that nor half a
 * character of two. Both stores refuse them ahead.
 */
import { InputError } from '../../kit/faults.ts';
import { shorten } from '../../kit/printable.ts';
import type { SqlValue } from './store.ts';

/** NUL, or half a surrogate pair (only those are of this class where whole characters are matched). */
const UNSTORABLE = /[\0\p{Cs}]/u;

class UnstorableText extends InputError {
  readonly isUnstorable = true;

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

/** Whether an error is an UnstorableText, whichever copy of this module made it. */
export const isUnstorable = (error: unknown): error is UnstorableText =>
  (error as { isUnstorable?: unknown } | null)?.isUnstorable === true;

/** @throws {UnstorableText} when one of the values, or of their members, cannot be kept. */
export function requireStorable(values: readonly SqlValue[]): void {
  for (const value of values)
    if (typeof value === 'string') {
      if (UNSTORABLE.test(value)) throw new UnstorableText(value);
    } else if (value !== null && typeof value === 'object') requireStorable(value);
}
