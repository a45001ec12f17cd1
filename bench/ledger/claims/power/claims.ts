/**
 * Makes claims, and writes down each that was answered. Arguments: file of the ledger, a name of its own,
 * claims, how many under way.
 */
import { openSync, writeSync } from 'node:fs';
import { makeClaim, openBench } from '../workload.ts';

async function main(): Promise<void> {
  const [file = '', name = '', count = '', clients = ''] = process.argv.slice(2);
  const ledger = await openBench(file, name);
  const answers = openSync(`${file}-answers`, 'a');
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < Number(count)) {
      const i = next++;
      await makeClaim(ledger, name, i);
      const line = Buffer.from(`${name}-${i}\n`);
      // With a position, so that it is noted (trace.c); the file is one that is only added to.
      writeSync(answers, line, 0, line.length, 0);
    }
  };
  await Promise.all(Array.from({ length: Number(clients) }, client));
  await ledger.store.close();
}

main();
