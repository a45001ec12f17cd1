/**
 * Reads which consumers there are, and writes each down as an answer: once, or again and again until it is
 * killed. Arguments: file of the ledger, `once` or nothing.
 */
import { openSync, writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { openLedger } from '../../../../src/ledger/claims/claim/ledger.ts';

async function main(): Promise<void> {
  const [file = '', often = ''] = process.argv.slice(2);
  const { store } = await openLedger(file, { now: () => 0, newRequest: () => 'look' });
  const answers = openSync(`${file}-answers`, 'a');
  let last = 0;
  do {
    const rows = await store.read((session) =>
      session.all<{ id: number; uuid: string }>('SELECT id, uuid FROM consumers WHERE id > ? ORDER BY id', [
        last,
      ]),
    );
    last = rows.at(-1)?.id ?? last;
    const lines = Buffer.from(rows.map(({ uuid }) => `${uuid}\n`).join(''));
    // With a position, so that it is noted (trace.c); the file is one that is only added to.
    if (lines.length > 0) writeSync(answers, lines, 0, lines.length, 0);
    await wait(1);
  } while (often !== 'once');
  await store.close();
}

main();
