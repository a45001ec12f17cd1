/** What Placement holds, as rows with names for keys, whichever way they were read; and their image. */
import { InputError, type InputProblem } from '../../kit/faults.ts';
import { kept } from '../../kit/kept.ts';
import {
  type ConsumerImage,
  type FilledProvider,
  type LedgerImage,
  parentsFirst,
} from '../claims/cluster/image.ts';
import { type Inventory, inventoryProblems, MAX_INTEGER, ratioText } from '../claims/model/inventory.ts';
import { isHolderName, isProviderName, isUuid, keptName } from '../claims/model/names.ts';
import type { StoredProvider } from '../claims/tables/providers.ts';

export type ProviderRow = Pick<StoredProvider, 'uuid' | 'name' | 'generation' | 'parent'>;

/** The fields have Placement's names. */
export interface InventoryRow {
  readonly provider: string;
  readonly class: string;
  readonly total: number;
  readonly reserved: number;
  readonly min_unit: number;
  readonly max_unit: number;
  readonly step_size: number;
  readonly allocation_ratio: number;
}

export interface ConsumerRow {
  readonly uuid: string;
  readonly generation: number;
  readonly project: string;
  readonly user: string;
  readonly type: string | null;
}

export interface PlacementRows {
  readonly classes: readonly string[];
  readonly traits: readonly string[];
  readonly providers: readonly ProviderRow[];
  readonly inventories: readonly InventoryRow[];
  readonly providerTraits: readonly { readonly provider: string; readonly trait: string }[];
  readonly providerAggregates: readonly { readonly provider: string; readonly aggregate: string }[];
  readonly consumers: readonly ConsumerRow[];
  readonly allocations: readonly {
    readonly provider: string;
    readonly consumer: string;
    readonly class: string;
    readonly used: number;
  }[];
}

type Consumer = Omit<ConsumerImage, 'allocations'> & {
  readonly allocations: Map<string, Map<string, number>>;
};

const TWICE = 'is there twice, in different spellings';

/** As a ledger would hold them. @throws {InputError} with everything that it cannot hold as it is */
export function imageOfRows(rows: PlacementRows, source: string): LedgerImage {
  const problems: InputProblem[] = [];
  const found = new Map<string, FilledProvider>();
  const consumers = new Map<string, Consumer>();
  takeProviders();
  fillProviders();
  takeConsumers();
  for (const row of rows.allocations) allocate(row);
  for (const [uuid, { allocations }] of consumers) if (allocations.size === 0) consumers.delete(uuid);
  const sorted = parentsFirst([...found.values()]);
  const providers = new Map(sorted.map((provider) => [provider.uuid, provider]));
  // Where a parent is missing that was said above.
  if (problems.length === 0)
    for (const uuid of found.keys())
      require(providers.has(uuid), `provider ${uuid}`, 'stands below itself, or below one that does');
  if (problems.length > 0) throw new InputError(source, problems);
  return { providers, consumers, names: { class: [...rows.classes].sort(), trait: [...rows.traits].sort() } };

  function require(isRight: boolean, field: string, problem: string, remedy?: string): void {
    if (!isRight) problems.push({ field, problem, remedy });
  }

  function known(uuid: string, what: string): FilledProvider | undefined {
    const provider = found.get(keptName(uuid));
    require(provider !== undefined, what, `is of provider ${uuid}, which there is not`);
    return provider;
  }

  function takeProviders(): void {
    for (const { uuid: spelt, name, generation, parent } of rows.providers) {
      const uuid = keptName(spelt);
      const where = `provider ${spelt}`;
      require(isUuid(spelt), where, 'is no UUID');
      require(!found.has(uuid), where, TWICE);
      require(isProviderName(name), where, 'has a name that cannot be kept', 'give it another');
      const nothing = { inventories: new Map(), traits: [], aggregates: [] };
      found.set(uuid, {
        uuid,
        name,
        generation,
        parent: parent && keptName(parent),
        canHost: true,
        ...nothing,
      });
    }
    for (const { uuid, parent } of rows.providers) if (parent !== null) known(parent, `child ${uuid}`);
  }

  function fillProviders(): void {
    for (const row of rows.inventories) {
      const provider = known(row.provider, `inventory ${row.class}`);
      const inventory: Inventory = {
        total: row.total,
        reserved: row.reserved,
        minUnit: row.min_unit,
        maxUnit: row.max_unit,
        stepSize: row.step_size,
        allocationRatio: ratioText(row.allocation_ratio) ?? String(row.allocation_ratio),
      };
      const where = `inventory ${row.class} of ${provider?.name}`;
      for (const { field, value, problem } of inventoryProblems(inventory))
        require(false, `${where}, ${field} ${value}`, problem, 'set this inventory anew in Placement');
      provider?.inventories.set(row.class, inventory);
    }
    for (const { provider, trait } of rows.providerTraits)
      known(provider, `trait ${trait}`)?.traits.push(trait);
    for (const { provider, aggregate } of rows.providerAggregates) {
      const aggregates = known(provider, `aggregate ${aggregate}`)?.aggregates ?? [];
      const uuid = keptName(aggregate);
      if (aggregates.every((one) => one.uuid !== uuid)) aggregates.push({ uuid, name: null });
    }
    for (const { traits, aggregates } of found.values()) {
      traits.sort();
      aggregates.sort((a, b) => (a.uuid < b.uuid ? -1 : 1));
    }
  }

  function takeConsumers(): void {
    for (const { uuid, generation, project, user, type } of rows.consumers) {
      const where = `consumer ${uuid}`;
      const consumer = keptName(uuid);
      require(isHolderName(uuid), where, 'has a name that cannot be kept');
      require(!consumers.has(consumer), where, TWICE);
      for (const name of [project, user, type ?? '-'])
        require(isHolderName(name), where, `belongs to '${name}', which cannot be kept`);
      const nothing = { allocations: new Map(), ends: [], movingFrom: null };
      consumers.set(consumer, { consumer, project, user, type, generation, ...nothing });
    }
  }

  function allocate({ provider, consumer, class: name, used }: PlacementRows['allocations'][number]): void {
    const where = `allocation of ${name} to ${consumer}`;
    require(Number.isInteger(used) && used >= 1 && used <= MAX_INTEGER, where, `is ${used}`);
    const isHeld = known(provider, where)?.inventories.has(name) ?? true;
    require(isHeld, where, `is of an inventory that provider ${provider} does not have`);
    const allocations = consumers.get(keptName(consumer))?.allocations;
    const remedy = 'let Placement make what is missing: placement-manage db online_data_migrations';
    require(allocations !== undefined, where, 'has no row for its consumer', remedy);
    const amounts = allocations && kept(allocations, keptName(provider), () => new Map());
    amounts?.set(name, used + (amounts.get(name) ?? 0));
  }
}
