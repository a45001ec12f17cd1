/** What projects use, as the Placement interface shows it. */
import { whereOf } from '../../store/rows.ts';
import type { Session } from '../../store/store.ts';

export interface UsageRow {
  /** Kind of the consumers; null for those that have none stated. */
  readonly type: string | null;
  readonly class: string;
  readonly used: number;
}

interface ConsumerCount {
  readonly type: string | null;
  readonly consumers: number;
}

interface UsageFilter {
  readonly project: string;
  readonly user?: string | undefined;
}

const filtered = ({ project, user }: UsageFilter) =>
  whereOf({ 'p.external_id = ?': project, 'u.external_id = ?': user });

/** Use by kind of consumer and class, from the kept sums. */
export function usageOf(session: Session, filter: UsageFilter): Promise<readonly UsageRow[]> {
  const { where, values } = filtered(filter);
  return session.all<UsageRow>(
    `SELECT t.name AS type, c.name AS class, CAST(sum(o.used) AS BIGINT) AS used
     FROM owner_totals o JOIN projects p ON p.id = o.project_id JOIN resource_classes c ON c.id = o.class_id
       LEFT JOIN users u ON u.id = o.user_id LEFT JOIN consumer_types t ON t.id = o.type_id
     ${where} GROUP BY t.name, c.name HAVING sum(o.used) > 0 ORDER BY t.name, c.name`,
    values,
  );
}

/** How many consumers there are of each kind. */
export function consumerCounts(session: Session, filter: UsageFilter): Promise<readonly ConsumerCount[]> {
  const { where, values } = filtered(filter);
  return session.all<ConsumerCount>(
    `SELECT t.name AS type, count(*) AS consumers FROM consumers k JOIN projects p ON p.id = k.project_id
       LEFT JOIN users u ON u.id = k.user_id LEFT JOIN consumer_types t ON t.id = k.type_id
     ${where} GROUP BY t.name`,
    values,
  );
}
