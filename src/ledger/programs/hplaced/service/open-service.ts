/** The service of one thread on its own connection to the ledger. */
import { bookOn } from '../../../binding/book/book.ts';
import { LedgerForest } from '../../../candidates/records/ledger-forest.ts';
import type { Ledger } from '../../../claims/claim/ledger.ts';
import type { Service, ServiceSettings } from './service.ts';

export const serviceOn = (ledger: Ledger, settings: ServiceSettings): Service => ({
  ...settings,
  ledger,
  book: bookOn(ledger.store, ledger.now),
  forest: new LedgerForest(ledger.store, () => performance.now()),
  // Placement's rule; amounts must be multiples of the step.
  stepMode: 'strict',
});
