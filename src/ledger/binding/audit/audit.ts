/** The book held against its own rules. */
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { finding } from '../../results/hbind.ts';
import type { Session } from '../../store/store.ts';
import { isExhausted } from '../model/limits.ts';
import { allPods } from '../tables/pods.ts';
import { readRegistry } from '../tables/registry.ts';

export type Finding = DocumentOf<typeof finding>;

/** Rows that end for one of these are followed by the next at that moment. */
const HANDED_OVER = "end_reason IN ('exhausted', 'maintenance', 'returned')";

interface Row {
  readonly id: number;
  readonly tenant: string;
  readonly pod: number;
  /** The next row of the tenant for this zone and affinity. */
  readonly next: number | null;
  readonly backwards: number;
  readonly overlap: number;
  readonly gap: number;
  readonly homeless: number;
  readonly future: number;
}

const flag = (condition: string, name: string): string =>
  `CASE WHEN ${condition} THEN 1 ELSE 0 END AS ${name}`;

/** The database reads every row there ever was, and gives those that are wrong. */
const WRONG = `SELECT * FROM (SELECT id, tenant, pod_id AS pod, next,
     ${flag('end_at < start_at', 'backwards')},
     ${flag('next IS NOT NULL AND (end_at IS NULL OR next_start < end_at)', 'overlap')},
     ${flag(`${HANDED_OVER} AND next_start IS DISTINCT FROM end_at`, 'gap')},
     ${flag('NOT EXISTS (SELECT 1 FROM pods p WHERE p.id = b.pod_id)', 'homeless')}, ${flag('generation > ?', 'future')}
   FROM (SELECT bindings.*, LEAD(id) OVER w AS next, LEAD(start_at) OVER w AS next_start FROM bindings
     WINDOW w AS (PARTITION BY tenant, az, affinity ORDER BY id)) b) r
 WHERE backwards + overlap + gap + homeless + future > 0 ORDER BY tenant, id`;

export async function auditBindings(session: Session): Promise<readonly Finding[]> {
  const registry = await readRegistry(session);
  const pods = await allPods(session);
  const findings: Finding[] = [];
  for (const row of await session.all<Row>(WRONG, [registry.generation])) {
    const { id, tenant, pod, next } = row;
    if (row.backwards) findings.push({ kind: 'backwards', tenant, binding: id });
    if (row.overlap) findings.push({ kind: 'overlap', tenant, bindings: [id, next!] });
    if (row.gap) findings.push({ kind: 'gap', tenant, bindings: [id, next] });
    if (row.homeless) findings.push({ kind: 'no-pod', tenant, binding: id, pod });
    if (row.future) findings.push({ kind: 'from-the-future', tenant, binding: id });
  }
  for (const pod of pods) {
    // With its mark, a pod may be below its limits because it has to come down further before it opens again.
    const isRight = isExhausted(pod.metrics, pod.limits, pod.verdict, pod.isExhausted) === pod.isExhausted;
    if (!isRight) findings.push({ kind: 'mark', pod: pod.name, isMarked: pod.isExhausted });
  }
  const right = [...new Set(pods.flatMap(({ affinity }) => Object.keys(affinity)))].sort();
  if (JSON.stringify(right) !== JSON.stringify(registry.keys))
    findings.push({ kind: 'keys', found: registry.keys, right });
  return findings;
}
