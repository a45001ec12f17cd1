/** What a ledger holds, by names, as plain data: made from a cluster or read from a ledger, and compared. */
import type { Inventory } from '../model/inventory.ts';

export interface AggregateImage {
  readonly uuid: string;
  /** For people; null when nobody named it. */
  readonly name: string | null;
}

export interface ProviderImage {
  readonly uuid: string;
  readonly name: string;
  /** UUID; null for a root. */
  readonly parent: string | null;
  readonly canHost: boolean;
  /** By class. */
  readonly inventories: ReadonlyMap<string, Inventory>;
  /** Sorted. */
  readonly traits: readonly string[];
  /** By UUID. */
  readonly aggregates: readonly AggregateImage[];
}

export interface ConsumerImage {
  readonly consumer: string;
  readonly project: string | null;
  readonly type: string | null;
  /** Milliseconds since 1970; null: it does not expire. */
  readonly expiresAt: number | null;
  /** UUID of the provider to class to amount. */
  readonly allocations: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

export interface LedgerImage {
  /** By UUID; parents come before children. */
  readonly providers: ReadonlyMap<string, ProviderImage>;
  /** By name. */
  readonly consumers: ReadonlyMap<string, ConsumerImage>;
}

/** Kind of the consumers that a cluster has: a later import may change them and give them back. */
export const CLUSTER_CONSUMER_TYPE = 'GANETI_INSTANCE';
