/** Makes claims. Arguments: URL, a name of its own, claims under way at a time. */
import { serveWindows } from './window.ts';
import { makeClaim, openBench } from './workload.ts';

async function main(): Promise<void> {
  const [url = '', name = '', clients = '1'] = process.argv.slice(2);
  const ledger = await openBench(url, name);
  await serveWindows(
    (i) => makeClaim(ledger, name, i),
    Number(clients),
    () => ledger.store.close(),
  );
}

main();
