/** Faults that may be gone the next moment, and asking again where that does no harm. */
import { BackendError } from '../../../kit/faults.ts';
import { pause } from './limits.ts';

/** A connection that was there and went away, or a server that says that it is too busy just now. */
export class ConnectionCut extends BackendError {}

/** Seconds before each further attempt. */
const PAUSES = [0.5, 1.5];

/** Does work again that was cut short; questions only. @throws the last fault, or another at once */
export async function askAgain<T>(question: () => Promise<T>): Promise<T> {
  for (const seconds of PAUSES) {
    try {
      return await question();
    } catch (error) {
      if (!(error instanceof ConnectionCut)) throw error;
      await pause(seconds);
    }
  }
  return question();
}
