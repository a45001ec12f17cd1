/**
 * A writer's turn at a file that other processes write too. Nobody has the file while it waits for the disk (sqlite-log.ts), so a turn
 * is mostly shorter than a millisecond: who waits tries again soon, at random times, and everybody meets a free moment. SQLite's own
 * waits, 1 ms and more and longer each time, would leave the file unused.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Connection } from './sqlite-connection.ts';
import { isBusy } from './sqlite-faults.ts';

/** Between two tries: 0.2 to 1 ms. */
const SHORTEST_NAP_MS = 0.2;
const LONGEST_NAP_MS = 1;
/** After so many tries, in which the process stands still, it looks after other things for up to PAUSE_MS. */
const TRIES_IN_A_ROW = 5;
const PAUSE_MS = 2;

const nobodyWakes = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Timers know whole milliseconds only. */
const nap = (milliseconds: number): void => void Atomics.wait(nobodyWakes, 0, 0, milliseconds);

/** Begins a transaction as the only writer. @throws the database's error, `busy` when no turn came in `busyMs`. */
export async function beginWriting(writer: Connection, busyMs: number): Promise<void> {
  const started = performance.now();
  for (let tries = 1; ; tries++) {
    try {
      writer.prepare('BEGIN IMMEDIATE').run();
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() - started > busyMs) throw error;
    }
    if (tries % TRIES_IN_A_ROW === 0) await wait(Math.random() * PAUSE_MS);
    else nap(SHORTEST_NAP_MS + Math.random() * (LONGEST_NAP_MS - SHORTEST_NAP_MS));
  }
}
