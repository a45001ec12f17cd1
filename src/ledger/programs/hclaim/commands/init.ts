/** `hclaim init`. */
import { initLedger } from '../../../claims/claim/ledger.ts';
import { ledgerUrl } from '../../shared/access/ledger-url.ts';
import { initialisedText } from '../../shared/document/initialised.ts';
import { type Command, SURROUNDINGS } from '../kit/context.ts';

export const init: Command<'init'> = async (options) => {
  const { ledger, report } = await initLedger(ledgerUrl(options), SURROUNDINGS);
  const { name } = ledger.store;
  await ledger.store.close();
  const text = initialisedText(name, report, 'ready');
  return { kind: 'done', text, facts: { ledger: name, ...report } };
};
