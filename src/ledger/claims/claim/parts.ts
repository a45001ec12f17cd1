/** What a consumer holds, in parts that can be handed to another. */
import type { Session } from '../../store/store.ts';
import type { StoredConsumer } from '../tables/consumers.ts';
import type { Amount } from './claim-request.ts';

interface PartRow {
  readonly provider: string;
  readonly class: string;
  readonly used: number;
  readonly end_at: number | null;
  readonly end_amount: number | null;
}

/** What a consumer holds, for others to claim: parts of allocations with their ends, by provider, class. */
export async function partsOf(session: Session, { id }: StoredConsumer): Promise<readonly Amount[]> {
  const rows = await session.all<PartRow>(
    `SELECT p.uuid AS provider, c.name AS class, a.used, e.expires_at AS end_at, e.amount AS end_amount FROM allocations a
       JOIN resource_providers p ON p.id = a.provider_id JOIN resource_classes c ON c.id = a.class_id
       LEFT JOIN allocation_ends e ON e.consumer_id = a.consumer_id AND e.provider_id = a.provider_id AND e.class_id = a.class_id
     WHERE a.consumer_id = ? ORDER BY p.name, c.name, e.expires_at`,
    [id],
  );
  const parts: Amount[] = [];
  for (let i = 0; i < rows.length; ) {
    const { provider, class: name, used } = rows[i]!;
    let kept = used;
    for (; rows[i]?.provider === provider && rows[i]!.class === name; i++) {
      const { end_at: expiresAt, end_amount: amount } = rows[i]!;
      if (expiresAt === null) continue;
      kept -= amount!;
      parts.push({ provider, class: name, amount: amount!, expiresAt });
    }
    if (kept > 0) parts.push({ provider, class: name, amount: kept });
  }
  return parts;
}
