/** The book held against its own rules. */
import { groupedBy } from '../../../kit/grouped.ts';
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { finding } from '../../results/hbind.ts';
import type { Session } from '../../store/store.ts';
import { isExhausted } from '../model/limits.ts';
import { allPods } from '../tables/pods.ts';
import { readRegistry } from '../tables/registry.ts';

interface Row {
  readonly id: number;
  readonly tenant: string;
  readonly az: string;
  readonly affinity: string;
  readonly pod_id: number;
  readonly start_at: number;
  readonly end_at: number | null;
  readonly end_reason: string | null;
  readonly generation: number;
}

export type Finding = DocumentOf<typeof finding>;

/** Rows that end for one of these are followed by the next at that moment. */
const HANDED_OVER = ['exhausted', 'maintenance', 'returned'];

function* rowFindings(rows: readonly Row[]): Generator<Finding> {
  for (const [at, row] of rows.entries()) {
    const { tenant, id, end_at: end } = row;
    if (end !== null && end < row.start_at) yield { kind: 'backwards', tenant, binding: id };
    const next = rows[at + 1];
    if (next && (end === null || next.start_at < end))
      yield { kind: 'overlap', tenant, bindings: [id, next.id] };
    if (row.end_reason !== null && HANDED_OVER.includes(row.end_reason) && next?.start_at !== end)
      yield { kind: 'gap', tenant, bindings: [id, next?.id ?? null] };
  }
}

export async function auditBindings(session: Session): Promise<readonly Finding[]> {
  const registry = await readRegistry(session);
  const pods = await allPods(session);
  const ids = new Set(pods.map(({ id }) => id));
  const rows = await session.all<Row>(
    'SELECT id, tenant, az, affinity, pod_id, start_at, end_at, end_reason, generation FROM bindings ORDER BY tenant, id',
  );
  const findings: Finding[] = [];
  for (const key of groupedBy(rows, ({ tenant, az, affinity }) =>
    JSON.stringify([tenant, az, affinity]),
  ).values())
    findings.push(...rowFindings(key));
  for (const { id, tenant, pod_id: pod, generation } of rows) {
    if (!ids.has(pod)) findings.push({ kind: 'no-pod', tenant, binding: id, pod });
    if (generation > registry.generation) findings.push({ kind: 'from-the-future', tenant, binding: id });
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
