/**
 * A writer's turn at a file that other processes write too. A turn lasts until the disk has the changes. A
 * writer that waits tries again soon at first, then less and less often, at random times. Each try takes cpu
 * from the writer at work, and a writer that makes several changes in a row finds its pages still in memory.
 * But between two changes of a busy writer the file is free for a twentieth of the time only, so who has
 * waited for long tries often again. SQLite could wait by itself, but its process would stand still, and look
 * after nothing else.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Connection } from './sqlite-connection.ts';
import { isBusy } from './sqlite-faults.ts';

/**
 * About so long, half as long to half as long again, before the second try, twice as long before each further
 * one, and never longer than that. Shorter naps cost eight processes on two cpus twice the cpu, and made no
 * more changes a second.
 */
const FIRST_NAP_MS = 1;
const LONGEST_NAP_MS = 32;
/** After so long naps are as short as the first one. */
const EAGER_AFTER_MS = 1000;

/**
 * Begins a transaction as the only writer.
 * @throws the database's error, `busy` when no turn came in `busyMs`.
 */
export async function beginWriting(writer: Connection, busyMs: number): Promise<void> {
  const started = performance.now();
  for (let tries = 0; ; tries++) {
    const waitedMs = performance.now() - started;
    try {
      writer.prepare('BEGIN IMMEDIATE').run();
      return;
    } catch (error) {
      if (!isBusy(error) || waitedMs > busyMs) throw error;
    }
    const napMs =
      waitedMs > EAGER_AFTER_MS ? FIRST_NAP_MS : Math.min(FIRST_NAP_MS * 2 ** tries, LONGEST_NAP_MS);
    await wait(napMs * (0.5 + Math.random()));
  }
}
