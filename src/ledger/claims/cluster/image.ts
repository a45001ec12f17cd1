/** What a ledger holds, by names, as plain data: made from a cluster or read from a ledger, and compared. */
import { groupedBy } from '../../../kit/grouped.ts';
import { kept } from '../../../kit/kept.ts';
import type { Amounts, End } from '../model/ends.ts';
import type { Inventory } from '../model/inventory.ts';
import type { Aggregate } from '../tables/providers.ts';

export interface ProviderImage {
  readonly uuid: string;
  readonly name: string;
  /** undefined where nobody counts, as in a cluster. */
  readonly generation?: number;
  readonly parent: string | null;
  readonly canHost: boolean;
  readonly inventories: ReadonlyMap<string, Inventory>;
  /** Sorted. */
  readonly traits: readonly string[];
  /** By UUID. */
  readonly aggregates: readonly Aggregate[];
}

/** One whose stock and labels are still put in. */
export type FilledProvider = ProviderImage & {
  readonly inventories: Map<string, Inventory>;
  readonly traits: string[];
  readonly aggregates: Aggregate[];
};

export interface ConsumerImage {
  readonly consumer: string;
  readonly project: string | null;
  /** undefined where nobody knows, as in a cluster. */
  readonly user?: string | null;
  readonly type: string | null;
  /** undefined where nobody counts. */
  readonly generation?: number;
  /** UUID of the provider to class to amount. */
  readonly allocations: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** What of it goes back, and when, in milliseconds since 1970. */
  readonly ends: readonly (End & { readonly provider: string; readonly class: string })[];
  /** What a cluster has of it until a claimed move is made; null: none was claimed. */
  readonly movingFrom: Amounts | null;
}

export interface LedgerImage {
  /** By UUID; parents come before children. */
  readonly providers: ReadonlyMap<string, ProviderImage>;
  /** By name. */
  readonly consumers: ReadonlyMap<string, ConsumerImage>;
  /** All names that there are, used or not, sorted; undefined where there are none but those used. */
  readonly names?: { readonly class: readonly string[]; readonly trait: readonly string[] };
}

/** Kind of the consumers that a cluster has: a later import may change them and give them back. */
export const CLUSTER_CONSUMER_TYPE = 'GANETI_INSTANCE';

/** What all consumers together hold, by provider and class. */
export function usedOf({ consumers }: LedgerImage): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const used = new Map<string, Map<string, number>>();
  for (const { allocations } of consumers.values())
    for (const [provider, amounts] of allocations) {
      const sums = kept(used, provider, () => new Map());
      for (const [name, amount] of amounts) sums.set(name, amount + (sums.get(name) ?? 0));
    }
  return used;
}

/** Trees one after the other, each provider behind its parent. */
export function parentsFirst<Row extends Pick<ProviderImage, 'uuid' | 'parent'>>(
  rows: readonly Row[],
): readonly Row[] {
  const children = groupedBy(rows, ({ parent }) => parent);
  const sorted: Row[] = [];
  const left = children.get(null)?.toReversed() ?? [];
  for (let row = left.pop(); row !== undefined; row = left.pop()) {
    sorted.push(row);
    for (const child of children.get(row.uuid)?.toReversed() ?? []) left.push(child);
  }
  return sorted;
}
