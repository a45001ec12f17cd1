/**
 * All that a Placement holds, over HTTP. Consumers, of which there is no list, are found by what providers
 * have given. What changes meanwhile shows in generations or answers that do not fit; then nothing is taken.
 */
import { ExecutionError } from '../../kit/faults.ts';
import { groupedBy } from '../../kit/grouped.ts';
import { severalAtOnce } from '../../kit/several.ts';
import { someOf } from '../../kit/text/words.ts';
import { type Client, NO_TYPE } from './client.ts';
import type { Draft } from './draft.ts';
import type { ConsumerRow, InventoryRow, PlacementRows, ProviderRow } from './rows.ts';

/** Requests under way: a Placement of a few processes is kept busy, and its other clients are answered. */
const AT_ONCE = 16;

type Amounts = Readonly<Record<string, number>>;

type ProviderAnswer = Omit<ProviderRow, 'parent'> & { readonly parent_provider_uuid: string | null };

/** What a provider has, in answers that all name one generation. */
interface Stock {
  readonly inventories: Readonly<Record<string, Omit<InventoryRow, 'provider' | 'class'>>>;
  readonly traits: readonly string[];
  readonly aggregates: readonly string[];
}

interface ConsumerAnswer {
  readonly allocations: Readonly<Record<string, { readonly resources: Amounts }>>;
  readonly consumer_generation: number;
  readonly project_id: string;
  readonly user_id: string;
  readonly consumer_type?: string;
}

interface HeldAnswer {
  readonly allocations: Readonly<
    Record<string, { readonly resources: Amounts; readonly consumer_generation: number }>
  >;
}

/** An allocation, with the generation that its consumer has. */
type Held = PlacementRows['allocations'][number] & Pick<ConsumerRow, 'generation'>;

const heldOf = (
  place: Pick<Held, 'provider' | 'consumer' | 'generation'>,
  resources: Amounts,
): readonly Held[] => Object.entries(resources).map(([name, used]) => ({ ...place, class: name, used }));

export async function readHttp(
  client: Client,
  draft: Draft | undefined,
  says: (text: () => string) => void,
): Promise<PlacementRows> {
  const once: Draft['once'] = (path, generation, read, isRight) =>
    draft ? draft.once(path, generation, read, isRight) : read();
  await client.greet();
  const { resource_classes: classes } = await client.get<{ resource_classes: readonly { name: string }[] }>(
    '/resource_classes',
    'resource_classes',
  );
  const { traits } = await client.get<Pick<Stock, 'traits'>>('/traits', 'traits');
  const providers = await listed(client);
  const stocks = new Map<string, Stock>();
  const given: Held[] = [];
  await severalAtOnce(AT_ONCE, providers, async (row) => {
    says(() => `${stocks.size} of ${providers.length} providers read`);
    const path = `/resource_providers/${row.uuid}`;
    const kept = await once(path, row.generation, async () => ({
      inventories: await partOf(client, row, 'inventories'),
      traits: await partOf(client, row, 'traits'),
    }));
    // Clients before 1.19 change these without raising the generation.
    const stock = { ...kept, aggregates: await partOf(client, row, 'aggregates') };
    const { allocations } = await client.get<HeldAnswer>(`${path}/allocations`, 'allocations');
    stocks.set(row.uuid, stock);
    for (const [consumer, { consumer_generation: generation, resources }] of Object.entries(allocations))
      given.push(...heldOf({ provider: row.uuid, consumer, generation }, resources));
  });
  const holders = groupedBy(given, ({ consumer }) => consumer);
  const consumers: ConsumerRow[] = [];
  const torn: string[] = [];
  await severalAtOnce(AT_ONCE, [...holders], async ([uuid, held]) => {
    says(() => `${consumers.length} of ${holders.size} consumers read`);
    const path = `/allocations/${uuid}`;
    const isRight = (answer: ConsumerAnswer): boolean => rowsText(hadBy(uuid, answer)) === rowsText(held);
    const read = () => client.get<ConsumerAnswer>(path, 'allocations');
    const answer = await once(path, held[0]!.generation, read, isRight);
    if (!isRight(answer)) torn.push(`consumer ${uuid}`);
    const { consumer_generation: generation, project_id: project, user_id: user } = answer;
    const type = !client.hasTypes || answer.consumer_type === NO_TYPE ? null : (answer.consumer_type ?? null);
    consumers.push({ uuid, generation, project, user, type });
  });
  requireOneState(providers, await listed(client));
  if (torn.length > 0) throw changed(torn);
  const ofStock = <Row>(rows: (stock: Stock, provider: string) => readonly Row[]): readonly Row[] =>
    [...stocks].flatMap(([provider, stock]) => rows(stock, provider));
  return {
    classes: classes.map(({ name }) => name),
    traits,
    providers,
    inventories: ofStock(({ inventories }, provider) =>
      Object.entries(inventories).map(([name, one]) => ({ provider, class: name, ...one })),
    ),
    providerTraits: ofStock((stock, provider) => stock.traits.map((trait) => ({ provider, trait }))),
    providerAggregates: ofStock((stock, provider) =>
      stock.aggregates.map((aggregate) => ({ provider, aggregate })),
    ),
    consumers,
    allocations: given,
  };
}

const listed = async (client: Client): Promise<readonly ProviderRow[]> => {
  const found = await client.get<{ resource_providers: readonly ProviderAnswer[] }>(
    '/resource_providers',
    'resource_providers',
  );
  return found.resource_providers.map(({ uuid, name, generation, parent_provider_uuid: parent }) => ({
    uuid,
    name,
    generation,
    parent,
  }));
};

async function partOf<Key extends keyof Stock>(
  client: Client,
  { uuid, name, generation }: ProviderRow,
  key: Key,
): Promise<Stock[Key]> {
  type Answer = Stock & { readonly resource_provider_generation: number };
  const answer = await client.get<Answer>(`/resource_providers/${uuid}/${key}`, key);
  if (answer.resource_provider_generation !== generation) throw changed([name]);
  return answer[key];
}

const MOST_NAMED = 5;

const changed = (names: readonly string[]): ExecutionError =>
  new ExecutionError(
    `Placement changed while it was read: ${someOf(names, MOST_NAMED)}`,
    'stop what writes to it, and run this again: what did not change is not read again',
  );

function requireOneState(before: readonly ProviderRow[], after: readonly ProviderRow[]): void {
  const texts = (rows: readonly ProviderRow[]) => new Map(rows.map((row) => [row.name, JSON.stringify(row)]));
  const was = texts(before);
  const is = texts(after);
  const moved = [...new Set([...was.keys(), ...is.keys()])].filter((name) => was.get(name) !== is.get(name));
  if (moved.length > 0) throw changed(moved);
}

/** What a consumer says that it has. */
const hadBy = (consumer: string, { allocations, consumer_generation: generation }: ConsumerAnswer) =>
  Object.entries(allocations).flatMap(([provider, { resources }]) =>
    heldOf({ provider, consumer, generation }, resources),
  );

const rowsText = (rows: readonly Held[]): string =>
  rows
    .map((row) => JSON.stringify(row))
    .sort()
    .join();
