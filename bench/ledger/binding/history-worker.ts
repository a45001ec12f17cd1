/**
 * One process that asks and changes until it is killed. Arguments: URL, log file, a name of its own, seed.
 */
import { appendFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { type Book, openBook } from '../../../src/ledger/binding/book/book.ts';
import { Random } from '../../generate/random.ts';
import { step } from './history-step.ts';

const [url = '', log = '', name = '', seed = '0'] = process.argv.slice(2);

/** Nobody reads on when the process that started this one is gone. */
const parent = process.ppid;
const isWanted = (): boolean => process.ppid === parent;

async function open(): Promise<Book> {
  for (;;) {
    if (!isWanted()) process.exit(0);
    try {
      return await openBook(url, () => Date.now());
    } catch {
      await wait(20);
    }
  }
}

async function main(): Promise<void> {
  const book = await open();
  const random = new Random(Number(seed), name);
  while (isWanted()) {
    try {
      const told = await step(book, random, name);
      if (told) appendFileSync(log, `${JSON.stringify(told)}\n`);
    } catch (error) {
      appendFileSync(log, `${JSON.stringify({ error: String(error) })}\n`);
      await wait(5);
    }
  }
  process.exit(0);
}

main();
