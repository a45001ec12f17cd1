/** What each project, user and kind of consumer uses of a class: sums kept, so that nobody adds up. */
import { kept } from '../../../kit/kept.ts';
import { insertRows } from '../../store/rows.ts';
import type { Session } from '../../store/store.ts';
import type { Held, OwnerIds } from './consumers.ts';

/** Kept in parts by provider, so that one project's claims on different providers seldom meet at a row. */
const BUCKETS = 16;

/** Collects changes and writes them in one fixed order, so that writers never wait in a circle. */
export class OwnerTotals {
  private readonly changes = new Map<string, { key: readonly number[]; amount: number }>();

  add(owner: OwnerIds, held: readonly Pick<Held, 'providerId' | 'classId' | 'used'>[], sign: 1 | -1): void {
    for (const { providerId, classId, used } of held) {
      const key = [owner.project, owner.user, owner.type, classId, providerId % BUCKETS];
      kept(this.changes, key.join(), () => ({ key, amount: 0 })).amount += sign * used;
    }
  }

  async write(session: Session): Promise<void> {
    const rows = [...this.changes.values()]
      .filter(({ amount }) => amount !== 0)
      .map(({ key, amount }) => [...key, amount]);
    rows.sort((a, b) => a.map((value, i) => value - b[i]!).find((difference) => difference !== 0) ?? 0);
    await insertRows(session, 'owner_totals (project_id, user_id, type_id, class_id, bucket, used)', rows, {
      onConflict: `ON CONFLICT (project_id, user_id, type_id, class_id, bucket) DO UPDATE SET used = owner_totals.used + excluded.used`,
    });
  }
}
