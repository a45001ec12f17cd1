/** Servers that say nothing any more: who is busy is waited for, who answers nobody is given up. */
import type { Socket } from 'node:net';

/** How often it is looked whether something has come. */
const LOOK_EVERY_MS = 5000;
/** One question may be lost on us: its time may be over when this thread comes back from long work. */
const MOST_QUESTIONS = 2;

/**
 * Breaks a connection on which nothing comes, where the server does not answer on new ones either. The
 * system would do that after a quarter of an hour: so long it sends again what nobody has acknowledged.
 * @param answers whether the server says anything to who is new. @returns ends it
 */
export function giveUpOnSilence(stream: Socket, answers: () => Promise<boolean>): () => void {
  let heard = -1;
  let questions = 0;
  const timer = setInterval(async () => {
    if (stream.bytesRead !== heard) {
      heard = stream.bytesRead;
      questions = 0;
    } else if (questions === MOST_QUESTIONS)
      stream.destroy(Object.assign(new Error('the server says nothing any more'), { code: 'ETIMEDOUT' }));
    else {
      questions += 1;
      if (await answers()) questions = 0;
    }
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}
