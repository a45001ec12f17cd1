/** Rows of pods. */
import type { Session, SqlValue } from '../../../store/store.ts';
import { affinityText, parseAffinity } from '../model/affinity.ts';
import { isExhausted, type Limits, type Verdict } from '../model/limits.ts';
import type { Pod, PodState } from '../model/pod.ts';
import { metricsOf, type Usage } from '../model/usage.ts';

interface PodRow {
  readonly id: number;
  readonly name: string;
  readonly az: string;
  readonly affinity: string;
  readonly created_at: number;
  readonly weight: string | null;
  readonly cost: string | null;
  readonly state: PodState;
  readonly state_at: number;
  readonly limits: string;
  readonly usage: string | null;
  readonly usage_at: number | null;
  readonly verdict: string | null;
  readonly exhausted: number;
}

const COLUMNS =
  'id, name, az, affinity, created_at, weight, cost, state, state_at, limits, usage, usage_at, verdict, exhausted';

const numberOf = (text: string | null): number | null => (text === null ? null : Number(text));

function podOf(row: PodRow): Pod {
  const usage = row.usage === null ? null : (JSON.parse(row.usage) as Usage);
  return {
    id: row.id,
    name: row.name,
    az: row.az,
    affinity: parseAffinity(row.affinity),
    createdAt: row.created_at,
    weight: numberOf(row.weight),
    cost: numberOf(row.cost),
    state: row.state,
    stateAt: row.state_at,
    limits: JSON.parse(row.limits) as Limits,
    usage,
    usageAt: row.usage_at,
    verdict: row.verdict === null ? null : (JSON.parse(row.verdict) as Verdict),
    isExhausted: row.exhausted === 1,
    metrics: metricsOf(usage),
  };
}

/** What of a pod can be stated or changed; the rest follows from it. */
export type PodFields = Omit<Pod, 'id' | 'isExhausted' | 'metrics'>;

/** The pod with some fields changed, and all that follows from them. */
export function changedPod(pod: Pod, changes: Partial<PodFields>): Pod {
  const next = { ...pod, ...changes };
  const metrics = metricsOf(next.usage);
  return {
    ...next,
    metrics,
    isExhausted: isExhausted(metrics, next.limits, next.verdict, pod.isExhausted),
  };
}

const text = (value: number | null): string | null => (value === null ? null : String(value));

const valuesOf = (pod: Omit<Pod, 'id'>): readonly SqlValue[] => [
  pod.name,
  pod.az,
  affinityText(pod.affinity),
  pod.createdAt,
  text(pod.weight),
  text(pod.cost),
  pod.state,
  pod.stateAt,
  JSON.stringify(pod.limits),
  pod.usage === null ? null : JSON.stringify(pod.usage),
  pod.usageAt,
  pod.verdict === null ? null : JSON.stringify(pod.verdict),
  pod.isExhausted ? 1 : 0,
];

/** A new pod. @returns it with its id */
export async function insertPod(session: Session, fields: PodFields, generation: number): Promise<Pod> {
  const metrics = metricsOf(fields.usage);
  const pod = {
    ...fields,
    metrics,
    isExhausted: isExhausted(metrics, fields.limits, fields.verdict, false),
  };
  const row = await session.get<{ id: number }>(
    `INSERT INTO pods (name, az, affinity, created_at, weight, cost, state, state_at, limits, usage, usage_at, verdict, exhausted, generation)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
    [...valuesOf(pod), generation],
  );
  return { id: row!.id, ...pod };
}

export const updatePod = (session: Session, pod: Pod, generation: number): Promise<number> =>
  session.run(
    `UPDATE pods SET name = ?, az = ?, affinity = ?, created_at = ?, weight = ?, cost = ?, state = ?, state_at = ?, limits = ?, usage = ?,
     usage_at = ?, verdict = ?, exhausted = ?, generation = ? WHERE id = ?`,
    [...valuesOf(pod), generation, pod.id],
  );

export const deletePod = (session: Session, id: number): Promise<number> =>
  session.run('DELETE FROM pods WHERE id = ?', [id]);

/** All pods, the oldest first. */
export const allPods = async (session: Session): Promise<readonly Pod[]> =>
  (await session.all<PodRow>(`SELECT ${COLUMNS} FROM pods ORDER BY created_at, id`)).map(podOf);

/** Pods that were made or changed after a generation. */
export const podsSince = async (session: Session, generation: number): Promise<readonly Pod[]> =>
  (await session.all<PodRow>(`SELECT ${COLUMNS} FROM pods WHERE generation > ?`, [generation])).map(podOf);

export const podsById = async (session: Session, ids: readonly number[]): Promise<readonly Pod[]> =>
  (await session.all<PodRow>(`SELECT ${COLUMNS} FROM pods WHERE id IN_NUMBERS(?)`, [ids])).map(podOf);

export async function podByName(session: Session, name: string): Promise<Pod | undefined> {
  const row = await session.get<PodRow>(`SELECT ${COLUMNS} FROM pods WHERE name = ?`, [name]);
  return row && podOf(row);
}

/** Keys that any pod's affinity uses, in order. */
export async function affinityKeys(session: Session): Promise<readonly string[]> {
  const rows = await session.all<{ affinity: string }>('SELECT DISTINCT affinity FROM pods');
  return [...new Set(rows.flatMap(({ affinity }) => Object.keys(parseAffinity(affinity))))].sort();
}
