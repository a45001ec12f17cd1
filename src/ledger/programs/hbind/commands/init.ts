/** `hbind init`. */
import { initBook } from '../../../binding/book/book.ts';
import { ledgerUrl } from '../../shared/access/ledger-url.ts';
import { initialisedText } from '../../shared/document/initialised.ts';
import { type Command, now } from '../kit/context.ts';

export const init: Command<'init'> = async (options) => {
  const { book, report } = await initBook(ledgerUrl(options), now);
  const { name } = book.store;
  await book.store.close();
  const text = initialisedText(name, report, 'ready for pods');
  return { kind: 'done', text, facts: { database: name, ...report } };
};
