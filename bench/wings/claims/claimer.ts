/** Makes claims as quickly as it can. Arguments: URL, a name of its own, how many. Prints count, seconds and cpu seconds. */
import { claim } from '../../../src/wings/claims/ledger/claim.ts';
import { setInventories } from '../../../src/wings/claims/ledger/inventory-changes.ts';
import { change, initLedger } from '../../../src/wings/claims/ledger/ledger.ts';
import { createProvider } from '../../../src/wings/claims/ledger/provider-changes.ts';
import { derivedUuid } from '../../../src/wings/claims/model/derived-uuid.ts';
import { INVENTORY_DEFAULTS, MAX_INTEGER } from '../../../src/wings/claims/model/inventory.ts';

const PROVIDERS = 50;
const CLASSES = { VCPU: 2, MEMORY_MB: 2048, DISK_GB: 20 };
const AUTHOR = { actor: 'bench' };

async function main(): Promise<void> {
  const [url = '', name = '', count = '0'] = process.argv.slice(2);
  let requests = 0;
  const { ledger } = await initLedger(url, {
    now: () => Date.now(),
    newRequest: () => `${name}/${++requests}`,
  });
  const providers = Array.from({ length: PROVIDERS }, (_, i) => derivedUuid('bench', String(i)));
  for (const [i, uuid] of providers.entries()) {
    const made = await change(ledger, AUTHOR, (session, context) =>
      createProvider(session, context, { uuid, name: `p${i}`, parent: null, canHost: true }),
    );
    if (made.kind !== 'done') continue;
    const stock = new Map(
      Object.keys(CLASSES).map((key) => [key, { ...INVENTORY_DEFAULTS, total: MAX_INTEGER }]),
    );
    await change(ledger, AUTHOR, (session, context) =>
      setInventories(session, context, { provider: uuid }, stock, 'kept'),
    );
  }
  const one = async (i: number): Promise<void> => {
    const provider = providers[i % PROVIDERS]!;
    const allocations = Object.entries(CLASSES).map(([key, amount]) => ({ provider, class: key, amount }));
    const consumers = [{ consumer: `${name}-${i}`, project: `p${i % 20}`, allocations }];
    const outcome = await claim(ledger, AUTHOR, { consumers, stepMode: 'exempt', action: 'claim' });
    if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
  };
  const WARM_UP = 50;
  for (let i = 0; i < WARM_UP; i++) await one(i);
  const cpu = process.cpuUsage();
  const begin = performance.now();
  for (let i = WARM_UP; i < WARM_UP + Number(count); i++) await one(i);
  const seconds = (performance.now() - begin) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  await ledger.store.close();
  console.log(JSON.stringify({ count: Number(count), seconds, cpuSeconds: (user + system) / 1e6 }));
}

main();
