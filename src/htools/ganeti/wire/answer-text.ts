/** What a server says, as text: whole answers, and the parts of them that messages quote. */
import { isUtf8 } from 'node:buffer';
import { shorten } from '../../../kit/printable.ts';

const QUOTED_LENGTH = 500;

/**
 * An answer's bytes as text. Answers are meant to be UTF-8, but Ganeti's daemons have been seen to send error
 * texts in Latin-1; every byte means something there, so this never fails.
 */
export const decodeAnswer = (bytes: Buffer): string => bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');

/** A server's words for a message of ours: control characters escaped, cut to a length that can be read. */
export const quoteAnswer = (text: string): string => shorten(text.trim(), QUOTED_LENGTH);

/** A value that a server sent, for a message of ours. */
export function quoteValue(value: unknown): string {
  if (typeof value === 'string') return quoteAnswer(value);
  try {
    return quoteAnswer(JSON.stringify(value) ?? '');
  } catch {
    // What was read can be nested more deeply than it can be written.
    return '(nested too deeply)';
  }
}

/** Errors are lists such as `["OpExecError", ["text"]]`; what people read are the texts in them. */
export function errorText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return quoteValue(value);
  const [name, details] = value;
  return typeof name === 'string' && Array.isArray(details)
    ? details.map(errorText).join('; ') || name
    : value.map(errorText).join('; ');
}
