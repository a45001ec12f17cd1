/** What is used: of a provider, and by a project. */
import { inventoriesOf } from '../../../claims/tables/inventories.ts';
import { consumerCounts, type ProjectUsage, usageOf } from '../../../claims/usage/usage.ts';
import { type FormOf, readQuery } from '../../../http/json-check.ts';
import type { Reply } from '../../../http/route.ts';
import { CLASS_PATTERN, NAME, record } from '../protocol/forms.ts';
import { type Call, noProviderHere, operation, type Routes, requireProvider } from '../service/service.ts';

/** Consumers without a kind, and all kinds taken together. */
const UNKNOWN = 'unknown';
const ALL = 'all';

const KIND = { ...NAME, pattern: `${CLASS_PATTERN}|^${ALL}|^${UNKNOWN}$` };
const QUERY = record({ project_id: NAME, user_id: NAME }, ['project_id']);
const QUERY_38 = record({ project_id: NAME, user_id: NAME, consumer_type: KIND }, ['project_id']);

const ofProvider = ({ read, path, ledger }: Call): Promise<Reply> =>
  read(async (session) => {
    const { id, generation } = await requireProvider(session, path.uuid!, noProviderHere(': '));
    const stock = await inventoriesOf(session, id);
    const usages = Object.fromEntries(stock.map((inventory) => [inventory.class, inventory.used]));
    return { body: { resource_provider_generation: generation, usages }, lastModified: ledger.now() };
  });

const sumByClass = (rows: readonly ProjectUsage[]): Record<string, number> => {
  const sums: Record<string, number> = {};
  for (const { class: name, used } of rows) sums[name] = (sums[name] ?? 0) + used;
  return sums;
};

async function ofProject(call: Call): Promise<Reply> {
  const isTyped = call.minor >= 38;
  const query: FormOf<typeof QUERY_38> = readQuery(call, isTyped ? QUERY_38 : QUERY);
  const filter = { project: query.project_id, user: query.user_id };
  return call.read(async (session) => {
    const rows = await usageOf(session, filter);
    const reply = { lastModified: call.ledger.now() };
    if (!isTyped) return { ...reply, body: { usages: sumByClass(rows) } };
    const wanted = query.consumer_type;
    const counts = await consumerCounts(session, filter);
    const kinds =
      wanted === ALL
        ? [{ name: ALL, own: rows, consumers: counts.reduce((sum, { consumers }) => sum + consumers, 0) }]
        : counts.map(({ type, consumers }) => ({
            name: type ?? UNKNOWN,
            own: rows.filter((row) => row.type === type),
            consumers,
          }));
    const usages = kinds
      .filter(({ name, own }) => own.length > 0 && (wanted === undefined || wanted === name))
      .map(({ name, own, consumers }) => [name, { ...sumByClass(own), consumer_count: consumers }]);
    return { ...reply, body: { usages: Object.fromEntries(usages) } };
  });
}

export const USAGE_ROUTES: Routes = {
  '/resource_providers/{uuid}/usages': {
    GET: operation('showProviderUsages', 'What is used of a provider', ofProvider),
  },
  '/usages': {
    GET: operation('showUsages', 'What a project uses', ofProject, {
      isForProjects: true,
      since: 9,
      queryNames: ['project_id', 'user_id', 'consumer_type'],
    }),
  },
};
