/** Traits and aggregates of providers, as they stand. */
import { kept } from '../../../kit/kept.ts';
import type { Session } from '../../store/store.ts';

export interface Aggregate {
  readonly uuid: string;
  /** For people: the node group's name, for aggregates that came from a cluster; null: nobody named it. */
  readonly name: string | null;
}

/** Provider number to its traits, sorted; providers without any are left out. */
export async function traitsOf(
  session: Session,
  providerIds: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows = await session.all<{ provider_id: number; name: string }>(
    `SELECT pt.provider_id, t.name FROM provider_traits pt JOIN traits t ON t.id = pt.trait_id
     WHERE pt.provider_id IN_NUMBERS(?) ORDER BY pt.provider_id, t.name`,
    [providerIds],
  );
  const found = new Map<number, string[]>();
  for (const { provider_id, name } of rows) kept(found, provider_id, () => []).push(name);
  return found;
}

/** Provider number to its aggregates, by UUID; providers without any are left out. */
export async function aggregatesOf(
  session: Session,
  providerIds: readonly number[],
): Promise<ReadonlyMap<number, readonly Aggregate[]>> {
  const rows = await session.all<Aggregate & { readonly provider_id: number }>(
    `SELECT pa.provider_id, a.uuid, a.name FROM provider_aggregates pa JOIN aggregates a ON a.id = pa.aggregate_id
     WHERE pa.provider_id IN_NUMBERS(?) ORDER BY pa.provider_id, a.uuid`,
    [providerIds],
  );
  const found = new Map<number, Aggregate[]>();
  for (const { provider_id, ...aggregate } of rows) kept(found, provider_id, () => []).push(aggregate);
  return found;
}
