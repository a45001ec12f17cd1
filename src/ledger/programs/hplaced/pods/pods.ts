/** `/pods`: what there is to be bound to. */
import { endMaintenance, startMaintenance } from '../../../binding/book/maintenance.ts';
import { addPod, limitsOver, type PodChanges, removePod, setPod } from '../../../binding/book/pods.ts';
import { refreshUsage } from '../../../binding/book/usage.ts';
import { type Limit, type Limits, USUAL_LIMITS } from '../../../binding/model/limits.ts';
import type { Pod } from '../../../binding/model/pod.ts';
import { type Usage, usageProblems } from '../../../binding/model/usage.ts';
import { currentIn } from '../../../binding/tables/bindings.ts';
import { podByName } from '../../../binding/tables/pods.ts';
import { readRegistry } from '../../../binding/tables/registry.ts';
import { ApiError, badBody, badRequest } from '../../../http/api-error.ts';
import type { FormOf, JsonSchema } from '../../../http/json-check.ts';
import { pageOf, parameter, wholeParameter } from '../../../http/query-string.ts';
import type { Reply } from '../../../http/route.ts';
import { bindingJson, podJson, podsJson } from '../../shared/binding/json.ts';
import { FLAG, NAME, record } from '../protocol/forms.ts';
import { type Call, type CallWith, operation, type Routes } from '../service/service.ts';
import { AMOUNT, change, named, SIGNED, settled, some, ZONE } from './forms.ts';

const USUAL_PODS = 100;
const MOST_PODS = 1000;
const USUAL_TENANTS = 50;
const MOST_TENANTS = 1000;

const FIGURE: JsonSchema<number | null> = { ...SIGNED, type: ['number', 'null'] };
const STATE: JsonSchema<Pod['state']> = { type: 'string', pattern: '^(open|closed)$' };
const SHARE = { ...AMOUNT, maximum: 1 };
const LIMIT: JsonSchema<Limit> = {
  anyOf: [
    record({ share: { ...SHARE, exclusiveMinimum: 0 } }, ['share']),
    record({ free: AMOUNT }, ['free']),
  ],
};
const REOPEN: JsonSchema<number | null> = { anyOf: [SHARE, { type: 'null' }] };
const POD_FIELDS = {
  az: ZONE,
  affinity: named(NAME),
  weight: FIGURE,
  cost: FIGURE,
  state: STATE,
  limits: record({ metrics: named(LIMIT), reopen: REOPEN }),
};
const POST_POD = record({ name: NAME, ...POD_FIELDS }, ['name']);
const PUT_POD = some(record(POD_FIELDS));
/** What it is made of is looked at by `checkedUsage`. */
const USAGE: JsonSchema<unknown> = { type: ['object', 'null'] };
const PUT_USAGE = record({ usage: USAGE }, ['usage']);
const PUT_MAINTENANCE = record({ maintenance: FLAG, rebind: FLAG, return: FLAG }, ['maintenance']);

/** The fields with their limits whole. */
function fieldsOf({ limits, ...fields }: FormOf<typeof PUT_POD>, before: Limits = USUAL_LIMITS): PodChanges {
  return limits === undefined ? fields : { ...fields, limits: limitsOver(before, limits) };
}

/** Pods in their order: those whose name has `name` in it, of the zone `az`, behind the pod `after`. */
async function list(call: Call): Promise<Reply> {
  const limit = wholeParameter(call, 'limit', USUAL_PODS, MOST_PODS);
  const [name = '', az, after] = ['name', 'az', 'after'].map((key) => parameter(call, key));
  return call.book.store.read(async (session) => {
    const registry = await readRegistry(session);
    const all = await call.book.cache.all(session, registry);
    const start = after === undefined ? 0 : all.findIndex((pod) => pod.name === after) + 1;
    if (after !== undefined && start === 0) throw badRequest(`after: No pod ${after} found`);
    const found = all
      .slice(start)
      .filter((pod) => pod.name.includes(name) && (az === undefined || pod.az === az));
    const { shown, next } = pageOf(found, limit, (pod) => pod.name);
    const { generation, policy } = registry;
    return { body: { total: all.length, generation, policy, pods: await podsJson(session, shown), next } };
  });
}

async function show(call: Call): Promise<Reply> {
  const limit = wholeParameter(call, 'limit', USUAL_TENANTS, MOST_TENANTS);
  const after = wholeParameter(call, 'after', 0, Number.MAX_SAFE_INTEGER);
  return call.book.store.read(async (session) => {
    const pod = await podByName(session, call.path.pod!);
    if (!pod) throw new ApiError(404, `No pod ${call.path.pod} found`);
    const rows = await currentIn(session, pod.id, after, limit + 1);
    const { shown, next } = pageOf(rows, limit, ({ id }) => id);
    const [facts] = await podsJson(session, [pod]);
    return { body: { ...facts!, bindings: shown.map((one) => bindingJson(one, pod.name)), next } };
  });
}

const reply = (pod: Pod): Reply => ({ body: podJson(pod) });

async function add({ book, caller, json }: CallWith<typeof POST_POD>): Promise<Reply> {
  const { name, ...fields } = json();
  const pod = await settled(addPod(book, caller.name, { ...fieldsOf(fields), name }));
  return { ...reply(pod), status: 201, location: `/pods/${encodeURIComponent(name)}` };
}

async function set({ book, caller, path, json }: CallWith<typeof PUT_POD>): Promise<Reply> {
  const body = json();
  return reply(await settled(setPod(book, caller.name, path.pod!, ({ limits }) => fieldsOf(body, limits))));
}

async function remove({ book, caller, path }: Call): Promise<Reply> {
  await settled(removePod(book, caller.name, path.pod!));
  return { status: 204 };
}

function checkedUsage(value: unknown): Usage | null {
  const problems = usageProblems(value, 'usage');
  if (problems.length === 0) return value as Usage | null;
  const words = problems.map(({ field, value: found, problem }) => `${field}, '${found}': ${problem}`);
  throw badBody(words.join('\n\n'));
}

async function setUsage({ book, caller, path, json }: CallWith<typeof PUT_USAGE>): Promise<Reply> {
  const readings = [{ pod: path.pod!, usage: checkedUsage(json().usage) }];
  const [set] = await settled(refreshUsage(book, caller.name, readings));
  return reply(set!.after);
}

async function maintain({ book, caller, path, json }: CallWith<typeof PUT_MAINTENANCE>): Promise<Reply> {
  const { maintenance: begins, rebind = false, return: returns = false } = json();
  if (begins ? returns : rebind)
    throw badBody(`'${begins ? 'return' : 'rebind'}' goes with maintenance ${!begins}`);
  const { pod, rebound } = await settled(
    begins
      ? startMaintenance(book, caller.name, path.pod!, rebind)
      : endMaintenance(book, caller.name, path.pod!, returns),
  );
  return { body: { ...podJson(pod), rebound } };
}

export const POD_ROUTES: Routes = {
  '/pods': {
    GET: operation(
      'listPods',
      'Pods in their order, with what is used and how many tenants they have',
      list,
      { queryNames: ['name', 'az', 'after', 'limit'] },
    ),
    POST: change('addPod', 'Makes a pod, the last in the queue', POST_POD, add, { success: 201 }),
  },
  '/pods/{pod}': {
    GET: operation('showPod', 'A pod with its tenants', show, { queryNames: ['after', 'limit'] }),
    PUT: change('setPod', 'Changes a pod; what is not named stays', PUT_POD, set),
    DELETE: operation('removePod', 'Removes a pod to which nobody was ever bound', remove),
  },
  '/pods/{pod}/usage': {
    PUT: change(
      'setPodUsage',
      'A new reading of what is used of a pod; null: not measured',
      PUT_USAGE,
      setUsage,
    ),
  },
  '/pods/{pod}/maintenance': {
    PUT: change('maintainPod', 'Begins the maintenance of a pod, or ends it', PUT_MAINTENANCE, maintain),
  },
};
