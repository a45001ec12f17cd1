/** Bringing a ledger in line with a cluster, in one transaction. */
import type { Session } from '../../store/store.ts';
import { removeInventories, setInventories } from '../changes/inventory-changes.ts';
import { setAggregates, setTraits } from '../changes/label-changes.ts';
import { addName } from '../changes/name-changes.ts';
import { changeProvider, createProvider, removeProvider } from '../changes/provider-changes.ts';
import type { ProviderRefusal } from '../changes/provider-write.ts';
import type { ConsumerClaim } from '../claim/claim-request.ts';
import { replaceAllocations } from '../claim/replace-allocations.ts';
import { capacityOf, type Inventory } from '../model/inventory.ts';
import { busy, type ClaimRefusal, type Outcome } from '../model/refusal.ts';
import type { ChangeContext } from '../tables/history.ts';
import { inventoriesOf } from '../tables/inventories.ts';
import { idsOf } from '../tables/names.ts';
import { holdTrees, providerByUuid } from '../tables/providers.ts';
import { type Difference, differencesOf, inventoryText, isUnderWay } from './difference.ts';
import type { LedgerImage } from './image.ts';
import { readImage } from './read-image.ts';

interface Imported {
  readonly differences: readonly Difference[];
  readonly providers: number;
  readonly consumers: number;
}

/** How the ledger's content and the cluster's meet. */
export type ImportMode =
  /** The ledger must be empty. */
  | 'fresh'
  /** The ledger is emptied first. */
  | 'replace'
  /** What differs is changed; promises with their providers, claimed moves and foreign providers stay. */
  | 'sync';

export type ImportRefusal =
  | ProviderRefusal
  | ClaimRefusal
  | { readonly kind: 'not-empty'; readonly providers: number; readonly consumers: number };

class Stop extends Error {
  constructor(readonly outcome: Outcome<never, ImportRefusal>) {
    super('an import met an outcome that ends it');
  }
}

/** Only what is not used is removed, so what turns out to be used was claimed meanwhile. */
function must<Value>(outcome: Outcome<Value, ImportRefusal>): Value {
  if (outcome.kind === 'done') return outcome.value;
  const isLate = outcome.kind === 'refused' && outcome.refusals.some(({ kind }) => kind === 'in-use');
  throw new Stop(isLate ? busy('something was claimed of what is removed') : outcome);
}

/** What the work gives, or the outcome that has ended it. */
async function stopping<Value>(work: () => Promise<Value>): Promise<Outcome<Value, ImportRefusal>> {
  try {
    return { kind: 'done', value: await work() };
  } catch (error) {
    if (error instanceof Stop) return error.outcome;
    throw error;
  }
}

export async function importCluster(
  session: Session,
  context: ChangeContext,
  cluster: LedgerImage,
  mode: ImportMode,
): Promise<Outcome<Imported, ImportRefusal>> {
  await holdTrees(session);
  let present = await readImage(session);
  // Where all is replaced promises are removed, too.
  const differences = differencesOf(present, cluster, mode === 'replace' ? 'all' : 'of-cluster');
  if (mode !== 'sync') {
    const room = await makeRoom(session, context, present, mode);
    if (room.kind !== 'done') return room;
    present = { providers: new Map(), consumers: new Map() };
  }
  const left = mode === 'replace' ? differencesOf(present, cluster, 'of-cluster') : differences;
  return stopping(async () => {
    await align(session, context, present, cluster, left);
    return { differences, providers: cluster.providers.size, consumers: cluster.consumers.size };
  });
}

export const requireEmpty = ({
  providers: { size: providers },
  consumers: { size: consumers },
}: LedgerImage): Outcome<undefined, ImportRefusal> =>
  providers + consumers > 0
    ? { kind: 'refused', refusals: [{ kind: 'not-empty', providers, consumers }] }
    : { kind: 'done', value: undefined };

/** Sees to it that the ledger has no providers and consumers; its history and its names stay. */
export async function makeRoom(
  session: Session,
  context: ChangeContext,
  { providers, consumers }: LedgerImage,
  mode: 'fresh' | 'replace',
): Promise<Outcome<undefined, ImportRefusal>> {
  if (mode === 'fresh') return requireEmpty({ providers, consumers });
  return stopping(async () => {
    await replace(session, context, consumers, nothingFor(consumers.keys()));
    for (const provider of [...providers.keys()].reverse())
      must(await removeProvider(session, context, { provider }));
    return undefined;
  });
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Brings the ledger in line: what differs is changed, and moves that the cluster has made are over. */
async function align(
  session: Session,
  context: ChangeContext,
  present: LedgerImage,
  cluster: LedgerImage,
  differences: readonly Difference[],
): Promise<void> {
  await makeNames();
  const changed = new Set(differences.flatMap((one) => ('provider' in one ? [one.provider] : [])));
  const uuids = [...cluster.providers.keys()].filter((uuid) => changed.has(uuid));
  for (const uuid of uuids) await writeProvider(uuid);
  await writeConsumers();
  for (const uuid of uuids) await dropClasses(uuid);
  const extra = differences.flatMap((one) => (one.kind === 'provider-extra' ? [one.provider] : []));
  for (const provider of extra.reverse()) must(await removeProvider(session, context, { provider }));
  for (const one of differences)
    if (one.kind === 'provider-held')
      await close(one.provider, [...present.providers.get(one.provider)!.inventories]);
  await endMoves();

  /** Nothing more is to be claimed of what the cluster has no more. */
  async function close(
    provider: string,
    inventories: readonly (readonly [string, Inventory])[],
  ): Promise<void> {
    const open = inventories.filter(([, inventory]) => capacityOf(inventory) > 0);
    const closed = new Map(open.map(([name, one]) => [name, { ...one, reserved: one.total }]));
    if (closed.size > 0) must(await setInventories(session, context, { provider }, closed, 'kept'));
  }

  /** Moves that the cluster has made are over: what becomes of their instances after that is news. */
  async function endMoves(): Promise<void> {
    const over = [...cluster.consumers.values()].flatMap((wanted) => {
      const found = present.consumers.get(wanted.consumer);
      return found !== undefined && found.movingFrom !== null && !isUnderWay(found, wanted)
        ? [wanted.consumer]
        : [];
    });
    if (over.length > 0)
      await session.run('UPDATE consumers SET moving_from = NULL WHERE uuid IN_TEXTS(?)', [over]);
  }

  async function makeNames(): Promise<void> {
    const providers = [...cluster.providers.values()];
    const names = {
      resource_classes: providers.flatMap(({ inventories }) => [...inventories.keys()]),
      traits: providers.flatMap(({ traits }) => traits),
    };
    for (const table of ['resource_classes', 'traits'] as const) {
      const known = await idsOf(session, table, names[table]);
      for (const name of new Set(names[table]))
        if (!known.has(name)) await addName(session, context, table, name);
    }
  }

  async function writeProvider(uuid: string): Promise<void> {
    const before = present.providers.get(uuid);
    const wanted = cluster.providers.get(uuid)!;
    const target = { provider: uuid };
    if (before === undefined) must(await createProvider(session, context, wanted));
    else if (
      before.name !== wanted.name ||
      before.parent !== wanted.parent ||
      before.canHost !== wanted.canHost
    )
      must(await changeProvider(session, context, target, wanted));
    const inventories = new Map(
      [...wanted.inventories].filter(
        ([name, inventory]) => inventoryText(before?.inventories.get(name)) !== inventoryText(inventory),
      ),
    );
    if (inventories.size > 0) must(await setInventories(session, context, target, inventories, 'kept'));
    if (!same(before?.traits ?? [], wanted.traits))
      must(await setTraits(session, context, target, wanted.traits));
    const aggregates = wanted.aggregates.map((one) => one.uuid);
    if (same(before?.aggregates.map((one) => one.uuid) ?? [], aggregates)) return;
    const names = new Map(
      wanted.aggregates.flatMap((one) => (one.name === null ? [] : [[one.uuid, one.name] as const])),
    );
    must(await setAggregates(session, context, target, { aggregates, names }));
  }

  /** Classes that a provider has no more, once no instance of the cluster holds them. Promised ones stay. */
  async function dropClasses(provider: string): Promise<void> {
    const wanted = cluster.providers.get(provider)!.inventories;
    const gone = [...(present.providers.get(provider)?.inventories ?? [])].filter(
      ([name]) => !wanted.has(name),
    );
    if (gone.length === 0) return;
    const stored = await inventoriesOf(session, (await providerByUuid(session, provider))!.id);
    const held = new Set(stored.filter(({ used }) => used > 0).map((one) => one.class));
    const leaving = gone.flatMap(([name]) => (held.has(name) ? [] : [name]));
    if (leaving.length > 0) must(await removeInventories(session, context, { provider }, leaving));
    await close(
      provider,
      gone.filter(([name]) => held.has(name)),
    );
  }

  /** Writes down what the instances have: the cluster has given it already, so nothing is refused. */
  async function writeConsumers(): Promise<void> {
    const changed = new Set<string>();
    const gone: string[] = [];
    for (const one of differences) {
      if (one.kind === 'consumer-extra') gone.push(one.consumer);
      else if (one.kind === 'consumer-missing' || one.kind === 'consumer-differs') changed.add(one.consumer);
    }
    const written = [...changed].map((consumer) => {
      const { project, type, allocations } = cluster.consumers.get(consumer)!;
      const amounts = [...allocations].flatMap(([provider, classes]) =>
        [...classes].map(([name, amount]) => ({ provider, class: name, amount })),
      );
      return { consumer, project, type, allocations: amounts };
    });
    await replace(session, context, present.consumers, written);
    await replace(session, context, present.consumers, nothingFor(gone));
  }
}

const nothingFor = (consumers: Iterable<string>): readonly ConsumerClaim[] =>
  [...consumers].map((consumer) => ({ consumer, allocations: [] }));

/** All is looked at anew where somebody else changed a consumer since it was read as `present`. */
async function replace(
  session: Session,
  context: ChangeContext,
  present: LedgerImage['consumers'],
  claims: readonly ConsumerClaim[],
): Promise<void> {
  if (claims.length === 0) return;
  const consumers = claims.map((one) => ({
    ...one,
    generation: present.get(one.consumer)?.generation ?? null,
  }));
  const request = { consumers, stepMode: 'exempt', isChecked: false, action: 'import' } as const;
  const outcome = await replaceAllocations(session, request, context);
  must(outcome.kind === 'conflict' ? busy('a consumer changed meanwhile') : outcome);
}
