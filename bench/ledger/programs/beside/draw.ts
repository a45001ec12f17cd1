/** Requests of all kinds in a world: right ones, borderline ones and wrong ones. */
import type { Random } from '../../../generate/random.ts';
import { anyQuery, candidateQuery, providerQuery, traitQuery, usageQuery } from './queries.ts';
import { spoilt } from './spoil.ts';
import type { Asked } from './wire.ts';
import type { World } from './world.ts';

export const LATEST = 39;
const ODD_VERSIONS = [
  ...[
    'placement',
    'placement 1',
    'placement 1.40',
    'placement 2.0',
    'placement 0.1',
    'placement 1.-1',
    'placement x',
    'placement 1.5.1',
  ],
  ...[
    'compute 2.1',
    'compute 2.1, placement 1.5',
    'placement 1.5, placement 1.30',
    'PLACEMENT 1.9',
    'placement latest',
    'placement Latest',
    'latest',
  ],
  ...[
    'placement  1.30',
    'placement 01.5',
    'placement 1.05',
    'placement 1.+5',
    'placement 1. 5',
    'placement 1.1_0',
    '',
    ',',
    'placement 1.99999999999999999999',
  ],
];
const TYPES = [
  ...['application/json; charset=utf-8', 'application/json;x=y', 'APPLICATION/JSON'],
  ...['text/plain', 'application/xml', 'application/vnd.x+json', '', 'json', '*/*'],
  ...['application/json, text/plain'],
];
const ACCEPTS = [
  ...['*/*', 'application/json', 'text/plain', 'text/html', 'text/html, application/json'],
  ...['text/html;q=0.9, */*;q=0.1', 'application/*', 'application/json;q=0'],
  ...['application/json;q=0.5', 'x', '', 'application/xml'],
  ...['text/*;q=0.3, application/json;q=0.2', 'application/json; charset=utf-8'],
  ...['application/json;version=1'],
];

interface Draft {
  readonly method: string;
  readonly path: string;
  readonly query?: string;
  readonly body?: unknown;
}
type Draw = (random: Random, world: World, minor: number) => Draft;

const amountOf = (random: Random): number => random.pick([1, 1, 2, 2, 3, 4, 5, 8, 100]);

function generationOf(random: Random, known: number | undefined): number {
  const right = known ?? 0;
  return random.chance(0.95) ? right : random.pick([right + 1, right - 1, 0, 1]);
}

function inventory(random: Random): Record<string, unknown> {
  const total = random.pick([1, 2, 4, 8, 10, 16, 100, 1000, 2 ** 31 - 1]);
  const maybe = (name: string, chance: number, value: unknown) =>
    random.chance(chance) ? { [name]: value } : {};
  return {
    total,
    ...maybe('reserved', 0.3, random.pick([0, 1, total - 1, total, random.chance(0.1) ? total + 1 : 0])),
    ...maybe('min_unit', 0.3, random.pick([1, 1, 2, 3, total])),
    ...maybe('max_unit', 0.3, random.pick([1, 2, 4, total, 2 ** 31 - 1])),
    ...maybe('step_size', 0.3, random.pick([1, 2, 3, total])),
    ...maybe(
      'allocation_ratio',
      0.4,
      random.pick([
        1,
        1.5,
        16,
        0.5,
        2,
        1.0,
        0.1,
        1.25,
        0.0001,
        9999.75,
        random.chance(0.1) ? random.pick([0, -1, 3.4e38]) : 1,
      ]),
    ),
  };
}

const resources = (random: Random, world: World): Record<string, number> =>
  Object.fromEntries(
    random.sample(world.classes, random.between(1, 2)).map((name) => [name, amountOf(random)]),
  );

/** Providers that there are, mostly. */
const providers = (random: Random, world: World, most: number): string[] => {
  const known = [...world.generations.keys()];
  return random.sample(
    known.length > 0 && random.chance(0.97) ? known : world.providers,
    random.between(1, most),
  );
};
const provider = (random: Random, world: World): string => providers(random, world, 1)[0]!;

const owner = (random: Random, world: World) => ({
  project_id: random.pick(world.owners),
  user_id: random.pick(world.owners),
});

function consumerBody(
  random: Random,
  world: World,
  consumer: string,
  minor: number,
  least: number,
): Record<string, unknown> {
  const chosen = random.chance(0.1) && least === 0 ? [] : providers(random, world, 2);
  if (minor < 12)
    return {
      allocations: chosen.map((uuid) => ({
        resource_provider: { uuid },
        resources: resources(random, world),
      })),
      ...(minor >= 8 ? owner(random, world) : {}),
    };
  const known = world.consumerGenerations.get(consumer);
  const seen = random.chance(0.96) ? (known ?? null) : random.pick([null, 0, 1, 2]);
  return {
    allocations: Object.fromEntries(
      chosen.map((uuid) => [
        uuid,
        { resources: resources(random, world), ...(random.chance(0.1) ? { generation: 1 } : {}) },
      ]),
    ),
    ...owner(random, world),
    ...(minor >= 28 ? { consumer_generation: seen } : {}),
    ...(minor >= 34 && random.chance(0.2)
      ? {
          mappings: {
            [random.pick(['', '_A', '1', 'é', 'a.b'])]:
              chosen.length > 0 ? chosen : [provider(random, world)],
          },
        }
      : {}),
    ...(minor >= 38 ? { consumer_type: random.pick(world.types) } : {}),
  };
}

const consumersBody = (random: Random, world: World, minor: number, most: number): Record<string, unknown> =>
  Object.fromEntries(
    random
      .sample(world.consumers, random.between(1, most))
      .map((one) => [one, consumerBody(random, world, one, Math.max(minor, 12), 0)]),
  );

const stockOf = (random: Random, world: World) =>
  Object.fromEntries(
    random.sample(world.classes, random.between(0, 4)).map((name) => [name, inventory(random)]),
  );

const inventories = (random: Random, world: World, uuid: string) => ({
  resource_provider_generation: generationOf(random, world.generations.get(uuid)),
  inventories: stockOf(random, world),
});

const at = (uuid: string, part = ''): string => `/resource_providers/${uuid}${part}`;
const parent = (random: Random, world: World, minor: number) =>
  (minor >= 14 || random.chance(0.03)) && random.chance(0.6)
    ? { parent_provider_uuid: random.chance(0.2) ? null : provider(random, world) }
    : {};

const get = (path: string, query = ''): Draft => ({ method: 'GET', path, query });
const put = (path: string, body?: unknown): Draft => ({ method: 'PUT', path, body });
const post = (path: string, body: unknown): Draft => ({ method: 'POST', path, body });
const remove = (path: string): Draft => ({ method: 'DELETE', path });

/** A part of some provider. */
const getPart =
  (part: string): Draw =>
  (r, w) =>
    get(at(provider(r, w), part));
/** The same, of whose body the generation of the provider is a part. */
const putPart =
  (
    part: string | ((random: Random, world: World) => string),
    make: (random: Random, world: World) => object,
  ): Draw =>
  (r, w) => {
    const uuid = provider(r, w);
    const body = { ...make(r, w), resource_provider_generation: generationOf(r, w.generations.get(uuid)) };
    return put(at(uuid, typeof part === 'string' ? part : part(r, w)), body);
  };
const classPart = (r: Random, w: World): string => `/inventories/${r.pick(w.classes)}`;
const className = (r: Random, w: World): string => r.pick([...w.classes, 'CUSTOM_NEW']);
const traitName = (r: Random, w: World): string => r.pick([...w.traits, 'CUSTOM_NEW']);

const postProvider: Draw = (r, w, minor) => {
  const uuid = r.chance(0.9) ? { uuid: r.pick(w.providers) } : {};
  return post('/resource_providers', { name: r.pick(w.names), ...uuid, ...parent(r, w, minor) });
};
const postInventory: Draw = (r, w) => {
  const uuid = provider(r, w);
  const seen = r.chance(0.2)
    ? { resource_provider_generation: generationOf(r, w.generations.get(uuid)) }
    : {};
  return post(at(uuid, '/inventories'), { resource_class: r.pick(w.classes), ...inventory(r), ...seen });
};
const putAggregates: Draw = (r, w, minor) => {
  const aggregates = r.sample(w.aggregates, r.below(4));
  if (minor < 19) return put(at(provider(r, w), '/aggregates'), aggregates);
  return putPart('/aggregates', () => ({ aggregates }))(r, w, minor);
};
const putAllocations: Draw = (r, w, minor) => {
  const consumer = r.pick(w.consumers);
  return put(`/allocations/${consumer}`, consumerBody(r, w, consumer, minor, minor < 28 ? 1 : 0));
};
const reshape: Draw = (r, w, minor) => {
  const shapes = providers(r, w, 2).map((uuid) => [uuid, inventories(r, w, uuid)]);
  const allocations = r.chance(0.4) ? {} : consumersBody(r, w, Math.max(28, minor), 2);
  return post('/reshaper', { inventories: Object.fromEntries(shapes), allocations });
};

/** What is drawn, and how often. */
const KINDS: readonly (readonly [weight: number, draw: Draw])[] = [
  [1, () => get('/')],
  [8, postProvider],
  [5, (r, w) => get('/resource_providers', providerQuery(r, w))],
  [2, (r, w) => get(at(provider(r, w)), anyQuery(r, w))],
  [3, (r, w, minor) => put(at(provider(r, w)), { name: r.pick(w.names), ...parent(r, w, minor) })],
  [2, (r, w) => remove(at(provider(r, w)))],
  [2, getPart('/inventories')],
  [6, putPart('/inventories', (r, w) => ({ inventories: stockOf(r, w) }))],
  [4, postInventory],
  [1, (r, w) => remove(at(provider(r, w), '/inventories'))],
  [2, (r, w) => get(at(provider(r, w), classPart(r, w)))],
  [4, putPart(classPart, inventory)],
  [2, (r, w) => remove(at(provider(r, w), classPart(r, w)))],
  [2, getPart('/usages')],
  [2, getPart('/aggregates')],
  [4, putAggregates],
  [2, getPart('/allocations')],
  [2, getPart('/traits')],
  [4, putPart('/traits', (r, w) => ({ traits: r.sample(w.traits, r.below(4)) }))],
  [1, (r, w) => remove(at(provider(r, w), '/traits'))],
  [3, (r, w) => get(`/allocations/${r.pick(w.consumers)}`)],
  [12, putAllocations],
  [2, (r, w) => remove(`/allocations/${r.pick(w.consumers)}`)],
  [6, (r, w, minor) => post('/allocations', consumersBody(r, w, minor, 3))],
  [12, (r, w, minor) => get('/allocation_candidates', candidateQuery(r, w, minor))],
  [4, (r, w) => get('/usages', usageQuery(r, w))],
  [1, () => get('/resource_classes')],
  [3, (r, w) => post('/resource_classes', { name: className(r, w) })],
  [1, (r, w) => get(`/resource_classes/${r.pick(w.classes)}`)],
  [
    3,
    (r, w, minor) =>
      put(`/resource_classes/${className(r, w)}`, minor < 7 ? { name: className(r, w) } : undefined),
  ],
  [1, (r, w) => remove(`/resource_classes/${className(r, w)}`)],
  [3, (r, w) => get('/traits', traitQuery(r, w))],
  [1, (r, w) => get(`/traits/${r.pick(w.traits)}`)],
  [3, (r, w) => put(`/traits/${traitName(r, w)}`)],
  [1, (r, w) => remove(`/traits/${traitName(r, w)}`)],
  [4, reshape],
];
const DRAWS = KINDS.flatMap(([weight, one]) => Array<Draw>(weight).fill(one));

const SEGMENT_TRICKS = [
  ...['%20', '%2F', '%00', '%ff', '%zz', '%e9', '%C3%A9', 'x', '.', '..', '%2e%2e', '_', '%0a'],
  ...['%09', ';a=b', '*', '%25'],
];

/** A path that is nearly one of the interface. */
function spoiltPath(random: Random, path: string): string {
  switch (random.below(9)) {
    case 0:
      return `${path}/`;
    case 1:
      return path.replace('/', '//');
    case 2:
      return path.toUpperCase();
    case 3:
      return path + random.pick(SEGMENT_TRICKS);
    case 4:
      return path.replace(
        /[^/]+$/,
        random.pick([
          ...SEGMENT_TRICKS,
          'VCPU',
          'CUSTOM_%C3%84',
          'custom_a',
          '5e0dfd0b-1a0b-4d5b-9c62-51d5ac2a0d11',
        ]),
      );
    case 5:
      return `${path}/x`;
    case 6:
      return path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, (uuid) =>
        random.pick([
          uuid.toUpperCase(),
          uuid.replaceAll('-', ''),
          `{${uuid}}`,
          `urn:uuid:${uuid}`,
          `${uuid}%0a`,
          `${uuid}%20`,
        ]),
      );
    case 7:
      return path.replace(/[a-zA-Z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
    default:
      return path.replace(/^\/./, '/');
  }
}

const routeOf = (path: string): string =>
  path
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/gi, 'U')
    .replace(/(inventories|traits|resource_classes)\/.+/, '$1/N');

export function draw(random: Random, world: World): Asked {
  const minor = random.chance(0.4) ? LATEST : random.below(LATEST + 1);
  const draft = random.pick(DRAWS)(random, world, minor);
  let { method, path } = draft;
  let body = draft.body === undefined ? undefined : JSON.stringify(draft.body);
  const headers: Record<string, string> = { 'x-auth-token': 'admin' };
  if (minor > 0 || random.chance(0.5)) headers['openstack-api-version'] = `placement 1.${minor}`;
  if (body !== undefined) headers['content-type'] = 'application/json';
  const route = `${method} ${routeOf(path)}`;
  if (draft.body !== undefined && random.chance(0.25)) body = spoilt(random, draft.body);
  if (random.chance(0.02)) path = spoiltPath(random, path);
  if (random.chance(0.01))
    method = random.pick(['HEAD', 'OPTIONS', 'PATCH', 'GET', 'PUT', 'POST', 'DELETE', 'TRACE', 'PROPFIND']);
  if (random.chance(0.02)) headers['openstack-api-version'] = random.pick(ODD_VERSIONS);
  if (random.chance(0.02)) headers['content-type'] = random.pick(TYPES);
  if (random.chance(0.01)) delete headers['content-type'];
  if (random.chance(0.03)) headers.accept = random.pick(ACCEPTS);
  if (random.chance(0.005)) delete headers['x-auth-token'];
  if (random.chance(0.005)) headers['x-auth-token'] = random.pick(['user', 'admin:p']);
  return {
    method,
    target: path + (draft.query ?? ''),
    route,
    headers,
    ...(body === undefined ? {} : { body }),
    minor,
  };
}

/** Makes a few providers that have something. */
export function* beginning(random: Random, world: World): Generator<Asked> {
  const headers = {
    'x-auth-token': 'admin',
    'openstack-api-version': `placement 1.${LATEST}`,
    'content-type': 'application/json',
  };
  const made: string[] = [];
  const send = (method: string, target: string, body: unknown): Asked => ({
    minor: LATEST,
    method,
    target,
    route: 'set up',
    headers,
    body: JSON.stringify(body),
  });
  for (const uuid of world.providers.slice(0, random.below(6))) {
    const above = made.length > 0 && random.chance(0.6) ? { parent_provider_uuid: random.pick(made) } : {};
    yield send('POST', '/resource_providers', { uuid, name: `${uuid.slice(0, 4)}`, ...above });
    made.push(uuid);
    const stock = Object.fromEntries(
      random
        .sample(world.classes, 4)
        .map((name) => [
          name,
          { total: random.pick([4, 16, 100]), ...(random.chance(0.2) ? { allocation_ratio: 1.5 } : {}) },
        ]),
    );
    yield send('PUT', at(uuid, '/inventories'), { resource_provider_generation: 0, inventories: stock });
    if (random.chance(0.5))
      yield send('PUT', at(uuid, '/aggregates'), {
        aggregates: random.sample(world.aggregates, random.between(1, 2)),
        resource_provider_generation: 1,
      });
    else if (random.chance(0.6))
      yield send('PUT', at(uuid, '/traits'), {
        traits: random.sample(world.traits, random.between(1, 2)),
        resource_provider_generation: 1,
      });
  }
}
