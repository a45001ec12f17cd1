/** Waiting for what others are about. */
import { setTimeout as wait } from 'node:timers/promises';

/** Asks what is still in the way; undefined: nothing. */
type Ask = () => Promise<string | undefined>;

/** Asks again and again until nothing is in the way. @returns what still is, after so long */
export async function obstacleAfter(mostMs: number, ask: Ask, everyMs = 1000): Promise<string | undefined> {
  const deadline = Date.now() + mostMs;
  for (;;) {
    const obstacle = await ask();
    if (obstacle === undefined || Date.now() > deadline) return obstacle;
    await wait(everyMs);
  }
}

/** The same. @throws {Error} what is still in the way after so long */
export async function until(mostMs: number, ask: Ask, everyMs?: number): Promise<void> {
  const obstacle = await obstacleAfter(mostMs, ask, everyMs);
  if (obstacle !== undefined) throw new Error(obstacle);
}
