/** Looking after a ledger: `hclaim init`, `backup`, `restore`, `compact` and `prune`. */

import { allSaid } from '../../../../kit/cli/all-said.ts';
import { ExecutionError } from '../../../../kit/faults.ts';
import { momentOf } from '../../../../kit/report/moments.ts';
import { count } from '../../../../kit/text/words.ts';
import { initLedger } from '../../../claims/claim/ledger.ts';
import { restoreLedger } from '../../../claims/claim/restore.ts';
import { CLAIMS } from '../../../claims/schema/migrations.ts';
import { pruneHistory } from '../../../claims/usage/prune.ts';
import { newest } from '../../../store/migrations.ts';
import { openStore } from '../../../store/open-store.ts';
import type { FileStore, Store } from '../../../store/store.ts';
import { ledgerUrl, readDuration, required } from '../../shared/access/ledger-url.ts';
import { SURROUNDINGS } from '../../shared/access/open-current-ledger.ts';
import { closing, initialisedText, reported } from '../../shared/document/ending.ts';
import { authorOf, type Command, withLedger, withWhole } from '../kit/context.ts';

export const init: Command<'init'> = async (options) => {
  const { ledger, report } = await initLedger(ledgerUrl(options), SURROUNDINGS);
  const { name } = ledger.store;
  await ledger.store.close();
  const text = initialisedText(name, report, 'ready');
  const isNothing = report.from === report.to;
  return { kind: 'done', text, isNothing, facts: { ledger: name, ...report } };
};

/** What PostgreSQL has for the same. */
const ON_POSTGRES = {
  backup: 'pg_dump -Fc --schema=SCHEMA makes a backup of a database in use',
  restore: 'pg_restore --clean puts back what pg_dump -Fc has written',
  compact: 'VACUUM (FULL, ANALYZE) in psql does it; autovacuum does what is needed without it',
};

function fileOf({ name, file }: Store, command: keyof typeof ON_POSTGRES): FileStore {
  if (file === undefined)
    throw new ExecutionError(
      `hclaim ${command} is for files, and ${name} is looked after by PostgreSQL`,
      ON_POSTGRES[command],
    );
  return file;
}

export const backup: Command<'backup'> = (options, [file]) =>
  // A copy is made of the ledger as it is: what has expired goes back when somebody looks.
  withWhole(options, async ({ store }) => {
    await fileOf(store, 'backup').backUp(file!);
    const facts = { ledger: store.name, file: file! };
    return { kind: 'done', text: `${store.name} is copied to ${file}.\n`, facts };
  });

export const restore: Command<'restore'> = async (options, [backup]) =>
  closing({ store: await openStore(ledgerUrl(options), { isMade: true }) }, async ({ store }) => {
    const file = fileOf(store, 'restore');
    const { name } = store;
    const { version, keptAs = null } = await restoreLedger({ name, file }, backup!, Date.now());
    const text = [
      `${name} is what ${backup} was (version ${version}).`,
      ...(keptAs === null ? [] : [`What was before is kept in ${keptAs}.`]),
      ...(version < newest(CLAIMS) ? ['Its tables are of an older version: run hclaim init.'] : []),
    ];
    const facts = { ledger: name, file: backup!, version, keptAs };
    return { kind: 'done', text: `${text.join('\n')}\n`, facts };
  });

export const compact: Command<'compact'> = (options) =>
  withWhole(options, async ({ store }) => {
    const { before, after } = await fileOf(store, 'compact').compact();
    const text = `${store.name}: ${before} bytes before, ${after} now.\n`;
    const facts = { ledger: store.name, bytesBefore: before, bytesAfter: after };
    return { kind: 'done', text, isNothing: after === before, facts };
  });

export const prune: Command<'prune'> = (options) => {
  const [age, author] = allSaid(
    () =>
      readDuration(
        'before',
        required(
          options.before,
          'hclaim prune: --before is missing',
          'say how old a change must be: --before 90d',
        ),
      ),
    () => authorOf(options),
  );
  return withLedger(options, async (ledger) => {
    const outcome = await pruneHistory(ledger, author, ledger.now() - age);
    return reported(outcome, ({ removed, wholeSince }) => {
      const since = momentOf(wholeSince);
      const whole = since === null ? 'from its beginning' : `since ${since}`;
      return {
        text: `Removed ${count(removed, 'change')}; the history is whole ${whole}.\n`,
        isNothing: removed === 0,
        facts: { removed, wholeSince: since },
      };
    });
  });
};
