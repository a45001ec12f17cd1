/** Rows of pods. */
import type { Session, SqlValue } from '../../store/store.ts';
import { isExhausted, type Limits, type Verdict } from '../model/limits.ts';
import { type Affinity, affinityText, type Pod, type PodState, parseAffinity } from '../model/pod.ts';
import { type Metric, metricsOf, type Usage } from '../model/usage.ts';

/** The columns of what is written of a pod. */
const STATED =
  'name, az, affinity, created_at, weight, cost, state, state_at, limits, usage, usage_at, verdict, exhausted';
const COLUMNS = `id, ${STATED}`;

/** The values of COLUMNS. */
type PodRow = readonly [
  id: number,
  name: string,
  az: string,
  affinity: string,
  createdAt: number,
  weight: string | null,
  cost: string | null,
  state: PodState,
  stateAt: number,
  limits: string,
  usage: string | null,
  usageAt: number | null,
  verdict: string | null,
  exhausted: number,
];

const numberOf = (text: string | null): number | null => (text === null ? null : Number(text));
const parsedOrNull = <Value>(text: string | null): Value | null => (text === null ? null : JSON.parse(text));

type Parsed = Pick<Pod, 'limits' | 'usage' | 'metrics'>;

/** A pod whose JSON is taken apart where somebody asks: else `hbind select` takes half as long again. */
class StoredPod implements Pod {
  readonly id: number;
  readonly name: string;
  readonly az: string;
  readonly affinity: Affinity;
  readonly createdAt: number;
  readonly state: PodState;
  readonly stateAt: number;
  readonly usageAt: number | null;
  readonly isExhausted: boolean;
  private parsed: Parsed | undefined;

  constructor(private readonly row: PodRow) {
    [this.id, this.name, this.az, , this.createdAt, , , this.state, this.stateAt, , , this.usageAt] = row;
    this.affinity = parseAffinity(row[3]);
    this.isExhausted = row[13] === 1;
  }
  get weight(): number | null {
    return numberOf(this.row[5]);
  }
  get cost(): number | null {
    return numberOf(this.row[6]);
  }
  get limits(): Limits {
    return this.apart.limits;
  }
  get verdict(): Verdict | null {
    return parsedOrNull(this.row[12]);
  }
  get usage(): Usage | null {
    return this.apart.usage;
  }
  get metrics(): readonly Metric[] {
    return this.apart.metrics;
  }

  private get apart(): Parsed {
    if (this.parsed === undefined) {
      const usage = parsedOrNull<Usage>(this.row[10]);
      this.parsed = { limits: JSON.parse(this.row[9]), usage, metrics: metricsOf(usage) };
    }
    return this.parsed;
  }
}

async function podsWhere(
  session: Session,
  which: string,
  values: readonly SqlValue[],
): Promise<readonly Pod[]> {
  const found = await session.get<{ rows: string }>(
    `SELECT JSON_ROWS(${COLUMNS}) AS rows FROM pods ${which}`,
    values,
  );
  const rows = JSON.parse(found!.rows) as PodRow[];
  rows.sort((a, b) => a[4] - b[4] || a[0] - b[0]);
  return rows.map((row) => new StoredPod(row));
}

/** What of a pod can be stated or changed; the rest follows from it. */
export type PodFields = Omit<Pod, 'id' | 'isExhausted' | 'metrics'>;

/** In the order in which documents and the record of changes have them. */
const FIELDS = [
  ...(['id', 'name', 'az', 'affinity', 'createdAt', 'weight', 'cost', 'state', 'stateAt'] as const),
  ...(['limits', 'usage', 'usageAt', 'verdict'] as const),
];

/** The pod with some fields changed, and all that follows from them. */
export function changedPod(pod: Pod, changes: Partial<PodFields>): Pod {
  // What a stored pod has is made where it is asked for, and not copied by spreading it.
  const before = Object.fromEntries(FIELDS.map((key) => [key, pod[key]])) as Omit<
    Pod,
    'metrics' | 'isExhausted'
  >;
  const next = { ...before, ...changes };
  const metrics = metricsOf(next.usage);
  return { ...next, metrics, isExhausted: isExhausted(metrics, next.limits, next.verdict, pod.isExhausted) };
}

const text = (value: number | null): string | null => (value === null ? null : String(value));
const json = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));

/** The values of STATED. */
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
  json(pod.usage),
  pod.usageAt,
  json(pod.verdict),
  pod.isExhausted ? 1 : 0,
];

export async function insertPod(session: Session, fields: PodFields, generation: number): Promise<Pod> {
  const metrics = metricsOf(fields.usage);
  const pod = { ...fields, metrics, isExhausted: isExhausted(metrics, fields.limits, fields.verdict, false) };
  const row = await session.get<{ id: number }>(
    `INSERT INTO pods (${STATED}, generation) VALUES (${STATED.replace(/\w+/g, '?')}, ?) RETURNING id`,
    [...valuesOf(pod), generation],
  );
  return { id: row!.id, ...pod };
}

export const updatePod = (session: Session, pod: Pod, generation: number): Promise<number> =>
  session.run(`UPDATE pods SET ${STATED.replaceAll(',', ' = ?,')} = ?, generation = ? WHERE id = ?`, [
    ...valuesOf(pod),
    generation,
    pod.id,
  ]);

export const deletePod = (session: Session, id: number): Promise<number> =>
  session.run('DELETE FROM pods WHERE id = ?', [id]);

export const allPods = (session: Session): Promise<readonly Pod[]> => podsWhere(session, '', []);

export const podsSince = (session: Session, generation: number): Promise<readonly Pod[]> =>
  podsWhere(session, 'WHERE generation > ?', [generation]);

export const podsById = (session: Session, ids: readonly number[]): Promise<readonly Pod[]> =>
  podsWhere(session, 'WHERE id IN_NUMBERS(?)', [ids]);

/** The names of the pods that bindings are to, by id. */
export async function podNames(
  session: Session,
  bindings: readonly { readonly podId: number }[],
): Promise<ReadonlyMap<number, string>> {
  const pods = await podsById(session, [...new Set(bindings.map(({ podId }) => podId))]);
  return new Map(pods.map(({ id, name }) => [id, name]));
}

export const podByName = async (session: Session, name: string): Promise<Pod | undefined> =>
  (await podsWhere(session, 'WHERE name = ?', [name]))[0];

/** Keys that any pod's affinity uses, in order. */
export async function affinityKeys(session: Session): Promise<readonly string[]> {
  const rows = await session.all<{ affinity: string }>('SELECT DISTINCT affinity FROM pods');
  return [...new Set(rows.flatMap(({ affinity }) => Object.keys(parseAffinity(affinity))))].sort();
}
