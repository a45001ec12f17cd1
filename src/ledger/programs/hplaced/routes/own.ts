/**
 * What Placement has not: whole trees at once, the history of changes, and why a query has no candidate. The
 * page lives on these.
 */
import type { Forest } from '../../../candidates/forest/forest.ts';
import type { Provider } from '../../../candidates/forest/provider.ts';
import { explainNone } from '../../../candidates/misses/explain.ts';
import { dialectOf, FULL_DIALECT } from '../../../candidates/request/dialect.ts';
import { parameter, wholeParameter } from '../../../http/parameters.ts';
import type { Reply, Request, Route } from '../../../http/route.ts';
import type { Session, SqlValue } from '../../../store/store.ts';
import type { Service } from '../service/service.ts';
import { readCandidateRequest } from './candidates.ts';

const MOST_TREES = 100;
const USUAL_TREES = 20;
const MOST_ROWS = 500;
const USUAL_ROWS = 50;

const describeProvider = (provider: Provider): object => ({
  uuid: provider.uuid,
  name: provider.name,
  parent: provider.parent?.uuid ?? null,
  depth: provider.path.length - 1,
  traits: [...provider.traits].sort(),
  aggregates: [...provider.aggregates].sort(),
  resources: Object.fromEntries(
    [...provider.rooms].map(([name, { capacity, used }]) => [name, { capacity, used }]),
  ),
});

/** A tree from the root down, children by name. */
function* downwards(provider: Provider): Generator<Provider> {
  yield provider;
  for (const child of [...provider.children].sort((a, b) => (a.name < b.name ? -1 : 1)))
    yield* downwards(child);
}

const describeTree = (root: Provider): object => ({
  name: root.name,
  uuid: root.uuid,
  providers: [...downwards(root)].map(describeProvider),
});

/**
 * Trees by name: those of the providers asked for, or those with a provider whose name has `name` in it,
 * behind `after`.
 */
function chooseTrees(
  forest: Forest,
  request: Request,
  limit: number,
): { readonly roots: Provider[]; readonly isMore: boolean } {
  const uuids = request.query.filter(([key]) => key === 'root').map(([, value]) => value);
  if (uuids.length > 0) {
    const roots = uuids.flatMap((uuid) => forest.get(uuid)?.root ?? []);
    return { roots: [...new Set(roots)].slice(0, MOST_TREES), isMore: false };
  }
  const part = parameter(request, 'name') ?? '';
  const after = parameter(request, 'after') ?? '';
  const roots: Provider[] = [];
  for (const root of forest.roots) {
    if (root.name <= after || !forest.treeOf(root).some(({ name }) => name.includes(part))) continue;
    if (roots.length === limit) return { roots, isMore: true };
    roots.push(root);
  }
  return { roots, isMore: false };
}

async function trees(service: Service, request: Request): Promise<Reply> {
  const limit = wholeParameter(request, 'limit', USUAL_TREES, MOST_TREES);
  const forest = await service.forest.fresh();
  const { roots, isMore } = chooseTrees(forest, request, limit);
  return {
    status: 200,
    body: {
      total: { trees: forest.roots.length, providers: forest.size },
      trees: roots.map(describeTree),
      next: isMore ? roots.at(-1)!.name : null,
    },
  };
}

interface HistoryRow {
  readonly id: number;
  readonly at: number;
  readonly actor: string;
  readonly action: string;
  readonly provider: string | null;
  readonly generation: number | null;
  readonly consumer: string | null;
  readonly project: string | null;
  readonly before: string | null;
  readonly after: string | null;
}

function historyRows(session: Session, request: Request, limit: number): Promise<readonly HistoryRow[]> {
  const conditions: string[] = ['id < ?'];
  const values: SqlValue[] = [
    wholeParameter(request, 'before', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  ];
  const consumer = parameter(request, 'consumer');
  if (consumer !== undefined) {
    conditions.push('consumer = ?');
    values.push(consumer);
  }
  return session.all<HistoryRow>(
    `SELECT id, at, actor, action, provider_name AS provider, generation, consumer, project, before, after
     FROM history WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT ${limit}`,
    values,
  );
}

const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text));

async function history({ ledger }: Service, request: Request): Promise<Reply> {
  const limit = wholeParameter(request, 'limit', USUAL_ROWS, MOST_ROWS);
  const rows = await ledger.store.read((session) => historyRows(session, request, limit));
  return {
    status: 200,
    body: {
      changes: rows.map((row) => ({
        ...row,
        at: new Date(row.at).toISOString(),
        before: parsed(row.before),
        after: parsed(row.after),
      })),
      next: rows.length === limit ? rows.at(-1)!.id : null,
    },
  };
}

async function explain(service: Service, request: Request): Promise<Reply> {
  const dialect = service.mostMinor > service.latestMinor ? FULL_DIALECT : dialectOf(service.latestMinor);
  const wanted = await readCandidateRequest(service, request, dialect);
  const forest = await service.forest.fresh();
  return { status: 200, body: explainNone(forest, wanted, { stepRule: service.stepMode }) };
}

export const ownRoutes = (service: Service): readonly Route[] => [
  {
    path: '/hplaced/trees',
    operations: {
      GET: {
        id: 'listTrees',
        summary: 'Provider trees with what they have and what is used',
        since: 0,
        access: 'read',
        isLong: true,
        givesJson: true,
        queryNames: ['root', 'name', 'after', 'limit'],
        success: 200,
        handle: (request) => trees(service, request),
      },
    },
  },
  {
    path: '/hplaced/history',
    operations: {
      GET: {
        id: 'listHistory',
        summary: 'Changes of the ledger, newest first',
        since: 0,
        access: 'read',
        givesJson: true,
        queryNames: ['before', 'consumer', 'limit'],
        success: 200,
        handle: (request) => history(service, request),
      },
    },
  },
  {
    path: '/hplaced/explain',
    operations: {
      GET: {
        id: 'explainCandidates',
        summary: 'Why a candidate query has no answer, and what would bring one',
        since: 0,
        access: 'read',
        isLong: true,
        givesJson: true,
        queryNames: [
          'resources',
          'required',
          'member_of',
          'in_tree',
          'same_subtree',
          'root_required',
          'group_policy',
        ],
        success: 200,
        handle: (request) => explain(service, request),
      },
    },
  },
];
