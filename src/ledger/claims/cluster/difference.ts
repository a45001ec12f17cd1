/** What differs between a ledger and a cluster, as facts. Pure. */
import { kept } from '../../../kit/kept.ts';
import type { OfKinds } from '../../../kit/kinds.ts';
import { keptOf } from '../model/ends.ts';
import type { Inventory } from '../model/inventory.ts';
import { derivedUuid, isCustomName } from '../model/names.ts';
import { CLUSTER_CONSUMER_TYPE, type ConsumerImage, type LedgerImage, type ProviderImage } from './image.ts';

type ConsumerPart = 'allocations' | 'project' | 'user' | 'type' | 'expiry' | 'generation';

interface Sides {
  readonly ledger: string;
  readonly cluster: string;
}

export type Difference = OfKinds<{
  /** A class or trait that one of both has never heard of. */
  'name-missing': { of: 'class' | 'trait'; name: string };
  'name-extra': { of: 'class' | 'trait'; name: string };
  'provider-missing': { provider: string; name: string };
  'provider-extra': { provider: string; name: string };
  /** The cluster has it no more. It stays, closed, while something is promised on it or below it. */
  'provider-held': { provider: string; name: string; consumers: readonly string[] };
  /** `what`: `inventory VCPU`, `traits`, `aggregates`, `name`, `parent`, `can_host`, `generation`. */
  'provider-differs': { provider: string; name: string; what: string } & Sides;
  'consumer-missing': { consumer: string; amounts: string };
  'consumer-extra': { consumer: string; amounts: string };
  'consumer-differs': { consumer: string; what: ConsumerPart } & Sides;
  /** A move that was claimed, and that the cluster has not made, or not to its end. No fault. */
  moving: { consumer: string } & Sides;
  /** In the ledger, not (yet) in the cluster, or not all of it: a promise. No fault. */
  promised: { consumer: string; amounts: string };
}>;

/** Whether the difference is one that a synchronisation has to end. */
export const isFault = ({ kind }: Difference): boolean => kind !== 'promised' && kind !== 'moving';

/** Whether a provider came from a cluster: its UUID follows from its name. */
const isOfCluster = ({ uuid, name, parent }: ProviderImage): boolean =>
  uuid === derivedUuid('node', name) ||
  uuid === derivedUuid('pool', name) ||
  (parent !== null && uuid === derivedUuid('node-pool', name.replace('/', ' internal/')));

/**
 * @param judged all has to be as on the other side, or what came from a cluster, beside which providers from
 * elsewhere and promises may stay. @returns by provider and consumer name.
 */
export function differencesOf(
  ledger: LedgerImage,
  cluster: LedgerImage,
  judged: 'all' | 'of-cluster',
): readonly Difference[] {
  const promises = judged === 'all' ? new Map<string, never>() : promisesOf(ledger, cluster);
  const holders = holdersOf(ledger, promises.keys());
  const others = [...ledger.providers].filter(
    ([uuid, present]) => !cluster.providers.has(uuid) && (judged === 'all' || isOfCluster(present)),
  );
  const nameOf = (uuid: string): string =>
    (cluster.providers.get(uuid) ?? ledger.providers.get(uuid))?.name ?? uuid;
  const textOf = (one: ConsumerImage): string => amountsText(one, nameOf);
  return [
    ...nameDifferences(ledger, cluster),
    ...[...cluster.providers].flatMap(([provider, wanted]): readonly Difference[] => {
      const present = ledger.providers.get(provider);
      if (present !== undefined) return providerDifferences(present, wanted);
      return [{ kind: 'provider-missing', provider, name: wanted.name }];
    }),
    ...others.map(([provider, { name }]): Difference => {
      const consumers = holders.get(provider);
      if (consumers === undefined) return { kind: 'provider-extra', provider, name };
      return { kind: 'provider-held', provider, name, consumers: [...consumers] };
    }),
    ...[...cluster.consumers].flatMap(([consumer, wanted]): readonly Difference[] => {
      const present = ledger.consumers.get(consumer);
      if (present === undefined) return [{ kind: 'consumer-missing', consumer, amounts: textOf(wanted) }];
      const kind = promises.get(consumer);
      if (kind === undefined) return consumerDifferences(present, wanted, textOf);
      if (kind === 'promised') return [{ kind, consumer, amounts: textOf(present) }];
      return [{ kind, consumer, ledger: textOf(present), cluster: textOf(wanted) }];
    }),
    ...[...ledger.consumers].flatMap(([consumer, present]): readonly Difference[] => {
      const kind = promises.has(consumer) ? 'promised' : 'consumer-extra';
      return cluster.consumers.has(consumer) ? [] : [{ kind, consumer, amounts: textOf(present) }];
    }),
  ];
}

/** What the ledger has promised beyond what a cluster shows, by consumer. */
function promisesOf(ledger: LedgerImage, cluster: LedgerImage): ReadonlyMap<string, 'moving' | 'promised'> {
  const promises = new Map<string, 'moving' | 'promised'>();
  for (const [consumer, present] of ledger.consumers) {
    const wanted = cluster.consumers.get(consumer);
    if (wanted === undefined) {
      if (present.type !== CLUSTER_CONSUMER_TYPE) promises.set(consumer, 'promised');
    } else if (isUnderWay(present, wanted)) promises.set(consumer, 'moving');
    else if (isToGrow(present, wanted)) promises.set(consumer, 'promised');
  }
  return promises;
}

/** Which of the consumers have something on a provider or below it. */
function holdersOf(
  ledger: LedgerImage,
  consumers: Iterable<string>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const holders = new Map<string, Set<string>>();
  for (const consumer of consumers)
    for (const held of ledger.consumers.get(consumer)!.allocations.keys())
      for (let uuid: string | null = held; uuid !== null; uuid = ledger.providers.get(uuid)?.parent ?? null)
        kept(holders, uuid, () => new Set()).add(consumer);
  return holders;
}

/** Standard names that only the ledger has are no difference: it may know a newer list of them. */
function nameDifferences(ledger: LedgerImage, cluster: LedgerImage): Difference[] {
  const { names: present } = ledger;
  const { names: wanted } = cluster;
  if (present === undefined || wanted === undefined) return [];
  return (['class', 'trait'] as const).flatMap((of) => {
    const here = new Set(present[of]);
    const there = new Set(wanted[of]);
    return [
      ...wanted[of]
        .filter((name) => !here.has(name))
        .map((name) => ({ kind: 'name-missing', of, name }) as const),
      ...present[of]
        .filter((name) => isCustomName(name) && !there.has(name))
        .map((name) => ({ kind: 'name-extra', of, name }) as const),
    ];
  });
}

const placesOf = ({ allocations }: ConsumerImage): ReadonlySet<string> =>
  new Set(
    [...allocations].flatMap(([uuid, classes]) => [...classes.keys()].map((name) => `${uuid} ${name}`)),
  );

/**
 * Whether a claimed move is not at its end: the cluster has the instance on providers that it leaves or
 * reaches, and not yet there where the ledger has it. Anywhere else the cluster decided otherwise. (A
 * Placement, which counts generations, is no cluster: it has what it was told.)
 */
export function isUnderWay(present: ConsumerImage, wanted: ConsumerImage): boolean {
  if (present.movingFrom === null || wanted.generation !== undefined) return false;
  const isOnTheWay = [...wanted.allocations.keys()].every(
    (uuid) => Object.hasOwn(present.movingFrom!, uuid) || present.allocations.has(uuid),
  );
  const reached = placesOf(present);
  const places = placesOf(wanted);
  const isThere = places.size === reached.size && [...places].every((place) => reached.has(place));
  return isOnTheWay && !isThere;
}

/** What a consumer has for good, by provider and class. */
function keptByPlace({ allocations, ends }: ConsumerImage): ReadonlyMap<string, number> {
  const kept = new Map<string, number>();
  for (const [uuid, classes] of allocations)
    for (const [name, used] of classes) {
      const own = ends.filter((end) => end.provider === uuid && end.class === name);
      const amount = keptOf({ used, ends: own });
      if (amount > 0) kept.set(`${uuid} ${name}`, amount);
    }
  return kept;
}

/** Whether a cluster has just what is for good: what has an end was claimed for what is to be built. */
function isToGrow(present: ConsumerImage, wanted: ConsumerImage): boolean {
  if (present.ends.length === 0 || wanted.generation !== undefined) return false;
  const forGood = keptByPlace(present);
  const built = keptByPlace(wanted);
  return forGood.size === built.size && [...built].every(([place, amount]) => forGood.get(place) === amount);
}

/** An inventory in words: equal texts for equal inventories. */
export const inventoryText = (inventory: Inventory | undefined): string =>
  inventory === undefined
    ? 'none'
    : `${inventory.total} (${inventory.reserved} reserved, units ${inventory.minUnit} to ${inventory.maxUnit} by ${inventory.stepSize}, ratio ${inventory.allocationRatio})`;

function providerDifferences(present: ProviderImage, wanted: ProviderImage): readonly Difference[] {
  const found: Difference[] = [];
  const { uuid: provider, name: called } = wanted;
  const compare = (what: string, ledger: string, cluster: string): void => {
    if (ledger !== cluster)
      found.push({ kind: 'provider-differs', provider, name: called, what, ledger, cluster });
  };
  compare('name', present.name, wanted.name);
  if (wanted.generation !== undefined)
    compare('generation', String(present.generation), String(wanted.generation));
  compare('parent', present.parent ?? 'none', wanted.parent ?? 'none');
  compare('can_host', String(present.canHost), String(wanted.canHost));
  for (const name of [...new Set([...present.inventories.keys(), ...wanted.inventories.keys()])].sort())
    compare(
      `inventory ${name}`,
      inventoryText(present.inventories.get(name)),
      inventoryText(wanted.inventories.get(name)),
    );
  const listed = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(' '));
  compare('traits', listed(present.traits), listed(wanted.traits));
  const uuids = ({ aggregates }: ProviderImage): string => listed(aggregates.map(({ uuid }) => uuid));
  compare('aggregates', uuids(present), uuids(wanted));
  return found;
}

/** `node1=MEMORY_MB:512,VCPU:1 node2=DISK_GB:10`, by name. */
function amountsText({ allocations }: ConsumerImage, nameOf: (uuid: string) => string): string {
  const cells = [...allocations].map(([uuid, classes]) => {
    const amounts = [...classes]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, amount]) => `${name}:${amount}`);
    return `${nameOf(uuid)}=${amounts.join(',')}`;
  });
  return cells.sort().join(' ');
}

function consumerDifferences(
  present: ConsumerImage,
  wanted: ConsumerImage,
  textOf: (one: ConsumerImage) => string,
): readonly Difference[] {
  const found: Difference[] = [];
  const compare = (what: ConsumerPart, ledger: string, cluster: string): void => {
    if (ledger !== cluster)
      found.push({ kind: 'consumer-differs', consumer: wanted.consumer, what, ledger, cluster });
  };
  compare('allocations', textOf(present), textOf(wanted));
  compare('project', present.project ?? 'none', wanted.project ?? 'none');
  if (wanted.user !== undefined) compare('user', present.user ?? 'none', wanted.user ?? 'none');
  compare('type', present.type ?? 'none', wanted.type ?? 'none');
  if (wanted.generation !== undefined)
    compare('generation', String(present.generation), String(wanted.generation));
  compare('expiry', present.ends.length === 0 ? 'never' : 'unconfirmed', 'never');
  return found;
}
