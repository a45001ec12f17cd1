/** `/bindings`: which pod a tenant's next thing goes to, and where its things went. */
import { InputError } from '../../../../kit/faults.ts';
import { MS_PER_S } from '../../../../kit/units.ts';
import { bind, unbind } from '../../../binding/book/bind.ts';
import { setPolicy } from '../../../binding/book/pods.ts';
import { rebind } from '../../../binding/book/rebind.ts';
import { select } from '../../../binding/book/select.ts';
import { MS_PER_DAY } from '../../../binding/forecast/forecast.ts';
import { pastOf } from '../../../binding/tables/bindings.ts';
import { readRegistry } from '../../../binding/tables/registry.ts';
import { ApiError, badBody } from '../../../http/api-error.ts';
import type { JsonSchema } from '../../../http/json-check.ts';
import { pageOf, parameter, wholeParameter } from '../../../http/query-string.ts';
import type { Reply } from '../../../http/route.ts';
import { bindingJson, bindingsJson, selectedJson } from '../../shared/binding/json.ts';
import { forecastOf, playDay } from '../../shared/binding/outlook.ts';
import { readEvents } from '../../shared/binding/read-events.ts';
import { FLAG, list as listOf, NAME, record } from '../protocol/forms.ts';
import { type Call, type CallWith, operation, type Routes } from '../service/service.ts';
import { AMOUNT, change, named, POLICY, SECONDS, settled, some, tenantOf, ZONE } from './forms.ts';

const USUAL_ROWS = 50;
const MOST_ROWS = 500;
const USUAL_DAYS = 30;
const MOST_DAYS = 3650;

const ASK = { az: ZONE, specs: named(NAME) };
const POST_BINDING = record(
  {
    tenant: NAME,
    ...ASK,
    need: named(AMOUNT),
    policy: POLICY,
    lastsSeconds: SECONDS,
    explain: FLAG,
    dryRun: FLAG,
  },
  ['tenant'],
);
const PUT_BINDING = record({ tenant: NAME, pod: NAME, ...ASK, lastsSeconds: SECONDS }, ['tenant', 'pod']);
const TENANTS: JsonSchema<readonly string[]> = { ...listOf(NAME), minItems: 1 };
const POST_REBIND = record({ tenants: TENANTS, pod: NAME, dryRun: FLAG });
/** What they are made of is looked at by `eventsOf`. */
const EVENTS: JsonSchema<readonly unknown[]> = { type: 'array' };
const POST_SIMULATE = record({ events: EVENTS, policy: POLICY }, ['events']);
const PUT_POLICY = some(POLICY);

const lasts = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : Math.max(1, Math.round(seconds * MS_PER_S));

async function choose({ book, caller, json }: CallWith<typeof POST_BINDING>): Promise<Reply> {
  const body = json();
  const { tenant, az = '', specs = {}, need = {}, policy = {}, explain = false, dryRun = false } = body;
  const selected = await select(
    book,
    { tenant, az, specs, need },
    { actor: caller.name, policy, lastsMs: lasts(body.lastsSeconds), isDry: dryRun, explains: explain },
  );
  const document = selectedJson(selected);
  if (selected.kind === 'none') throw new ApiError(409, `No pod takes ${tenant}`, { extra: { ...document } });
  return { status: selected.kind === 'kept' || dryRun ? 200 : 201, body: document };
}

async function list(call: Call): Promise<Reply> {
  const tenant = tenantOf(call);
  const limit = wholeParameter(call, 'limit', USUAL_ROWS, MOST_ROWS);
  const before = wholeParameter(call, 'before', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  return call.book.store.read(async (session) => {
    const { shown, next } = pageOf(await pastOf(session, tenant, limit + 1, before), limit, ({ id }) => id);
    return { body: { tenant, bindings: await bindingsJson(session, shown), next } };
  });
}

async function bindByHand({ book, caller, json }: CallWith<typeof PUT_BINDING>): Promise<Reply> {
  const { tenant, pod, az = '', specs, lastsSeconds } = json();
  const wish = { tenant, pod, az, specs, lastsMs: lasts(lastsSeconds) };
  const bound = await settled(bind(book, caller.name, wish));
  return { body: { binding: bindingJson(bound.binding, bound.pod.name), isKept: bound.isKept } };
}

async function end(call: Call): Promise<Reply> {
  const tenant = tenantOf(call);
  const ended = await unbind(call.book, tenant, { az: parameter(call, 'az') });
  if (ended.length === 0) throw new ApiError(404, `No binding of ${tenant} found`);
  return { status: 204 };
}

async function rebindTenants({ book, caller, json }: CallWith<typeof POST_REBIND>): Promise<Reply> {
  const { tenants, pod, dryRun = false } = json();
  const rebound = await settled(rebind(book, caller.name, { tenants, pod, isDry: dryRun }));
  return { body: { rebound, isDryRun: dryRun } };
}

async function showPolicy({ book }: Call): Promise<Reply> {
  const { policy, generation } = await book.store.read(readRegistry);
  return { body: { ...policy, generation } };
}

async function changePolicy(call: CallWith<typeof PUT_POLICY>): Promise<Reply> {
  await settled(setPolicy(call.book, call.caller.name, call.json()));
  return showPolicy(call);
}

async function forecast(call: Call): Promise<Reply> {
  const days = wholeParameter(call, 'days', USUAL_DAYS, MOST_DAYS);
  return { body: await forecastOf(call.book, days * MS_PER_DAY) };
}

function eventsOf(events: readonly unknown[]): ReturnType<typeof readEvents> {
  try {
    return readEvents(JSON.stringify(events), 'events');
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const words = error.problems.map(({ field, problem }) => `events${field ?? ''}: ${problem}`);
    throw badBody(words.slice(0, 10).join('\n\n'));
  }
}

async function simulate({ book, json }: CallWith<typeof POST_SIMULATE>): Promise<Reply> {
  const { events, policy = {} } = json();
  return { body: await playDay(book, eventsOf(events), policy) };
}

export const BINDING_ROUTES: Routes = {
  '/bindings': {
    GET: operation('listBindings', 'To which pods a tenant is and was bound, newest first', list, {
      queryNames: ['tenant', 'limit', 'before'],
    }),
    POST: change(
      'selectPod',
      'Says which pod a request of a tenant goes to, and binds the tenant to it; 200 when it is bound there already',
      POST_BINDING,
      choose,
      { success: 201 },
    ),
    PUT: change('bindTenant', 'Binds a tenant to a pod by hand', PUT_BINDING, bindByHand),
    DELETE: operation('unbindTenant', 'Ends the bindings of a tenant', end, { queryNames: ['tenant', 'az'] }),
  },
  '/bindings/rebind': {
    POST: change('rebindTenants', 'Rebinds tenants whose pods take nothing new', POST_REBIND, rebindTenants, {
      isLong: true,
    }),
  },
  '/bindings/policy': {
    GET: operation('showPolicy', 'The filters and weighers that choose', showPolicy),
    PUT: change('setPolicy', 'Changes the filters or the weighers', PUT_POLICY, changePolicy),
  },
  '/bindings/forecast': {
    GET: operation('forecastPods', 'When pods reach their limits at the growth of the last days', forecast, {
      isLong: true,
      queryNames: ['days'],
    }),
  },
  '/bindings/simulate': {
    POST: change(
      'simulateDay',
      'Plays the requests of a day through the policy, and changes nothing',
      POST_SIMULATE,
      simulate,
      { access: 'read', isLong: true },
    ),
  },
};
