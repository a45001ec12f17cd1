/** Who holds the most of a provider's class. */
import type { Session } from '../../store/store.ts';
import type { Holder } from '../model/refusal.ts';

/** As many as a person wants to read. */
const MOST = 3;

/** The largest holders; of equal ones the newest first. */
export const largestHolders = (session: Session, providerId: number, classId: number): Promise<Holder[]> =>
  session.all<Holder>(
    `SELECT k.uuid AS consumer, p.external_id AS project, a.used AS used
     FROM allocations a JOIN consumers k ON k.id = a.consumer_id LEFT JOIN projects p ON p.id = k.project_id
     WHERE a.provider_id = ? AND a.class_id = ? ORDER BY a.used DESC, a.consumer_id DESC LIMIT ${MOST}`,
    [providerId, classId],
  );
