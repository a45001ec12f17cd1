/**
 * A writer's turn at a file that other processes write too. Nobody has the file while it waits for the disk (sqlite-log.ts), so a turn
 * is mostly shorter than a millisecond: a writer that waits tries again soon at first, then less and less often, at random times. Each
 * try takes cpu from the writer at work, and a writer that makes several changes in a row finds its pages still in memory. SQLite's own
 * waits, 1 ms and more from the beginning, would leave the file unused where few want it.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Connection } from './sqlite-connection.ts';
import { isBusy } from './sqlite-faults.ts';

/** About so long before the second try, twice as long before each further one, and never longer than that. */
const FIRST_NAP_MS = 0.25;
const LONGEST_NAP_MS = 16;

const nobodyWakes = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Waits between half as long and half as long again. Timers know whole milliseconds only: for less, the process stands still. */
async function nap(milliseconds: number): Promise<void> {
  const drawn = milliseconds * (0.5 + Math.random());
  if (drawn >= 1) await wait(drawn);
  else Atomics.wait(nobodyWakes, 0, 0, drawn);
}

/** Begins a transaction as the only writer. @throws the database's error, `busy` when no turn came in `busyMs`. */
export async function beginWriting(writer: Connection, busyMs: number): Promise<void> {
  const started = performance.now();
  for (let tries = 0; ; tries++) {
    try {
      writer.prepare('BEGIN IMMEDIATE').run();
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() - started > busyMs) throw error;
    }
    await nap(Math.min(FIRST_NAP_MS * 2 ** tries, LONGEST_NAP_MS));
  }
}
