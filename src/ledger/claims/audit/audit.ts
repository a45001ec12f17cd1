/** Holds a ledger against its own rules. Reads every row: the audit trusts no kept sum. */
import type { Session } from '../../store/store.ts';
import { brokenUnitRule } from '../model/admission.ts';
import { capacityOf } from '../model/inventory.ts';
import { allInventories } from '../tables/inventories.ts';
import type { Finding } from './findings.ts';

/** Everything that is wrong, faults before warnings, each kind by provider and class. */
export async function audit(session: Session): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const check of [damage, trees, orphans, sums, ownerSums, generations, lastChanges, capacities, units])
    findings.push(...(await check(session)));
  return findings;
}

async function damage(session: Session): Promise<readonly Finding[]> {
  if (session.dialect !== 'sqlite') return [];
  const rows = await session.all<{ integrity_check: string }>('PRAGMA integrity_check');
  return rows
    .filter(({ integrity_check }) => integrity_check !== 'ok')
    .map((row) => ({ kind: 'damage', detail: row.integrity_check }));
}

async function trees(session: Session): Promise<readonly Finding[]> {
  const rows = await session.all<{ name: string }>(
    `SELECT p.name FROM resource_providers p LEFT JOIN resource_providers above ON above.id = p.parent_id
     WHERE p.root_id IS NULL OR p.root_id <> COALESCE(above.root_id, p.id) ORDER BY p.name`,
  );
  return rows.map(({ name }) => ({ kind: 'tree', provider: name }));
}

async function orphans(session: Session): Promise<readonly Finding[]> {
  const empty = await session.all<{ uuid: string }>(
    'SELECT uuid FROM consumers k WHERE NOT EXISTS (SELECT 1 FROM allocations a WHERE a.consumer_id = k.id) ORDER BY uuid',
  );
  const loose = await session.all<{ consumer_id: number; provider_id: number; class_id: number }>(
    `SELECT a.consumer_id, a.provider_id, a.class_id FROM allocations a
       LEFT JOIN consumers k ON k.id = a.consumer_id
       LEFT JOIN inventories i ON i.provider_id = a.provider_id AND i.class_id = a.class_id
     WHERE k.id IS NULL OR i.class_id IS NULL ORDER BY 1, 2, 3`,
  );
  return [
    ...empty.map(({ uuid }): Finding => ({ kind: 'orphan', what: `consumer ${uuid} holds nothing` })),
    ...loose.map(
      (row): Finding => ({
        kind: 'orphan',
        what: `allocation of consumer ${row.consumer_id}, provider ${row.provider_id}, class ${row.class_id}`,
      }),
    ),
  ];
}

async function sums(session: Session): Promise<readonly Finding[]> {
  const rows = await session.all<{ provider: string; class: string; kept: number; sum: number }>(
    `SELECT p.name AS provider, c.name AS class, i.used AS kept, COALESCE(s.used, 0) AS sum
     FROM inventories i JOIN resource_providers p ON p.id = i.provider_id JOIN resource_classes c ON c.id = i.class_id
       LEFT JOIN (SELECT provider_id, class_id, SUM(used) AS used FROM allocations GROUP BY provider_id, class_id) s
         ON s.provider_id = i.provider_id AND s.class_id = i.class_id
     WHERE i.used <> COALESCE(s.used, 0) ORDER BY p.name, c.name`,
  );
  return rows.map((row) => ({ kind: 'sum', ...row }));
}

interface OwnerSum {
  readonly key: string;
  readonly project: string | null;
  readonly class: string;
  readonly used: number;
}

async function ownerSums(session: Session): Promise<readonly Finding[]> {
  const key = (row: string): string =>
    [`COALESCE(${row}.project_id, 0)`, `COALESCE(${row}.user_id, 0)`, `COALESCE(${row}.type_id, 0)`]
      .map((part) => `CAST(${part} AS TEXT)`)
      .join(" || ' ' || ");
  const names = 'LEFT JOIN projects p ON p.id = o.project_id JOIN resource_classes c ON c.id = a.class_id';
  const kept = await session.all<OwnerSum>(
    `SELECT ${key('o')} AS key, MAX(p.external_id) AS project, c.name AS class, SUM(o.used) AS used
     FROM owner_totals o LEFT JOIN projects p ON p.id = o.project_id JOIN resource_classes c ON c.id = o.class_id
     GROUP BY 1, 3 HAVING SUM(o.used) <> 0 ORDER BY 1, 3`,
  );
  const found = await session.all<OwnerSum>(
    `SELECT ${key('o')} AS key, MAX(p.external_id) AS project, c.name AS class, SUM(a.used) AS used
     FROM allocations a JOIN consumers o ON o.id = a.consumer_id ${names} GROUP BY 1, 3 ORDER BY 1, 3`,
  );
  const byKey = (rows: readonly OwnerSum[]) => new Map(rows.map((row) => [`${row.key} ${row.class}`, row]));
  const keptByKey = byKey(kept);
  const foundByKey = byKey(found);
  return [...new Set([...keptByKey.keys(), ...foundByKey.keys()])].flatMap((name): Finding[] => {
    const row = (keptByKey.get(name) ?? foundByKey.get(name))!;
    const sum = foundByKey.get(name)?.used ?? 0;
    const written = keptByKey.get(name)?.used ?? 0;
    if (sum === written) return [];
    return [{ kind: 'owner-sum', project: row.project ?? '-', class: row.class, kept: written, sum }];
  });
}

/** Each generation of a provider is one change of the history, and of one request. */
async function generations(session: Session): Promise<readonly Finding[]> {
  const rows = await session.all<{ provider: string; generation: number; changes: number }>(
    `SELECT p.name AS provider, p.generation, COALESCE(h.changes, 0) AS changes FROM resource_providers p
       LEFT JOIN (SELECT provider_id, COUNT(*) AS changes FROM
         (SELECT DISTINCT provider_id, generation, request FROM history WHERE generation > 0 AND provider_id IS NOT NULL) one
         GROUP BY provider_id) h ON h.provider_id = p.id
     WHERE p.generation <> COALESCE(h.changes, 0) ORDER BY p.name`,
  );
  return rows.map((row) => ({ kind: 'generation', ...row }));
}

interface LastChange {
  readonly provider_id: number;
  readonly provider: string;
  readonly consumer: string;
  readonly after: string | null;
}

/**
 * The last word of the history about each consumer and provider is what stands in the ledger, and nothing
 * else does.
 */
async function lastChanges(session: Session): Promise<readonly Finding[]> {
  const last = await session.all<LastChange>(
    `SELECT h.provider_id, h.provider_name AS provider, h.consumer, h.after FROM history h
       JOIN (SELECT MAX(id) AS id FROM history WHERE consumer IS NOT NULL AND provider_id IS NOT NULL GROUP BY provider_id, consumer) l ON l.id = h.id
     ORDER BY h.provider_name, h.consumer`,
  );
  const rows = await session.all<{
    provider_id: number;
    provider: string;
    consumer: string;
    class: string;
    used: number;
  }>(
    `SELECT a.provider_id, p.name AS provider, k.uuid AS consumer, c.name AS class, a.used FROM allocations a
       JOIN consumers k ON k.id = a.consumer_id JOIN resource_classes c ON c.id = a.class_id
       JOIN resource_providers p ON p.id = a.provider_id`,
  );
  const present = new Map<string, { provider: string; consumer: string; amounts: Record<string, number> }>();
  for (const { provider_id, provider, consumer, class: name, used } of rows) {
    const key = `${provider_id} ${consumer}`;
    const entry = present.get(key) ?? { provider, consumer, amounts: {} };
    entry.amounts[name] = used;
    present.set(key, entry);
  }
  const text = (amounts: Record<string, number>): string =>
    Object.entries(amounts)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, amount]) => `${name}:${amount}`)
      .join(',') || 'nothing';
  const findings: Finding[] = [];
  for (const { provider_id, provider, consumer, after } of last) {
    const key = `${provider_id} ${consumer}`;
    const recorded = text(after === null ? {} : JSON.parse(after));
    const found = text(present.get(key)?.amounts ?? {});
    present.delete(key);
    if (recorded !== found) findings.push({ kind: 'history', provider, consumer, recorded, found });
  }
  for (const { provider, consumer, amounts } of present.values())
    findings.push({ kind: 'history', provider, consumer, recorded: 'nothing', found: text(amounts) });
  return findings;
}

async function capacities(session: Session): Promise<readonly Finding[]> {
  const names = await providerNames(session);
  return (await allInventories(session))
    .filter((inventory) => inventory.used > capacityOf(inventory))
    .map((inventory) => ({
      kind: 'over-capacity',
      provider: names.get(inventory.providerId)!,
      class: inventory.class,
      used: inventory.used,
      capacity: capacityOf(inventory),
    }));
}

/** Amounts are judged as leniently as any claim may be: with the smallest unit off the step. */
async function units(session: Session): Promise<readonly Finding[]> {
  const rows = await session.all<{ provider_id: number; class_id: number; consumer: string; used: number }>(
    `SELECT a.provider_id, a.class_id, k.uuid AS consumer, a.used FROM allocations a
       JOIN inventories i ON i.provider_id = a.provider_id AND i.class_id = a.class_id JOIN consumers k ON k.id = a.consumer_id
     WHERE a.used < i.min_unit OR a.used > i.max_unit OR (a.used % i.step_size <> 0 AND a.used <> i.min_unit)
     ORDER BY a.provider_id, a.class_id, k.uuid`,
  );
  if (rows.length === 0) return [];
  const names = await providerNames(session);
  const inventories = new Map(
    (await allInventories(session)).map((one) => [`${one.providerId} ${one.classId}`, one]),
  );
  return rows.map(({ provider_id, class_id, consumer, used }) => {
    const inventory = inventories.get(`${provider_id} ${class_id}`)!;
    return {
      kind: 'unit',
      provider: names.get(provider_id)!,
      class: inventory.class,
      consumer,
      amount: used,
      rule: brokenUnitRule(inventory, used, 'exempt')!,
    };
  });
}

const providerNames = async (session: Session): Promise<ReadonlyMap<number, string>> =>
  new Map(
    (await session.all<{ id: number; name: string }>('SELECT id, name FROM resource_providers')).map(
      ({ id, name }) => [id, name],
    ),
  );
