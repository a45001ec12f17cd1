/**
 * The line to the master while jobs run: a connection for each call, questions asked again when it breaks,
 * orders never.
 */
import { BackendError } from '../../../kit/faults.ts';
import { LuxiClient } from '../luxi/client.ts';
import { type LuxiMethod, LuxiRefusal } from '../luxi/message.ts';
import { pause, type WireLimits } from '../wire/limits.ts';

export interface MasterLine {
  /** Asks something that can be asked again. */
  ask(method: LuxiMethod, args: readonly unknown[]): Promise<unknown>;
  /** Has something done that must not be done twice. */
  tell(method: LuxiMethod, args: readonly unknown[]): Promise<unknown>;
}

/** Seconds between two attempts while the master is away. */
const RETRY_SECONDS = 2;
const MS_PER_S = 1000;

async function callOnce(
  path: string,
  limits: WireLimits,
  method: LuxiMethod,
  args: readonly unknown[],
): Promise<unknown> {
  const client = await LuxiClient.connect(path, limits);
  try {
    return await client.call(method, args);
  } finally {
    client.close();
  }
}

/** @param patienceSeconds how long the master may be away, as when its daemon is restarted */
export function masterLine(
  path: string,
  limits: WireLimits,
  patienceSeconds = limits.answerSeconds,
): MasterLine {
  return {
    async ask(method, args) {
      const end = Date.now() + patienceSeconds * MS_PER_S;
      for (;;) {
        try {
          return await callOnce(path, limits, method, args);
        } catch (error) {
          const isHopeless = !(error instanceof BackendError) || error instanceof LuxiRefusal;
          if (isHopeless || Date.now() + RETRY_SECONDS * MS_PER_S > end) throw error;
          await pause(RETRY_SECONDS);
        }
      }
    },
    tell: (method, args) => callOnce(path, limits, method, args),
  };
}
