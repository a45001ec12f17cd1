/** What every command of hbind works with. */
import type { DocumentOf } from '../../../../kit/results/members.ts';
import { type Book, type BookRefusal, openBook } from '../../../binding/book/book.ts';
import type { BindingCommand } from '../../../options/binding-commands.ts';
import type { ProgramOptions } from '../../../options/program-table.ts';
import type { hbind } from '../../../results/hbind.ts';
import { checkHolders, ledgerUrl, thisUser } from '../../shared/access/ledger-url.ts';
import { closing, type Ending, type FactsOf, type Report } from '../../shared/document/ending.ts';

export type Options = ProgramOptions<'hbind'>;

export type Said<C extends BindingCommand> = Report<FactsOf<DocumentOf<typeof hbind>, C>>;

export type Command<C extends BindingCommand> = (
  options: Options,
  words: readonly string[],
) => Promise<Ending<Said<C>['facts'], BookRefusal, string>>;

export function actorOf({ actor }: Options): string {
  checkHolders({ '--actor': actor });
  return actor ?? thisUser();
}

/** Works with the book. @throws {StoreConflict} when other writers came first in every try */
export const withBook = async <T>(options: Options, work: (book: Book) => Promise<T>): Promise<T> =>
  closing(await openBook(ledgerUrl(options), Date.now), work);
