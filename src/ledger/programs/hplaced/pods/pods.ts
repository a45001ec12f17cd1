/** `/pods`: what there is to be bound to. */
import { endMaintenance, startMaintenance } from '../../../binding/book/maintenance.ts';
import { addPod, type PodChanges, removePod, setPod } from '../../../binding/book/pods.ts';
import { refreshUsage } from '../../../binding/book/usage.ts';
import type { Limits } from '../../../binding/model/limits.ts';
import type { Pod } from '../../../binding/model/pod.ts';
import { currentIn, tenantCounts } from '../../../binding/tables/bindings.ts';
import { podByName } from '../../../binding/tables/pods.ts';
import { readRegistry } from '../../../binding/tables/registry.ts';
import { ApiError } from '../../../http/api-error.ts';
import { readJson } from '../../../http/json-check.ts';
import { parameter, wholeParameter } from '../../../http/query-string.ts';
import type { Reply, Request } from '../../../http/route.ts';
import { bindingJson, podJson } from '../../shared/binding/json.ts';
import type { Routes, Service } from '../service/service.ts';
import {
  checkedUsage,
  limitsWith,
  POST_POD,
  PUT_MAINTENANCE,
  PUT_POD,
  PUT_USAGE,
  settled,
} from './bodies.ts';

const USUAL_PODS = 100;
const MOST_PODS = 1000;
const USUAL_TENANTS = 50;
const MOST_TENANTS = 1000;

type PodBody = Omit<PodChanges, 'limits'> & { readonly limits?: Partial<Limits> };

const fieldsOf = ({ limits, ...fields }: PodBody, before?: Limits): PodChanges => ({
  ...fields,
  ...(limits === undefined ? {} : { limits: limitsWith(before, limits) }),
});

/** Pods in their order: those whose name has `name` in it, of the zone `az`, behind the pod `after`. */
async function list({ book }: Service, request: Request): Promise<Reply> {
  const limit = wholeParameter(request, 'limit', USUAL_PODS, MOST_PODS);
  const [name = '', az, after] = ['name', 'az', 'after'].map((key) => parameter(request, key));
  return book.store.read(async (session) => {
    const registry = await readRegistry(session);
    const all = await book.cache.all(session, registry);
    const start = after === undefined ? 0 : all.findIndex((pod) => pod.name === after) + 1;
    if (after !== undefined && start === 0) throw new ApiError(400, `after: No pod ${after} found`);
    const found = all
      .slice(start)
      .filter((pod) => pod.name.includes(name) && (az === undefined || pod.az === az));
    const shown = found.slice(0, limit);
    const counts = await tenantCounts(
      session,
      shown.map(({ id }) => id),
    );
    return {
      body: {
        total: all.length,
        generation: registry.generation,
        policy: registry.policy,
        pods: shown.map((pod) => podJson(pod, counts.get(pod.id) ?? 0)),
        next: found.length > shown.length ? shown.at(-1)!.name : null,
      },
    };
  });
}

async function show({ book }: Service, request: Request): Promise<Reply> {
  const limit = wholeParameter(request, 'limit', USUAL_TENANTS, MOST_TENANTS);
  const after =
    parameter(request, 'after') === undefined
      ? 0
      : wholeParameter(request, 'after', 1, Number.MAX_SAFE_INTEGER);
  return book.store.read(async (session) => {
    const pod = await podByName(session, request.path.pod!);
    if (!pod) throw new ApiError(404, `No pod ${request.path.pod} found`);
    const bindings = await currentIn(session, pod.id, after, limit + 1);
    const count = (await tenantCounts(session, [pod.id])).get(pod.id) ?? 0;
    const shown = bindings.slice(0, limit);
    return {
      body: {
        ...podJson(pod, count),
        bindings: shown.map((binding) => bindingJson(binding, pod.name)),
        next: bindings.length > limit ? shown.at(-1)!.id : null,
      },
    };
  });
}

const reply = (pod: Pod, status = 200): Reply => ({
  status,
  body: podJson(pod),
  ...(status === 201 ? { location: `/pods/${encodeURIComponent(pod.name)}` } : {}),
});

async function add({ book }: Service, request: Request): Promise<Reply> {
  const { name, ...body } = readJson<PodBody & { readonly name: string }>(request.body, POST_POD);
  return reply(settled(await addPod(book, request.caller.name, { ...fieldsOf(body), name })), 201);
}

async function set({ book }: Service, request: Request): Promise<Reply> {
  const body = readJson<PodBody>(request.body, PUT_POD);
  const { pod } = request.path;
  return reply(
    settled(await setPod(book, request.caller.name, pod!, ({ limits }) => fieldsOf(body, limits))),
  );
}

async function remove({ book }: Service, request: Request): Promise<Reply> {
  settled(await removePod(book, request.caller.name, request.path.pod!));
  return { status: 204 };
}

async function setUsage({ book }: Service, request: Request): Promise<Reply> {
  const { usage } = readJson<{ readonly usage: unknown }>(request.body, PUT_USAGE);
  const readings = [{ pod: request.path.pod!, usage: checkedUsage(usage) }];
  return reply(settled(await refreshUsage(book, request.caller.name, readings))[0]!.after);
}

interface MaintenanceBody {
  readonly maintenance: boolean;
  readonly rebind?: boolean;
  readonly return?: boolean;
}

async function maintain({ book }: Service, request: Request): Promise<Reply> {
  const body = readJson<MaintenanceBody>(request.body, PUT_MAINTENANCE);
  const [wrong, fits] = body.maintenance ? [body.return, 'false'] : [body.rebind, 'true'];
  if (wrong)
    throw new ApiError(
      400,
      `JSON does not validate: '${body.maintenance ? 'return' : 'rebind'}' goes with maintenance ${fits}`,
    );
  const { name } = request.caller;
  const { pod, rebound } = settled(
    body.maintenance
      ? await startMaintenance(book, name, request.path.pod!, body.rebind ?? false)
      : await endMaintenance(book, name, request.path.pod!, body.return ?? false),
  );
  return { body: { ...podJson(pod), rebound } };
}

export const POD_ROUTES: Routes = {
  'GET /pods': {
    id: 'listPods',
    summary: 'Pods in their order, with what is used and how many tenants they have',
    queryNames: ['name', 'az', 'after', 'limit'],
    handle: list,
  },
  'POST /pods': {
    id: 'addPod',
    summary: 'Makes a pod, the last in the queue',
    givesJson: true,
    bodySchema: POST_POD,
    success: 201,
    handle: add,
  },
  'GET /pods/{pod}': {
    id: 'showPod',
    summary: 'A pod with its tenants',
    queryNames: ['after', 'limit'],
    handle: show,
  },
  'PUT /pods/{pod}': {
    id: 'setPod',
    summary: 'Changes a pod; what is not named stays',
    givesJson: true,
    bodySchema: PUT_POD,
    handle: set,
  },
  'DELETE /pods/{pod}': {
    id: 'removePod',
    summary: 'Removes a pod to which nobody was ever bound',
    handle: remove,
  },
  'PUT /pods/{pod}/usage': {
    id: 'setPodUsage',
    summary: 'A new reading of what is used of a pod; null: not measured',
    givesJson: true,
    bodySchema: PUT_USAGE,
    handle: setUsage,
  },
  'PUT /pods/{pod}/maintenance': {
    id: 'maintainPod',
    summary: 'Begins the maintenance of a pod, or ends it',
    givesJson: true,
    bodySchema: PUT_MAINTENANCE,
    handle: maintain,
  },
};
