/** What Placement has not, and the page lives on: whole trees, and the history. */
import type { Forest } from '../../../candidates/forest/forest.ts';
import { byName, type Provider } from '../../../candidates/forest/provider.ts';
import { keptName } from '../../../claims/model/names.ts';
import { readHistory } from '../../../claims/usage/history.ts';
import { pageOf, parameter, wholeParameter } from '../../../http/query-string.ts';
import type { Reply } from '../../../http/route.ts';
import { type Call, operation, type Routes } from '../service/service.ts';

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

/** From the root down, children by name. */
function describeTree(root: Provider): object {
  const providers: object[] = [];
  const left = [root];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    providers.push(describeProvider(one));
    for (const child of [...one.children].sort(byName).reverse()) left.push(child);
  }
  return { name: root.name, uuid: root.uuid, providers };
}

/** Trees by name behind `after`: of the providers asked for, or with one whose name has `name` in it. */
function chooseTrees(forest: Forest, call: Call, limit: number) {
  const uuids = call.query.filter(([key]) => key === 'root').map(([, value]) => value);
  if (uuids.length > 0) {
    const roots = uuids.flatMap((uuid) => forest.get(keptName(uuid))?.root ?? []);
    return { shown: [...new Set(roots)].slice(0, MOST_TREES), next: null };
  }
  const part = parameter(call, 'name') ?? '';
  const after = parameter(call, 'after') ?? '';
  const found = forest.roots.filter(
    (root) => root.name > after && forest.treeOf(root).some(({ name }) => name.includes(part)),
  );
  return pageOf(found, limit, ({ name }) => name);
}

async function trees(call: Call): Promise<Reply> {
  const limit = wholeParameter(call, 'limit', USUAL_TREES, MOST_TREES);
  const forest = await call.forest.fresh();
  const { shown, next } = chooseTrees(forest, call, limit);
  const total = { trees: forest.roots.length, providers: forest.size };
  return { body: { total, trees: shown.map(describeTree), next } };
}

async function history(call: Call): Promise<Reply> {
  const limit = wholeParameter(call, 'limit', USUAL_ROWS, MOST_ROWS);
  const before = wholeParameter(call, 'before', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  const consumer = parameter(call, 'consumer');
  const filter = { consumer: consumer && keptName(consumer), before };
  const changes = await call.read((session) => readHistory(session, filter, limit + 1));
  const { shown, next } = pageOf(changes, limit, ({ id }) => id);
  return { body: { changes: shown.map(({ request: _, reason, ...change }) => change), next } };
}

export const OWN_ROUTES: Routes = {
  '/hplaced/trees': {
    GET: operation('listTrees', 'Provider trees with what they have and what is used', trees, {
      isLong: true,
      queryNames: ['root', 'name', 'after', 'limit'],
    }),
  },
  '/hplaced/history': {
    GET: operation('listHistory', 'Changes of the ledger, newest first', history, {
      queryNames: ['before', 'consumer', 'limit'],
    }),
  },
};
