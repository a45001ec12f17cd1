/**
 * A writer's turn at a file that other processes write too, until the disk has the changes. Who waits tries
 * again soon, then less and less often, at random: each try takes cpu from the writer at work, who finds its
 * pages still in memory. But between a busy writer's changes the file is free for a twentieth of the time, so
 * who waited for long tries often. SQLite's own wait would hold up the process.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Connection } from './sqlite-connection.ts';
import { isBusy } from './sqlite-faults.ts';

/**
 * Half as long to half as long again before the second try, then doubling up to the longest. Shorter naps
 * cost eight processes on two cpus twice the cpu, for no more changes a second.
 */
const FIRST_NAP_MS = 1;
const LONGEST_NAP_MS = 32;
/** After so long naps are as short as the first one. */
const EAGER_AFTER_MS = 1000;

/** Begins a transaction as the only writer. @throws `busy` when no turn came in `busyMs`. */
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
