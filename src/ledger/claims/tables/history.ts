/** The record of every change: who, when, why, before, after. Rows are added, and pruned. */
import { insertRows } from '../../store/rows.ts';
import type { Session } from '../../store/store.ts';

/** What all changes of one request have in common. */
export interface ChangeContext {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Tells requests apart: one text for all rows of one request. */
  readonly request: string;
  readonly actor: string;
  readonly reason: string | null;
}

/** One provider's part in a request; what it is not about is left out, or null. */
export interface HistoryEntry {
  /** `claim`, `release`, `inventory`...: see docs/how-to/claims.md. */
  readonly action: string;
  readonly provider?: { readonly id: number; readonly name: string } | null;
  /** The provider's generation after the change; null where the change left it as it was. */
  readonly generation?: number | null;
  readonly consumer?: string | null;
  readonly project?: string | null;
  /** Plain data. Of a claim: class to amount. */
  readonly before?: unknown;
  readonly after?: unknown;
}

const json = (value: unknown): string | null => ((value ?? null) === null ? null : JSON.stringify(value));

export const writeHistory = (
  session: Session,
  { at, request, actor, reason }: ChangeContext,
  entries: readonly HistoryEntry[],
): Promise<void> =>
  insertRows(
    session,
    'history (at, request, actor, reason, action, provider_id, provider_name, generation, consumer, project, before, after)',
    entries.map((entry) => [
      at,
      request,
      actor,
      reason,
      entry.action,
      entry.provider?.id ?? null,
      entry.provider?.name ?? null,
      entry.generation ?? null,
      entry.consumer ?? null,
      entry.project ?? null,
      json(entry.before),
      json(entry.after),
    ]),
  );
