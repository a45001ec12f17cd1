/**
 * The claims that are measured: three classes of one provider, for a new consumer of one of some projects.
 */
import { setInventories } from '../../../src/ledger/claims/changes/inventory-changes.ts';
import { createProvider } from '../../../src/ledger/claims/changes/provider-changes.ts';
import { claim } from '../../../src/ledger/claims/claim/claim.ts';
import { change, initLedger, type Ledger } from '../../../src/ledger/claims/claim/ledger.ts';
import { INVENTORY_DEFAULTS, MAX_INTEGER } from '../../../src/ledger/claims/model/inventory.ts';
import { derivedUuid } from '../../../src/ledger/claims/model/names.ts';

const PROVIDERS = 50;
const PROJECTS = 20;
const CLASSES = { VCPU: 2, MEMORY_MB: 2048, DISK_GB: 20 };
const AUTHOR = { actor: 'bench' };

const uuidOf = (i: number): string => derivedUuid('bench', String(i));

/**
 * Opens the ledger at `url`, which gets its providers when it has none.
 * @param name tells this process's requests apart.
 */
export async function openBench(url: string, name: string): Promise<Ledger> {
  let requests = 0;
  const newRequest = (): string => `${name}/${++requests}`;
  const { ledger } = await initLedger(url, { now: () => Date.now(), newRequest });
  const found = await ledger.store.read((session) =>
    session.get<{ count: number }>('SELECT COUNT(*) AS count FROM resource_providers'),
  );
  if (found!.count > 0) return ledger;
  const stock = new Map(
    Object.keys(CLASSES).map((key) => [key, { ...INVENTORY_DEFAULTS, total: MAX_INTEGER }]),
  );
  for (let i = 0; i < PROVIDERS; i++) {
    await change(ledger, AUTHOR, (session, context) =>
      createProvider(session, context, { uuid: uuidOf(i), name: `p${i}`, parent: null, canHost: true }),
    );
    await change(ledger, AUTHOR, (session, context) =>
      setInventories(session, context, { provider: uuidOf(i) }, stock, 'kept'),
    );
  }
  return ledger;
}

/** Claim number `i` of the process `name`. */
export async function makeClaim(ledger: Ledger, name: string, i: number): Promise<void> {
  const provider = uuidOf(i % PROVIDERS);
  const allocations = Object.entries(CLASSES).map(([key, amount]) => ({ provider, class: key, amount }));
  const consumers = [{ consumer: `${name}-${i}`, project: `p${i % PROJECTS}`, allocations }];
  const outcome = await claim(ledger, AUTHOR, { consumers, stepMode: 'exempt', action: 'claim' });
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
}
