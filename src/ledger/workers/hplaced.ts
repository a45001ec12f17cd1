/** Thread of hplaced: does what the door has let in, on a connection and with trees of its own. */
import { randomUUID } from 'node:crypto';
import { workerData } from 'node:worker_threads';
import { heldOffWhile, workBehind } from '../../kit/end-gate.ts';
import { expireDue } from '../claims/claim/claim.ts';
import { openLedger } from '../claims/claim/ledger.ts';
import type { Operation } from '../http/route.ts';
import { type Answer, answerOf, refusalOf } from '../http/work.ts';
import { makeRoutes } from '../programs/hplaced/routes/all.ts';
import { asApiError } from '../programs/hplaced/service/faults.ts';
import { serviceOn } from '../programs/hplaced/service/service.ts';
import type { Task, ThreadSettings } from '../programs/hplaced/threads/threads.ts';

const { url, mostAnswer, ...settings } = workerData as ThreadSettings;

async function open() {
  const ledger = await openLedger(url, { now: Date.now, newRequest: randomUUID });
  const service = serviceOn(ledger, settings);
  const routes = makeRoutes(service, async () => '');
  const operations = new Map<string, Operation>(
    routes.flatMap(({ operations: all }) => Object.values(all).map((one) => [one.id, one])),
  );
  return { service, operations };
}
let opening: ReturnType<typeof open> | undefined;

/** A ledger that could not be opened is opened anew when it is needed again: its server may be back. */
const opened = (): ReturnType<typeof open> =>
  (opening ??= heldOffWhile(open).catch((error) => {
    opening = undefined;
    throw error;
  }));

export default async function work(task: Task): Promise<Answer> {
  if (task === 'warm-up' || task === 'expire') {
    const { service } = await opened();
    if (task === 'expire') await expireDue(service.ledger);
    else await service.forest.fresh();
    return { kind: 'reply', reply: { status: 204 }, body: undefined };
  }
  if (task.gate) workBehind(task.gate);
  try {
    const { operations } = await opened();
    return await answerOf(operations.get(task.operation)!, task.request, { asApiError, mostAnswer });
  } catch (error) {
    return { kind: 'refused', refusal: refusalOf(error, asApiError) };
  }
}
