/**
 * One process that claims single units until there are none. Arguments: URL, UUID of the provider, a name of
 * its own.
 */
import { claim } from '../../../src/ledger/claims/claim/claim.ts';
import { openLedger } from '../../../src/ledger/claims/claim/ledger.ts';

async function main(): Promise<void> {
  const [url = '', provider = '', name = ''] = process.argv.slice(2);
  let requests = 0;
  const ledger = await openLedger(url, { now: () => Date.now(), newRequest: () => `${name}/${++requests}` });
  for (let i = 1; ; ) {
    const allocations = [{ provider, class: 'VCPU', amount: 1 }];
    const consumers = [{ consumer: `${name}-${i}`, allocations }];
    const { kind } = await claim(ledger, { actor: name }, { consumers, stepMode: 'exempt', action: 'claim' });
    if (kind === 'refused') break;
    // A conflict changed nothing: the same unit is claimed again.
    if (kind === 'done') i++;
  }
  await ledger.store.close();
}

main();
