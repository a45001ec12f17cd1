/** `hbind init`. */
import { initBook } from '../../../binding/book/book.ts';
import { ledgerUrl } from '../../shared/access/ledger-url.ts';
import { type Command, now, say } from '../kit/context.ts';

export const init: Command = async (options) => {
  const { book, report } = await initBook(ledgerUrl(options), now);
  const { name } = book.store;
  await book.store.close();
  const { from, to, backups } = report;
  const what =
    from === to
      ? `${name} is up to date (version ${to})`
      : from === 0
        ? `${name} is ready for pods (version ${to})`
        : `${name} was brought from version ${from} to ${to}`;
  const text = [`${what}.`, ...backups.map((backup) => `What was before is kept in ${backup}.`)].join('\n');
  return say('init', options, { text: `${text}\n`, facts: { database: name, ...report } });
};
