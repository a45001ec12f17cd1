/** Provider trees with indices, so that a query looks only at what can answer it; changed one by one. */
import { kept } from '../../../kit/kept.ts';
import { byName, Provider, type ProviderRecord, type Room } from './provider.ts';

const EMPTY: ReadonlySet<string> = new Set();

export class Forest {
  readonly byClass = new IndexMap();
  readonly byTrait = new IndexMap();
  readonly byAggregate = new IndexMap();
  /** Providers that serve other trees through aggregates. */
  readonly sharing = new Set<Provider>();
  private readonly byUuid = new Map<string, Provider>();
  private readonly rootSet = new Set<Provider>();
  /** Undefined once there is another root. */
  private sortedRoots: readonly Provider[] | undefined;
  private readonly trees = new Map<Provider, readonly Provider[]>();

  constructor(records: readonly ProviderRecord[] = []) {
    this.putAll(records);
  }

  get size(): number {
    return this.byUuid.size;
  }

  get(uuid: string): Provider | undefined {
    return this.byUuid.get(uuid);
  }

  /** Roots by name. */
  get roots(): readonly Provider[] {
    this.sortedRoots ??= [...this.rootSet].sort(byName);
    return this.sortedRoots;
  }

  /** A root's whole tree by name, itself included. */
  treeOf(root: Provider): readonly Provider[] {
    return kept(this.trees, root, () => {
      const members = [root];
      for (const member of members) members.push(...member.children);
      return members.sort(byName);
    });
  }

  /** Sharing providers of other trees with an aggregate in common with one of this tree, by name. */
  sharersWith(root: Provider): readonly Provider[] {
    if (this.sharing.size === 0) return [];
    const sharers = new Set<Provider>();
    const aggregates = new Set(this.treeOf(root).flatMap((member) => [...member.aggregates]));
    for (const aggregate of aggregates) {
      // A big aggregate has few sharing members.
      const members = this.byAggregate.of(aggregate);
      for (const other of members.size < this.sharing.size ? members : this.sharing)
        if (other.isSharing && other.aggregates.has(aggregate) && other.root !== root) sharers.add(other);
    }
    return [...sharers].sort(byName);
  }

  /** Enters or changes many providers; parents may come in any order, but must be there in the end. */
  putAll(records: readonly ProviderRecord[]): void {
    for (const record of records)
      if (!this.byUuid.has(record.uuid)) this.byUuid.set(record.uuid, new Provider(record.uuid, record.name));
    for (const record of records) this.place(record);
  }

  remove(uuid: string): void {
    const provider = this.byUuid.get(uuid);
    if (!provider) return;
    this.fill(provider, new Map(), EMPTY, EMPTY);
    this.trees.delete(provider.root);
    if (provider.parent) provider.parent.children.delete(provider);
    else this.dropRoot(provider);
    this.byUuid.delete(uuid);
  }

  private place(record: ProviderRecord): void {
    const provider = this.byUuid.get(record.uuid)!;
    const parent = record.parentUuid === undefined ? undefined : this.byUuid.get(record.parentUuid);
    const isNew = !provider.parent && !this.rootSet.has(provider);
    if (isNew || parent !== provider.parent || record.name !== provider.name) {
      this.trees.delete(provider.root);
      if (!isNew && !provider.parent) this.dropRoot(provider);
      provider.parent?.children.delete(provider);
      provider.name = record.name;
      provider.parent = parent;
      if (parent) parent.children.add(provider);
      else this.addRoot(provider);
      this.renewPaths(provider);
      this.trees.delete(provider.root);
    }
    this.fill(
      provider,
      new Map(
        record.inventories.map((inventory): [string, Room] => [
          inventory.resourceClass,
          { ...inventory, pending: 0 },
        ]),
      ),
      new Set(record.traits),
      new Set(record.aggregates),
    );
  }

  private addRoot(provider: Provider): void {
    this.rootSet.add(provider);
    this.sortedRoots = undefined;
  }

  private dropRoot(provider: Provider): void {
    this.rootSet.delete(provider);
    this.sortedRoots = undefined;
  }

  private renewPaths(top: Provider): void {
    const changed = [top];
    for (const provider of changed) {
      provider.path = provider.parent ? [...provider.parent.path, provider] : [provider];
      changed.push(...provider.children);
    }
  }

  private fill(
    provider: Provider,
    rooms: ReadonlyMap<string, Room>,
    traits: ReadonlySet<string>,
    aggregates: ReadonlySet<string>,
  ): void {
    this.byClass.change(provider, provider.rooms.keys(), new Set(rooms.keys()));
    this.byTrait.change(provider, provider.traits, traits);
    this.byAggregate.change(provider, provider.aggregates, aggregates);
    provider.rooms = rooms;
    provider.traits = traits;
    provider.aggregates = aggregates;
    if (provider.isSharing) this.sharing.add(provider);
    else this.sharing.delete(provider);
  }
}

const NOBODY: ReadonlySet<Provider> = new Set();

/** Which providers have a class, a trait or an aggregate. */
class IndexMap {
  private readonly holders = new Map<string, Set<Provider>>();

  of(key: string): ReadonlySet<Provider> {
    return this.holders.get(key) ?? NOBODY;
  }

  /** Enters the provider under the keys of `after` instead of those of `before`. */
  change(provider: Provider, before: Iterable<string>, after: ReadonlySet<string>): void {
    for (const key of before) {
      if (after.has(key)) continue;
      const set = this.holders.get(key);
      set?.delete(provider);
      if (set?.size === 0) this.holders.delete(key);
    }
    for (const key of after) kept(this.holders, key, () => new Set()).add(provider);
  }
}
