/**
 * hplaced and a real Placement, asked the same at random: all routes and microversions, right, borderline and
 * wrong.
 *
 *   npm run compare -- requests [--stories 200] [--length 60] [--seed 1] [--store sqlite|postgres]
 *
 * Debian's python3-placement, mariadb-server, python3-pymysql and uwsgi-plugin-python3 are needed. A story is
 * a sequence of requests about some providers and consumers; after each change all that both hold of them
 * must be the same. A story ends where the two differ in what they hold. On PostgreSQL there are two
 * services, asked in turn. Prints one JSON line; ends with status 1 when there is a difference that
 * docs/reference/differences.md does not have.
 */
import { join } from 'node:path';
import { readArguments, refuse } from '../../../arguments.ts';
import { Random } from '../../../generate/random.ts';
import { MariaDb, RealPlacement } from '../../moving/real-placement.ts';
import { LedgerServices, STORES, type StoreName } from '../hplaced/ledger-services.ts';
import { type CrowdResult, crowd } from './crowd.ts';
import { difference, pathOf } from './differences.ts';
import { beginning, draw, LATEST } from './draw.ts';
import { knownDifference } from './known.ts';
import { type Answered, type Asked, ask } from './wire.ts';
import { newUuid, newWorld, type World } from './world.ts';

const USAGE = `usage: npm run compare -- requests [--stories N] [--length N] [--seed S] [--store ${STORES.join('|')}] [--story K]`;
const { values } = readArguments(USAGE, {
  stories: { type: 'string', default: '200' },
  length: { type: 'string', default: '60' },
  seed: { type: 'string', default: '1' },
  store: { type: 'string', default: 'sqlite' },
  story: { type: 'string' },
});
if (!STORES.includes(values.store as StoreName)) refuse(USAGE, `There is no store '${values.store}'`);

const all = await LedgerServices.on(values.store as StoreName);
const mariadb = await MariaDb.start(join(all.folder, 'mariadb'));
const placement = await RealPlacement.start(
  join(all.folder, 'placement'),
  mariadb.database('placement', 'utf8mb4_nopad_bin'),
);
await all.start([]);
const urls = all.services.map(({ url }) => url);

/** Of each of several clients at once. */
const CROWD_REQUESTS = 100;
const crowds: Record<string, CrowdResult> = {};

const count = { requests: 0, changes: 0, broken: 0 };
const statuses: Record<string, number> = {};
const known: Record<string, number> = {};
const found = new Map<string, { times: number; first: string }>();

/** Without the UUID of a provider that the server itself gave it. */
function masked(asked: Asked, answer: Answered): Answered {
  const uuid = /^\/resource_providers\/(.{36})$/.exec(pathOf(answer.headers.location) ?? '')?.[1];
  if (uuid === undefined || asked.body?.replaceAll('-', '').toLowerCase().includes(uuid.replaceAll('-', '')))
    return answer;
  isNameless = true;
  const hide = (text: string): string => text.replaceAll(uuid, 'NEW');
  return {
    ...answer,
    text: hide(answer.text),
    headers: { ...answer.headers, location: hide(answer.headers.location!) },
  };
}
/** Whether each has a provider that the other names otherwise. */
let isNameless = false;

interface Step {
  readonly ours: Answered;
  readonly theirs: Answered;
  /** Whether both answered alike, or known to differ. */
  readonly isAlike: boolean;
}

/** What the last change of a story was known to differ in. */
let lastKnown: string | undefined;

async function both(asked: Asked, place: string): Promise<Step> {
  const [ours, theirs] = await Promise.all([
    ask(urls[count.requests++ % urls.length]!, asked),
    ask(placement.url, asked),
  ]);
  statuses[theirs.status] = (statuses[theirs.status] ?? 0) + 1;
  const one = difference(asked, masked(asked, ours), masked(asked, theirs));
  if (!one) return { ours, theirs, isAlike: true };
  const why = lastKnown ?? knownDifference(asked, ours, theirs, one);
  if (asked.method !== 'GET' && ours.status !== theirs.status) lastKnown = why;
  if (why !== undefined) known[why] = (known[why] ?? 0) + 1;
  else {
    const before = found.get(one.what);
    if (before) before.times++;
    else {
      const { method, target, headers, body } = asked;
      found.set(one.what, {
        times: 1,
        first: `${place}: ${method} ${target} ${JSON.stringify(headers)}\n    ${body ?? ''}\n    here: ${one.shown}`,
      });
    }
  }
  return { ours, theirs, isAlike: false };
}

const look = (path: string): Asked => ({
  minor: LATEST,
  method: 'GET',
  target: path,
  route: `look ${path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, 'U')}`,
  headers: { 'x-auth-token': 'admin', 'openstack-api-version': `placement 1.${LATEST}` },
});

/** Compares what both hold. @returns whether it is the same */
async function compareState(world: World, parts: readonly string[], place: string): Promise<boolean> {
  const list = await both(look('/resource_providers'), place);
  world.generations.clear();
  for (const { uuid, generation } of JSON.parse(list.theirs.text).resource_providers)
    world.generations.set(uuid, generation);
  world.consumerGenerations.clear();
  let isSame = list.isAlike;
  for (const uuid of world.generations.keys())
    for (const part of parts) {
      if (!isSame) return false;
      const step = await both(look(`/resource_providers/${uuid}/${part}`), place);
      isSame = step.isAlike;
      if (part === 'allocations' && step.theirs.status === 200)
        for (const [consumer, one] of Object.entries(JSON.parse(step.theirs.text).allocations))
          world.consumerGenerations.set(
            consumer,
            (one as { consumer_generation: number }).consumer_generation,
          );
    }
  return isSame;
}

/** Removes all that a story has made. */
async function clear(url: string): Promise<void> {
  const call = (method: string, target: string) => ask(url, { ...look(target), method });
  const list = async (path: string, member: string) =>
    JSON.parse((await call('GET', path)).text)[member] as { uuid: string; name: string }[];
  const providers = await list('/resource_providers', 'resource_providers');
  for (const { uuid } of providers) {
    const { allocations } = JSON.parse((await call('GET', `/resource_providers/${uuid}/allocations`)).text);
    for (const consumer of Object.keys(allocations)) await call('DELETE', `/allocations/${consumer}`);
  }
  for (let left = providers; left.length > 0; left = await list('/resource_providers', 'resource_providers'))
    for (const { uuid } of left) await call('DELETE', `/resource_providers/${uuid}`);
  for (const { name } of await list('/resource_classes', 'resource_classes'))
    if (name.startsWith('CUSTOM_')) await call('DELETE', `/resource_classes/${encodeURIComponent(name)}`);
  const traits = JSON.parse((await call('GET', '/traits?name=startswith:CUSTOM_')).text).traits as string[];
  for (const name of traits) await call('DELETE', `/traits/${encodeURIComponent(name)}`);
}

const put = (target: string): Asked => ({ ...look(target), method: 'PUT', route: 'set up' });

async function tell(n: number): Promise<void> {
  const random = new Random(Number(values.seed) * 1_000_003 + n, 'requests');
  const world = newWorld(random);
  isNameless = false;
  lastKnown = undefined;
  for (const name of ['CUSTOM_VF', 'CUSTOM_GOLD'])
    if (random.chance(0.9)) await both(put(`/resource_classes/${name}`), `${n}`);
  for (const name of ['CUSTOM_A', 'CUSTOM_B'])
    if (random.chance(0.9)) await both(put(`/traits/${name}`), `${n}`);
  for (const asked of beginning(random, world)) await both(asked, `${n}`);
  await compareState(world, [], `${n}`);
  for (let k = 0; k < Number(values.length); k++) {
    const place = `--story ${n}, ${k}`;
    const asked = draw(random, world);
    if (values.story !== undefined)
      console.error(
        `${k}: ${asked.method} ${asked.target} ${asked.headers['openstack-api-version']} ${asked.body ?? ''}`,
      );
    const { ours, theirs } = await both(asked, place);
    if (values.story !== undefined)
      console.error(
        `    ${ours.status} ${ours.text.slice(0, 300)}\n    ${theirs.status} ${theirs.text.slice(0, 300)}`,
      );
    if (asked.method === 'GET') continue;
    if (isNameless) return;
    if (ours.status < 300 || theirs.status < 300) count.changes++;
    const isSame = await compareState(
      world,
      /alloc|reshape/.test(asked.target) ? ['allocations'] : [],
      place,
    );
    if (!isSame || ours.status !== theirs.status) {
      count.broken++;
      return;
    }
    // Placement keeps consumers that have nothing, which is known: they are not asked for again.
    world.consumers.forEach((consumer, c) => {
      if (asked.target.includes(consumer) || asked.body?.includes(consumer))
        if (!world.consumerGenerations.has(consumer)) world.consumers[c] = newUuid(random);
    });
  }
  await compareState(
    world,
    ['inventories', 'usages', 'traits', 'aggregates', 'allocations'],
    `--story ${n}, end`,
  );
  const owned = world.owners.map((owner) => `/usages?project_id=${encodeURIComponent(owner)}`);
  const held = world.consumers.map((consumer) => `/allocations/${consumer}`);
  for (const target of [...owned, ...held]) await both(look(target), `--story ${n}, end`);
}

/** Of our services' logs, ends and ledger. */
let problems: readonly string[];
try {
  const only = values.story;
  const numbers =
    only === undefined ? Array.from({ length: Number(values.stories) }, (_, n) => n) : [Number(only)];
  for (const n of numbers) {
    await tell(n);
    await Promise.all([clear(urls[0]!), clear(placement.url)]);
  }
  if (only === undefined)
    for (const [name, served] of Object.entries({ hplaced: urls, placement: [placement.url] })) {
      crowds[name] = await crowd(served, Number(values.seed), CROWD_REQUESTS);
      await clear(served[0]!);
    }
} finally {
  await placement.stop();
  mariadb.stop();
  problems = await all.end();
}
for (const trouble of crowds.hplaced?.troubles ?? [])
  found.set(`several clients: ${trouble}`, { times: 1, first: '' });
for (const problem of problems) found.set(problem.slice(0, 2000), { times: 1, first: '' });
for (const [what, { times, first }] of found) console.error(`${times} x ${what}\n    ${first}`);
console.log(
  JSON.stringify({
    name: 'compare-requests',
    store: values.store,
    seed: Number(values.seed),
    ...count,
    statuses,
    known,
    crowds,
    different: found.size,
  }),
);
process.exit(found.size > 0 ? 1 : 0);
