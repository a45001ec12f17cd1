/**
 * A book of many pods and tenants, each with a current binding and two that ended: what a year of work would
 * have left.
 */
import { DatabaseSync } from '@photostructure/sqlite';
import { changePods, done, initBook } from '../../../src/ledger/binding/book/book.ts';
import { makePod } from '../../../src/ledger/binding/book/pods.ts';

/** Purposes beside general use; the pods of each stand in a queue of their own. */
const PURPOSES = 4;
const ZONES = 10;
const DAY = 86_400_000;

/**
 * Tenant `i` is bound to pod `i mod pods`, for what the pod is for. Pods 1 to pods - 1 have a purpose when
 * their number is divisible by 5; pod 0 is for `class=c0`, and full.
 */
export async function fillBig(file: string, pods: number, tenants: number): Promise<void> {
  const { book } = await initBook(file, () => Date.now());
  const affinities: Record<string, string>[] = [];
  const outcome = await changePods(book, 'fill', async (session, context) => {
    for (let p = 0; p < pods; p++) {
      const affinity: Record<string, string> = p % 5 === 0 ? { class: `c${(p / 5) % PURPOSES}` } : {};
      affinities.push(affinity);
      await makePod(
        session,
        { ...context, at: context.at + p },
        {
          name: `pod${p}`,
          az: `zone${p % ZONES}`,
          affinity,
          usage: {
            memory: { total: 1000, used: p === 0 ? 950 : 100 + (p % 700) },
            cpu: { total: 640, used: p % 400 },
            disk: { total: 100_000, free: 100_000 - (p % 70_000) },
          },
          usageAt: context.at,
        },
      );
    }
    return done(undefined);
  });
  if (outcome.kind !== 'done') throw new Error('the pods could not be made');
  await book.store.close();
  const db = new DatabaseSync(file);
  const ids = db.prepare('SELECT id FROM pods ORDER BY id').all() as { id: number }[];
  db.exec('PRAGMA synchronous = OFF; BEGIN');
  const row = db.prepare(
    "INSERT INTO bindings (tenant, pod_id, az, affinity, start_at, end_at, expires_at, reason, end_reason, actor, generation) VALUES (?, ?, '', ?, ?, ?, NULL, ?, ?, 'fill', 1)",
  );
  const now = Date.now();
  for (let t = 0; t < tenants; t++) {
    const affinity = JSON.stringify(affinities[t % pods]);
    const pod = (step: number): number => ids[(t + step) % pods]!.id;
    row.run(`tenant${t}`, pod(2), affinity, now - 300 * DAY, now - 200 * DAY, 'initial', 'exhausted');
    row.run(`tenant${t}`, pod(1), affinity, now - 200 * DAY, now - 100 * DAY, 'exhausted', 'exhausted');
    row.run(`tenant${t}`, pod(0), affinity, now - 100 * DAY, null, 'exhausted', null);
  }
  db.exec('COMMIT; ANALYZE');
  db.close();
}
