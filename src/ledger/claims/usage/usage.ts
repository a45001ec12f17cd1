/** What is used and what there is, added up in several ways. No statement here reads the allocations. */
import { kept } from '../../../kit/kept.ts';
import { whereOf } from '../../store/rows.ts';
import type { Session } from '../../store/store.ts';
import { floorTimes } from '../model/inventory.ts';
import { INVENTORIES } from '../tables/inventories.ts';

export type UsageBy = 'class' | 'provider' | 'project' | 'group';

export interface UsageRow {
  /** Provider, project or group; null for consumers without project, and when added up by class. */
  readonly of: string | null;
  readonly class: string;
  readonly used: number;
  /** null where there is none: a project has no capacity. */
  readonly capacity: number | null;
}

/** Equal inventories are one row each, so that a large ledger gives a short list. */
interface InventorySum extends Omit<UsageRow, 'capacity'> {
  readonly net: number;
  readonly ratio: string;
  readonly count: number;
}

const INVENTORY_SUMS = (of: string, joins: string): string =>
  `SELECT ${of} AS of, c.name AS class, i.total - i.reserved AS net, i.allocation_ratio AS ratio, COUNT(*) AS count, SUM(i.used) AS used
   FROM ${INVENTORIES} ${joins}
   GROUP BY ${of === 'NULL' ? '' : `${of}, `}c.name, i.total - i.reserved, i.allocation_ratio`;

const STATEMENTS: Record<Exclude<UsageBy, 'project'>, string> = {
  class: INVENTORY_SUMS('NULL', ''),
  provider: INVENTORY_SUMS('p.name', 'JOIN resource_providers p ON p.id = i.provider_id'),
  // The members of an aggregate stand for their trees.
  group: INVENTORY_SUMS(
    'COALESCE(a.name, a.uuid)',
    `JOIN resource_providers p ON p.id = i.provider_id JOIN provider_aggregates pa ON pa.provider_id = p.root_id
     JOIN aggregates a ON a.id = pa.aggregate_id`,
  ),
};

/** By name, then class. */
export async function usage(session: Session, by: UsageBy): Promise<readonly UsageRow[]> {
  if (by === 'project')
    return session.all<UsageRow>(
      `SELECT p.external_id AS of, c.name AS class, SUM(o.used) AS used, NULL AS capacity
       FROM owner_totals o LEFT JOIN projects p ON p.id = o.project_id JOIN resource_classes c ON c.id = o.class_id
       GROUP BY p.external_id, c.name HAVING SUM(o.used) > 0 ORDER BY COALESCE(p.external_id, ''), c.name`,
    );
  const rows = new Map<string, { of: string | null; class: string; used: number; capacity: number }>();
  for (const { of, class: name, net, ratio, count, used } of await session.all<InventorySum>(
    STATEMENTS[by],
  )) {
    const key = `${of ?? ''}\0${name}`;
    const row = kept(rows, key, () => ({ of, class: name, used: 0, capacity: 0 }));
    row.used += used;
    row.capacity += count * floorTimes(net, ratio);
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

export interface ProjectUsage {
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

export function usageOf(session: Session, filter: UsageFilter): Promise<readonly ProjectUsage[]> {
  const { where, values } = filtered(filter);
  return session.all<ProjectUsage>(
    `SELECT t.name AS type, c.name AS class, CAST(sum(o.used) AS BIGINT) AS used
     FROM owner_totals o JOIN projects p ON p.id = o.project_id JOIN resource_classes c ON c.id = o.class_id
       LEFT JOIN users u ON u.id = o.user_id LEFT JOIN consumer_types t ON t.id = o.type_id
     ${where} GROUP BY t.name, c.name HAVING sum(o.used) > 0 ORDER BY t.name, c.name`,
    values,
  );
}

export function consumerCounts(session: Session, filter: UsageFilter): Promise<readonly ConsumerCount[]> {
  const { where, values } = filtered(filter);
  return session.all<ConsumerCount>(
    `SELECT t.name AS type, count(*) AS consumers FROM consumers k JOIN projects p ON p.id = k.project_id
       LEFT JOIN users u ON u.id = k.user_id LEFT JOIN consumer_types t ON t.id = k.type_id
     ${where} GROUP BY t.name`,
    values,
  );
}
