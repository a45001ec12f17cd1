/** What every command of hbind works with. */
import { EXIT } from '../../../../kit/exit-status.ts';
import { UsageError } from '../../../../kit/faults.ts';
import { documentHead } from '../../../../kit/report/json.ts';
import { printErr, printOut } from '../../../../kit/report/output.ts';
import { type Book, type BookRefusal, type Outcome, openBook } from '../../../binding/book/book.ts';
import type { ProgramOptions } from '../../../options/command-options.ts';
import { isStoreConflict } from '../../../store/store.ts';
import { ledgerUrl } from '../../shared/access/ledger-url.ts';
import { thisUser } from '../../shared/access/this-user.ts';
import { type AnyDocument, documentText } from '../../shared/document/document-text.ts';
import { refusalText } from '../text/refusal-text.ts';

export type Options = ProgramOptions<'hbind'>;

/** Runs a command with the words behind it. @returns the exit status. */
export type Command = (options: Options, words: readonly string[]) => Promise<number>;

export const now = (): number => Date.now();

export const actorOf = ({ actor }: Options): string => actor ?? thisUser();

/**
 * Opens the book for `work`, and closes it whatever happens.
 * @returns the exit status: that of `work`, or that of a conflict with other writers
 */
export async function withBook(
  command: string,
  options: Options,
  work: (book: Book) => Promise<number>,
): Promise<number> {
  const book = await openBook(ledgerUrl(options), now);
  try {
    return await work(book);
  } catch (error) {
    if (!isStoreConflict(error)) throw error;
    const { message } = error as Error;
    if (options.json) await printDocument(command, options, 'conflict', { conflict: message });
    else printErr(`Conflict: other writers came first in every try (${message})\n`);
    return EXIT.changed;
  } finally {
    await book.store.close();
  }
}

/** What a command tells besides is its own; the tests hold each against the schema. */
async function printDocument(
  command: string,
  options: Options,
  outcome: 'done' | 'refused' | 'conflict',
  facts: object,
): Promise<void> {
  const head = { ...documentHead('hbind'), command, outcome };
  printOut(await documentText(options, { ...head, ...facts } as unknown as AnyDocument));
}

/** What a command found or did: `text` for people, `facts` for `--json`. */
export interface Report {
  readonly text: string;
  readonly facts: object;
  /** Beside the text, on standard error. */
  readonly notes?: string;
  /** Exit status; 0 unless stated. */
  readonly status?: number;
}

/** Says what a command did. @returns the exit status. */
export async function say(
  command: string,
  options: Options,
  { text, facts, notes, status = 0 }: Report,
): Promise<number> {
  if (options.json) {
    await printDocument(command, options, status === 0 ? 'done' : 'refused', facts);
    return status;
  }
  printOut(text);
  if (notes) printErr(notes);
  return status;
}

/** Says why nothing was done. @returns the exit status. */
export async function sayRefused(
  command: string,
  options: Options,
  refusals: readonly BookRefusal[],
): Promise<number> {
  if (options.json) await printDocument(command, options, 'refused', { refusals });
  else for (const refusal of refusals) printErr(`${refusalText(refusal)}\n`);
  return EXIT.no;
}

/** Says what became of a change. @returns the exit status. */
export const sayOutcome = <Value>(
  command: string,
  options: Options,
  outcome: Outcome<Value>,
  report: (value: Value) => Report,
): Promise<number> =>
  outcome.kind === 'refused'
    ? sayRefused(command, options, outcome.refusals)
    : say(command, options, report(outcome.value));

/** A value of the command line that cannot be. */
export const badArgument = (message: string, remedy: string): UsageError =>
  new UsageError(message, EXIT.bad, remedy);
