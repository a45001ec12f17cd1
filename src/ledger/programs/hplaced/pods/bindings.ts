/** `/bindings`: which pod a tenant's next thing goes to, and where its things went. */
import { InputError } from '../../../../kit/faults.ts';
import { bind, unbind } from '../../../binding/book/bind.ts';
import { setPolicy } from '../../../binding/book/pods.ts';
import { rebind } from '../../../binding/book/rebind.ts';
import { select } from '../../../binding/book/select.ts';
import { forecastPods, forecastQueues, MS_PER_DAY } from '../../../binding/forecast/forecast.ts';
import type { Affinity } from '../../../binding/model/affinity.ts';
import type { Policy } from '../../../binding/model/policy.ts';
import { simulateDay } from '../../../binding/simulate/simulate.ts';
import { currentOfTenants, pastOf } from '../../../binding/tables/bindings.ts';
import { measuresSince } from '../../../binding/tables/changes.ts';
import { allPods, podNames } from '../../../binding/tables/pods.ts';
import { readRegistry } from '../../../binding/tables/registry.ts';
import { ApiError } from '../../../http/api-error.ts';
import { readJson } from '../../../http/json-check.ts';
import { parameter, wholeParameter } from '../../../http/query-string.ts';
import type { Reply, Request } from '../../../http/route.ts';
import { bindingJson, selectedJson } from '../../shared/binding/json.ts';
import { readEvents } from '../../shared/binding/read-events.ts';
import type { Routes, Service } from '../service/service.ts';
import {
  checkedName,
  POST_BINDING,
  POST_REBIND,
  POST_SIMULATE,
  PUT_BINDING,
  PUT_POLICY,
  settled,
} from './bodies.ts';

const USUAL_ROWS = 50;
const MOST_ROWS = 500;
const USUAL_DAYS = 30;
const MOST_DAYS = 3650;
const MS_PER_SECOND = 1000;

interface SelectBody {
  readonly tenant: string;
  readonly az?: string;
  readonly specs?: Affinity;
  readonly need?: Readonly<Record<string, number>>;
  readonly policy?: Partial<Policy>;
  readonly lastsSeconds?: number;
  readonly explain?: boolean;
  readonly dryRun?: boolean;
}

const lasts = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : Math.max(1, Math.round(seconds * MS_PER_SECOND));

async function choose({ book }: Service, request: Request): Promise<Reply> {
  const body = readJson<SelectBody>(request.body, POST_BINDING);
  const { tenant, az = '', specs = {}, need = {}, policy = {}, explain = false, dryRun = false } = body;
  const selected = await select(
    book,
    { tenant, az, specs, need },
    {
      actor: request.caller.name,
      policy,
      lastsMs: lasts(body.lastsSeconds),
      isDry: dryRun,
      explains: explain,
    },
  );
  const document = selectedJson(selected);
  if (selected.kind === 'none') throw new ApiError(409, `No pod takes ${tenant}`, { extra: { ...document } });
  return { status: selected.kind === 'kept' || dryRun ? 200 : 201, body: document };
}

/** A tenant's bindings, newest first. */
async function list({ book }: Service, request: Request): Promise<Reply> {
  const tenant = checkedName('tenant', parameter(request, 'tenant'));
  const limit = wholeParameter(request, 'limit', USUAL_ROWS, MOST_ROWS);
  const before = wholeParameter(request, 'before', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  return book.store.read(async (session) => {
    const rows = await pastOf(session, tenant, limit, before);
    const names = await podNames(session, rows);
    return {
      body: {
        tenant,
        bindings: rows.map((row) => bindingJson(row, names.get(row.podId)!)),
        next: rows.length === limit ? rows.at(-1)!.id : null,
      },
    };
  });
}

interface BindBody {
  readonly tenant: string;
  readonly pod: string;
  readonly az?: string;
  readonly specs?: Affinity;
  readonly lastsSeconds?: number;
}

async function bindByHand({ book }: Service, request: Request): Promise<Reply> {
  const { tenant, pod, az = '', specs, lastsSeconds } = readJson<BindBody>(request.body, PUT_BINDING);
  const wish = { tenant, pod, az, specs, lastsMs: lasts(lastsSeconds) };
  const bound = settled(await bind(book, request.caller.name, wish));
  return { body: { binding: bindingJson(bound.binding, bound.pod.name), isKept: bound.isKept } };
}

async function end({ book }: Service, request: Request): Promise<Reply> {
  const tenant = checkedName('tenant', parameter(request, 'tenant'));
  const ended = await unbind(book, tenant, { az: parameter(request, 'az') });
  if (ended.length === 0) throw new ApiError(404, `No binding of ${tenant} found`);
  return { status: 204 };
}

interface RebindBody {
  readonly tenants?: readonly string[];
  readonly pod?: string;
  readonly dryRun?: boolean;
}

async function rebindTenants({ book }: Service, request: Request): Promise<Reply> {
  const { tenants, pod, dryRun = false } = readJson<RebindBody>(request.body, POST_REBIND);
  const rebound = settled(await rebind(book, request.caller.name, { tenants, pod, isDry: dryRun }));
  return { body: { rebound, isDryRun: dryRun } };
}

async function showPolicy({ book }: Service): Promise<Reply> {
  const { policy, generation } = await book.store.read(readRegistry);
  return { body: { ...policy, generation } };
}

async function changePolicy(service: Service, request: Request): Promise<Reply> {
  const body = readJson<Partial<Policy>>(request.body, PUT_POLICY);
  settled(await setPolicy(service.book, request.caller.name, body));
  return showPolicy(service);
}

async function forecast({ book }: Service, request: Request): Promise<Reply> {
  const days = wholeParameter(request, 'days', USUAL_DAYS, MOST_DAYS);
  const now = book.now();
  const { pods, measures } = await book.store.read(async (session) => {
    const all = await allPods(session);
    const ids = all.map(({ id }) => id);
    return { pods: all, measures: await measuresSince(session, ids, now - days * MS_PER_DAY) };
  });
  const every = forecastPods(pods, measures, now);
  return { body: { pods: every, queues: forecastQueues(every, now) } };
}

interface SimulateBody {
  readonly events: readonly unknown[];
  readonly policy?: Partial<Policy>;
}

/** @throws {ApiError} 400 with all faults */
function eventsOf({ events }: SimulateBody): ReturnType<typeof readEvents> {
  try {
    return readEvents(JSON.stringify(events), 'events');
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const words = error.problems.map(({ field, problem }) => `events${field ?? ''}: ${problem}`);
    throw new ApiError(400, `JSON does not validate: ${words.slice(0, 10).join('\n\n')}`);
  }
}

async function simulate({ book }: Service, request: Request): Promise<Reply> {
  const body = readJson<SimulateBody>(request.body, POST_SIMULATE);
  const events = eventsOf(body);
  const tenants = new Set(events.flatMap((event) => (event.kind === 'request' ? [event.tenant] : [])));
  const { registry, pods, bindings } = await book.store.read(async (session) => {
    const present = await readRegistry(session);
    return {
      registry: present,
      pods: await book.cache.all(session, present),
      bindings: await currentOfTenants(session, [...tenants]),
    };
  });
  const policy = { ...registry.policy, ...body.policy };
  const day = simulateDay(pods, bindings, policy, registry.keys, events, book.now());
  return { body: { policy, ...day } };
}

export const BINDING_ROUTES: Routes = {
  'GET /bindings': {
    id: 'listBindings',
    summary: 'To which pods a tenant is and was bound, newest first',
    queryNames: ['tenant', 'limit', 'before'],
    handle: list,
  },
  'POST /bindings': {
    id: 'selectPod',
    summary:
      'Says which pod a request of a tenant goes to, and binds the tenant to it; 200 when it is bound there already',
    givesJson: true,
    bodySchema: POST_BINDING,
    success: 201,
    handle: choose,
  },
  'PUT /bindings': {
    id: 'bindTenant',
    summary: 'Binds a tenant to a pod by hand',
    givesJson: true,
    bodySchema: PUT_BINDING,
    handle: bindByHand,
  },
  'DELETE /bindings': {
    id: 'unbindTenant',
    summary: 'Ends the bindings of a tenant',
    queryNames: ['tenant', 'az'],
    handle: end,
  },
  'POST /bindings/rebind': {
    id: 'rebindTenants',
    summary: 'Rebinds tenants whose pods take nothing new',
    isLong: true,
    givesJson: true,
    bodySchema: POST_REBIND,
    handle: rebindTenants,
  },
  'GET /bindings/policy': {
    id: 'showPolicy',
    summary: 'The filters and weighers that choose',
    handle: showPolicy,
  },
  'PUT /bindings/policy': {
    id: 'setPolicy',
    summary: 'Changes the filters or the weighers',
    givesJson: true,
    bodySchema: PUT_POLICY,
    handle: changePolicy,
  },
  'GET /bindings/forecast': {
    id: 'forecastPods',
    summary: 'When pods reach their limits at the growth of the last days',
    isLong: true,
    queryNames: ['days'],
    handle: forecast,
  },
  'POST /bindings/simulate': {
    id: 'simulateDay',
    summary: 'Plays the requests of a day through the policy, and changes nothing',
    access: 'read',
    isLong: true,
    givesJson: true,
    bodySchema: POST_SIMULATE,
    handle: simulate,
  },
};
