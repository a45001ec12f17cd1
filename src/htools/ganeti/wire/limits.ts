/** How long a server may take and how much it may say before it counts as broken. */
import { MS_PER_S } from '../../../kit/units.ts';

export interface WireLimits {
  /** To take the connection, with the exchange of keys where there is one. */
  readonly connectSeconds: number;
  /** From the request to the answer's last byte; a trickling server gets no more than a silent one. */
  readonly answerSeconds: number;
  readonly maxBytes: number;
}

/** The times are those of the stock programs; the size is many times the answer about the largest cluster. */
export const USUAL_LIMITS: WireLimits = { connectSeconds: 15, answerSeconds: 60, maxBytes: 256 * 2 ** 20 };

export const after = (seconds: number): AbortSignal => AbortSignal.timeout(Math.ceil(seconds * MS_PER_S));

export const pause = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, seconds * MS_PER_S));
