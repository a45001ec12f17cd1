import type { Store } from '../../../src/ledger/store/store.ts';

/** The store with other writes. */
export const writing = (store: Store, write: Store['write']): Store => ({
  dialect: store.dialect,
  name: store.name,
  read: (work) => store.read(work),
  write,
  close: () => store.close(),
});
