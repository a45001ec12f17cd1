/** `hclaim init`. */
import { initLedger } from '../../../claims/claim/ledger.ts';
import { ledgerUrl } from '../../shared/access/ledger-url.ts';
import { type Command, SURROUNDINGS, say } from '../kit/context.ts';

export const init: Command = async (options) => {
  const { ledger, report } = await initLedger(ledgerUrl(options), SURROUNDINGS);
  const { name } = ledger.store;
  await ledger.store.close();
  const { from, to, backups } = report;
  const what =
    from === to
      ? `${name} is up to date (version ${to})`
      : from === 0
        ? `${name} is ready (version ${to})`
        : `${name} was brought from version ${from} to ${to}`;
  const text = [`${what}.`, ...backups.map((backup) => `What was before is kept in ${backup}.`)].join('\n');
  return say('init', options, { kind: 'done', text: `${text}\n`, facts: { ledger: name, ...report } });
};
