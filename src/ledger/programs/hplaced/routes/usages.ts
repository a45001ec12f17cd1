/** What is used: of a provider, and by a project. */
import { consumerCounts, type UsageRow, usageOf } from '../../../claims/placement/usage-views.ts';
import { inventoriesOf } from '../../../claims/tables/inventories.ts';
import { ApiError } from '../../../http/api-error.ts';
import { schemaFaults } from '../../../http/json-check.ts';
import type { Reply, Request } from '../../../http/route.ts';
import { CLASS_PATTERN, NAME, record } from '../schemas/common.ts';
import { type Routes, requireProvider, type Service } from '../service/service.ts';

const QUERY = record({ project_id: NAME, user_id: NAME }, ['project_id']);
const QUERY_38 = record(
  {
    project_id: NAME,
    user_id: NAME,
    consumer_type: { ...NAME, pattern: `${CLASS_PATTERN}|^all$|^unknown$` },
  },
  ['project_id'],
);

/** Consumers without a kind, and all kinds taken together. */
const UNKNOWN = 'unknown';
const ALL = 'all';

async function ofProvider({ ledger }: Service, request: Request): Promise<Reply> {
  return ledger.store.read(async (session) => {
    const { id, generation } = await requireProvider(session, request.path.uuid!);
    const stock = await inventoriesOf(session, [id]);
    return {
      body: {
        resource_provider_generation: generation,
        usages: Object.fromEntries(stock.map((inventory) => [inventory.class, inventory.used])),
      },
      lastModified: ledger.now(),
    };
  });
}

const sumByClass = (rows: readonly UsageRow[]): Record<string, number> => {
  const sums: Record<string, number> = {};
  for (const { class: name, used } of rows) sums[name] = (sums[name] ?? 0) + used;
  return sums;
};

async function ofProject({ ledger }: Service, request: Request): Promise<Reply> {
  const isTyped = request.minor >= 38;
  // A map without a prototype: names come from clients.
  const query = Object.assign(Object.create(null), Object.fromEntries(request.query)) as Record<
    string,
    string
  >;
  const faults = schemaFaults({ ...query }, isTyped ? QUERY_38 : QUERY);
  if (faults.length > 0) throw new ApiError(400, `Invalid query string parameters: ${faults.join('\n\n')}`);
  const filter = { project: query.project_id!, user: query.user_id };
  return ledger.store.read(async (session) => {
    const rows = await usageOf(session, filter);
    const reply = { lastModified: ledger.now() };
    if (!isTyped) return { ...reply, body: { usages: sumByClass(rows) } };
    const wanted = query.consumer_type;
    const counts = await consumerCounts(session, filter);
    const groups = new Map<string, { readonly rows: UsageRow[]; readonly consumers: number }>();
    if (wanted === ALL) {
      const consumers = counts.reduce((sum, count) => sum + count.consumers, 0);
      if (rows.length > 0) groups.set(ALL, { rows: [...rows], consumers });
    } else
      for (const { type, consumers } of counts) {
        const name = type ?? UNKNOWN;
        const own = rows.filter((row) => row.type === type);
        if (own.length > 0 && (wanted === undefined || wanted === name))
          groups.set(name, { rows: own, consumers });
      }
    const usages = [...groups].map(([name, group]) => [
      name,
      { ...sumByClass(group.rows), consumer_count: group.consumers },
    ]);
    return { ...reply, body: { usages: Object.fromEntries(usages) } };
  });
}

export const USAGE_ROUTES: Routes = {
  'GET /resource_providers/{uuid}/usages': {
    id: 'showProviderUsages',
    summary: 'What is used of a provider',
    handle: ofProvider,
  },
  'GET /usages': {
    id: 'showUsages',
    isForProjects: true,
    summary: 'What a project uses',
    since: 9,
    queryNames: ['project_id', 'user_id', 'consumer_type'],
    handle: ofProject,
  },
};
