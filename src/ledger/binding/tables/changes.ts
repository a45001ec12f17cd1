/** The record of what became of each pod, in the order of generations. Rows are only ever added. */
import { insertRows } from '../../store/rows.ts';
import type { Session } from '../../store/store.ts';
import type { Pod } from '../model/pod.ts';
import { metricsOf, type Usage } from '../model/usage.ts';

export interface ChangeContext {
  readonly at: number;
  readonly actor: string;
  readonly generation: number;
}

/** `policy` is about no pod. */
export type PodAction = 'add' | 'set' | 'usage' | 'maintenance' | 'open' | 'rm' | 'policy';

/** @param after all of the pod but what follows from its usage (or the policy); null: it is gone */
export const writeChanges = (
  session: Session,
  { at, actor, generation }: ChangeContext,
  action: PodAction,
  changed: readonly { readonly pod: Pod | null; readonly after: object | null }[],
): Promise<void> =>
  insertRows(
    session,
    'pod_changes (generation, at, actor, action, pod_id, pod_name, after)',
    changed.map(({ pod, after }) => [
      generation,
      at,
      actor,
      action,
      pod?.id ?? null,
      pod?.name ?? null,
      after === null ? null : JSON.stringify({ ...after, metrics: undefined }),
    ]),
  );

export interface Measure {
  readonly at: number;
  readonly metrics: ReturnType<typeof metricsOf>;
}

/** A pod's readings at or after a time, oldest first. */
export async function measuresSince(
  session: Session,
  podId: number,
  since: number,
): Promise<readonly Measure[]> {
  const rows = await session.all<{ at: number; after: string }>(
    "SELECT at, after FROM pod_changes WHERE pod_id = ? AND action = 'usage' AND at >= ? ORDER BY id",
    [podId, since],
  );
  return rows.map(({ at, after }) => {
    const { usage } = JSON.parse(after) as { readonly usage: Usage | null };
    return { at, metrics: metricsOf(usage) };
  });
}

interface PodChange {
  readonly generation: number;
  readonly at: number;
  readonly actor: string;
  readonly action: PodAction;
  readonly pod: string | null;
  readonly after: unknown;
}

export async function changesOf(
  session: Session,
  podId: number,
  limit: number,
): Promise<readonly PodChange[]> {
  const rows = await session.all<PodChange & { after: string | null }>(
    `SELECT generation, at, actor, action, pod_name AS pod, after FROM pod_changes WHERE pod_id = ? ORDER BY id DESC LIMIT ?`,
    [podId, limit],
  );
  return rows.map((row) => ({ ...row, after: row.after === null ? null : JSON.parse(row.after) }));
}
