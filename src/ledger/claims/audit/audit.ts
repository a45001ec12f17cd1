/** Holds a ledger against its own rules. The database reads all rows, and gives those that are wrong. */
import type { OfKinds } from '../../../kit/kinds.ts';
import type { Session } from '../../store/store.ts';
import { brokenUnitRule, capacityOf, type UnitRule } from '../model/inventory.ts';
import { INVENTORIES, INVENTORY_COLUMNS, type UsedInventory } from '../tables/inventories.ts';

export type Finding = OfKinds<{
  /** A kept sum is not the sum of the allocations. */
  sum: { provider: string; class: string; kept: number; sum: number };
  'owner-sum': { project: string | null; class: string; kept: number; sum: number };
  /** A consumer without allocations, or an allocation without consumer or inventory. */
  orphan: { what: string };
  /** The generation does not count the changes that the history has. */
  generation: { provider: string; generation: number; changes: number };
  /** What the last change wrote is not what there is. */
  history: { provider: string; consumer: string; recorded: string; found: string };
  tree: { provider: string };
  damage: { detail: string };
  /** More used than there is: allowed after an inventory was lowered, or when a cluster is so. */
  'over-capacity': { provider: string; class: string; used: number; capacity: number };
  /** An amount that would not be granted any more. */
  unit: { provider: string; class: string; consumer: string; amount: number; rule: UnitRule['rule'] };
}>;

/** Findings that are no fault of the ledger. */
const WARNINGS: ReadonlySet<Finding['kind']> = new Set(['over-capacity', 'unit']);

export const isWarning = ({ kind }: Finding): boolean => WARNINGS.has(kind);

/** Everything that is wrong, faults before warnings, each kind by provider and class. */
export async function audit(session: Session): Promise<readonly Finding[]> {
  const findings: Finding[] = [...(await damage(session))];
  for (const [kind, statement] of STATEMENTS)
    for (const row of await session.all(statement)) findings.push({ kind, ...row } as Finding);
  for (const check of [lastChanges, capacities, units]) findings.push(...(await check(session)));
  return findings;
}

async function damage(session: Session): Promise<readonly Finding[]> {
  if (session.dialect !== 'sqlite') return [];
  // The full check takes five times as long; restoring a backup makes it.
  const rows = await session.all<{ quick_check: string }>('PRAGMA quick_check');
  return rows
    .filter(({ quick_check }) => quick_check !== 'ok')
    .map((row) => ({ kind: 'damage', detail: row.quick_check }));
}

/** Each gives the other members of findings of its kind. */
const STATEMENTS: readonly (readonly [kind: Finding['kind'], statement: string])[] = [
  [
    'tree',
    `SELECT p.name AS provider FROM resource_providers p LEFT JOIN resource_providers above ON above.id = p.parent_id
     WHERE p.root_id IS NULL OR p.root_id <> COALESCE(above.root_id, p.id) ORDER BY p.name`,
  ],
  [
    'orphan',
    `SELECT 'consumer ' || k.uuid || ' holds nothing' AS what FROM consumers k
     WHERE NOT EXISTS (SELECT 1 FROM allocations a WHERE a.consumer_id = k.id) ORDER BY k.uuid`,
  ],
  [
    'orphan',
    `SELECT 'allocation of consumer ' || a.consumer_id || ', provider ' || a.provider_id || ', class ' || a.class_id AS what
     FROM allocations a LEFT JOIN consumers k ON k.id = a.consumer_id
       LEFT JOIN inventories i ON i.provider_id = a.provider_id AND i.class_id = a.class_id
     WHERE k.id IS NULL OR i.class_id IS NULL ORDER BY a.consumer_id, a.provider_id, a.class_id`,
  ],
  [
    'sum',
    `SELECT p.name AS provider, c.name AS class, i.used AS kept, COALESCE(s.used, 0) AS sum
     FROM inventories i JOIN resource_providers p ON p.id = i.provider_id JOIN resource_classes c ON c.id = i.class_id
       LEFT JOIN (SELECT provider_id, class_id, SUM(used) AS used FROM allocations GROUP BY provider_id, class_id) s
         ON s.provider_id = i.provider_id AND s.class_id = i.class_id
     WHERE i.used <> COALESCE(s.used, 0) ORDER BY p.name, c.name`,
  ],
  [
    'owner-sum',
    `SELECT p.external_id AS project, c.name AS class, o.kept, o.sum FROM
       (SELECT project_id, class_id, SUM(kept) AS kept, SUM(used) AS sum FROM
          (SELECT project_id, user_id, type_id, class_id, used AS kept, 0 AS used FROM owner_totals
           UNION ALL SELECT COALESCE(k.project_id, 0), COALESCE(k.user_id, 0), COALESCE(k.type_id, 0), a.class_id, 0, a.used
             FROM allocations a JOIN consumers k ON k.id = a.consumer_id) one
        GROUP BY project_id, user_id, type_id, class_id HAVING SUM(kept) <> SUM(used)) o
       LEFT JOIN projects p ON p.id = o.project_id JOIN resource_classes c ON c.id = o.class_id
     ORDER BY COALESCE(p.external_id, ''), c.name`,
  ],
  // Each generation of a provider that was not pruned is one change of the history, and of one request.
  [
    'generation',
    `SELECT p.name AS provider, p.generation, p.history_from + COALESCE(h.changes, 0) AS changes FROM resource_providers p
       LEFT JOIN (SELECT provider_id, COUNT(*) AS changes FROM
         (SELECT DISTINCT r.provider_id, r.generation, r.request FROM history r JOIN resource_providers o ON o.id = r.provider_id
          WHERE r.generation > o.history_from) one
         GROUP BY provider_id) h ON h.provider_id = p.id
     WHERE p.generation <> p.history_from + COALESCE(h.changes, 0) ORDER BY p.name`,
  ],
];

interface LastChange {
  readonly provider: string;
  readonly consumer: string;
  /** Class to amount, as JSON. */
  readonly recorded: string | null;
  readonly found: string | null;
}

/** The history's last word about each consumer and provider is what the ledger has, and nothing else is. */
async function lastChanges(session: Session): Promise<readonly Finding[]> {
  const rows = await session.all<LastChange>(
    `SELECT COALESCE(p.name, o.former) AS provider, o.consumer, o.recorded, o.found FROM
       (SELECT provider_id, consumer, MAX(former) AS former, MAX(recorded) AS recorded, MAX(found) AS found FROM
          (SELECT provider_id, provider_name AS former, consumer, JSON_SORTED(after) AS recorded, NULL AS found FROM history
           WHERE id IN (SELECT MAX(id) FROM history WHERE consumer IS NOT NULL AND provider_id IS NOT NULL GROUP BY consumer, provider_id)
           UNION ALL SELECT a.provider_id, NULL, MAX(k.uuid), NULL, JSON_OBJECT(c.name, a.used) FROM allocations a
             JOIN consumers k ON k.id = a.consumer_id JOIN resource_classes c ON c.id = a.class_id GROUP BY a.consumer_id, a.provider_id) one
        GROUP BY consumer, provider_id HAVING MAX(recorded) IS DISTINCT FROM MAX(found)) o
       LEFT JOIN resource_providers p ON p.id = o.provider_id ORDER BY 1, 2`,
  );
  return rows
    .map(({ recorded, found, ...where }): Finding & { kind: 'history' } => ({
      kind: 'history',
      ...where,
      recorded: amountsText(recorded),
      found: amountsText(found),
    }))
    .filter(({ recorded, found }) => recorded !== found);
}

const amountsText = (amounts: string | null): string =>
  Object.entries(JSON.parse(amounts ?? '{}'))
    .map(([name, amount]) => `${name}:${amount}`)
    .sort()
    .join(',') || 'nothing';

type Row = UsedInventory & { readonly provider: string };

const STOCK = `${INVENTORIES} JOIN resource_providers p ON p.id = i.provider_id`;

/** What fits without overcommit need not be looked at, unless a ratio below 1 takes room away. */
async function capacities(session: Session): Promise<readonly Finding[]> {
  const rows = await session.all<Row>(
    `SELECT p.name AS provider, ${INVENTORY_COLUMNS} FROM ${STOCK}
     WHERE i.used > i.total - i.reserved OR i.allocation_ratio < '1' ORDER BY p.id, c.name`,
  );
  return rows.flatMap((row): Finding[] => {
    const { provider, class: name, used } = row;
    const capacity = capacityOf(row);
    return used <= capacity ? [] : [{ kind: 'over-capacity', provider, class: name, used, capacity }];
  });
}

/** Amounts are judged as leniently as any claim may be: with the smallest unit off the step. */
async function units(session: Session): Promise<readonly Finding[]> {
  const rows = await session.all<Row & { consumer: string; amount: number }>(
    `SELECT p.name AS provider, k.uuid AS consumer, a.used AS amount, ${INVENTORY_COLUMNS} FROM ${STOCK}
       JOIN allocations a ON a.provider_id = i.provider_id AND a.class_id = i.class_id JOIN consumers k ON k.id = a.consumer_id
     WHERE a.used < i.min_unit OR a.used > i.max_unit OR (a.used % i.step_size <> 0 AND a.used <> i.min_unit)
     ORDER BY p.id, i.class_id, k.uuid`,
  );
  return rows.map((row) => ({
    kind: 'unit',
    provider: row.provider,
    class: row.class,
    consumer: row.consumer,
    amount: row.amount,
    rule: brokenUnitRule(row, row.amount, 'exempt')!.rule,
  }));
}
