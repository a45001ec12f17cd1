/** A provider in its tree, as the search wants it: ancestors, classes, traits, aggregates at hand. */
import type { Inventory } from '../../claims/model/inventory.ts';
import { SHARING_TRAIT } from '../../claims/model/names.ts';

/** One class of resources at one provider. Whole numbers; `capacity` is what may be used in all, floored. */
export interface InventoryRecord extends Pick<Inventory, 'minUnit' | 'maxUnit' | 'stepSize'> {
  readonly resourceClass: string;
  readonly capacity: number;
  readonly used: number;
}

/** A provider as the ledger or a snapshot tells it. */
export interface ProviderRecord {
  readonly uuid: string;
  readonly name: string;
  readonly parentUuid: string | undefined;
  readonly inventories: readonly InventoryRecord[];
  readonly traits: readonly string[];
  readonly aggregates: readonly string[];
}

/** An inventory with a place for what the search has put on it. */
export interface Room extends InventoryRecord {
  /** What the candidate under construction takes; 0 outside of a search. */
  pending: number;
}

/** Providers are compared by identity; the forest makes them and keeps their fields in step. */
export class Provider {
  parent: Provider | undefined;
  /** From the root down to and including this provider. */
  path: readonly Provider[] = [this];
  readonly children = new Set<Provider>();
  rooms: ReadonlyMap<string, Room> = new Map();
  traits: ReadonlySet<string> = new Set();
  aggregates: ReadonlySet<string> = new Set();

  constructor(
    readonly uuid: string,
    public name: string,
  ) {}

  get root(): Provider {
    return this.path[0]!;
  }

  get isSharing(): boolean {
    return this.traits.has(SHARING_TRAIT);
  }
}

/** The order of names in all answers: by code units, which no locale changes. */
export const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
