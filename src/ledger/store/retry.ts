/** Trying again when another writer came first. */
import { setTimeout as wait } from 'node:timers/promises';
import { isStoreConflict } from './store.ts';

/** Tries of one change before it is given up as a conflict. */
export const MAX_TRIES = 10;
const FIRST_WAIT_MS = 4;

/** Repeats it while it is a conflict or throws one, with random waits whose bound doubles. */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  isConflict: (result: T) => boolean = () => false,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      const result = await attempt();
      if (tries === MAX_TRIES || !isConflict(result)) return result;
    } catch (error) {
      if (tries === MAX_TRIES || !isStoreConflict(error)) throw error;
    }
    await wait(Math.random() * FIRST_WAIT_MS * 2 ** Math.min(tries - 1, 5));
  }
}
