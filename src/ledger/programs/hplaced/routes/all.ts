/** The whole routing table, with `/` (versions for programs, a page for people) and what is watched. */
import { setTimeout as wait } from 'node:timers/promises';
import { HTML_TYPE, JSON_TYPE, qualityOf } from '../../../http/accept.ts';
import { ApiError, retryAfter } from '../../../http/api-error.ts';
import { readQuery } from '../../../http/json-check.ts';
import { versionText } from '../../../http/placement.ts';
import type { Operation, Reply, Request, Route } from '../../../http/route.ts';
import { PAGE_POLICY, pageHtml } from '../page/page.ts';
import { BINDING_ROUTES } from '../pods/bindings.ts';
import { POD_ROUTES } from '../pods/pods.ts';
import { record, TEXT } from '../protocol/forms.ts';
import { openApi } from '../protocol/openapi.ts';
import { type Call, operation, type Routes, routesOf, type Service } from '../service/service.ts';
import { ALLOCATION_ROUTES } from './allocations.ts';
import { candidateRoutes } from './candidates.ts';
import { INVENTORY_ROUTES } from './inventories.ts';
import { LABEL_ROUTES } from './labels.ts';
import { NAME_ROUTES } from './names.ts';
import { OWN_ROUTES } from './own.ts';
import { PROVIDER_ROUTES } from './providers.ts';
import { RESHAPER_ROUTES } from './reshaper.ts';
import { USAGE_ROUTES } from './usages.ts';

/** Whoever watches the service is answered after so long, also by a ledger that stands still. */
const HEALTH_MS = 2_000;

/** Browsers ask for HTML first; clients of the interface name a version or take JSON as well. */
const wantsPage = ({ accept, isVersioned }: Call): boolean =>
  !isVersioned && accept !== undefined && qualityOf(accept, HTML_TYPE) > qualityOf(accept, JSON_TYPE);

async function home(call: Call): Promise<Reply> {
  if (wantsPage(call))
    return {
      text: [pageHtml(versionText(call.mostMinor))],
      contentType: `${HTML_TYPE}; charset=utf-8`,
      headers: { 'content-security-policy': PAGE_POLICY, 'referrer-policy': 'no-referrer' },
    };
  const version = {
    id: `v${versionText(0)}`,
    max_version: versionText(call.latestMinor),
    min_version: versionText(0),
    status: 'CURRENT',
    links: [{ rel: 'self', href: '' }],
  };
  return { body: { versions: [version] }, lastModified: call.ledger.now() };
}

async function health({ ledger, read }: Call): Promise<Reply> {
  const late = wait(HEALTH_MS, undefined, { ref: false }).then(() => {
    throw new ApiError(503, 'The ledger does not answer.', retryAfter(5));
  });
  await Promise.race([read((session) => session.get('SELECT max(id) AS id FROM history')), late]);
  return { body: { status: 'ok', store: ledger.store.dialect } };
}

/** Takes no members of a query but those that it names. */
function exact(operation: Operation): Operation {
  const form = record(Object.fromEntries((operation.queryNames ?? []).map((name) => [name, TEXT])));
  const handle = async (request: Request): Promise<Reply> => {
    readQuery(request, form);
    return operation.handle(request);
  };
  return { ...operation, handle };
}

export function makeRoutes(service: Service, metricsText: () => Promise<string>): readonly Route[] {
  const forAll = { isAtDoor: true, access: 'open' } as const;
  const unlessClosed = { isAtDoor: true, access: service.isClosed ? 'read' : 'open' } as const;
  const metrics = async (): Promise<Reply> => ({
    text: [await metricsText()],
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
  });
  const describe = async (): Promise<Reply> => ({ body: openApi(routes, service.mostMinor) });
  const own: Routes = {
    '/': { GET: operation('home', 'Versions of the interface; for browsers the page', home, forAll) },
    '/healthz': { GET: operation('health', 'Whether the service can read its ledger', health, forAll) },
    '/metrics': { GET: operation('metrics', 'Figures for Prometheus', metrics, unlessClosed) },
    '/openapi.json': { GET: operation('describe', 'This description', describe, unlessClosed) },
  };
  const routes = [
    ...routesOf(service, {
      ...own,
      ...PROVIDER_ROUTES,
      ...INVENTORY_ROUTES,
      ...LABEL_ROUTES,
      ...USAGE_ROUTES,
      ...ALLOCATION_ROUTES,
      ...NAME_ROUTES,
      ...candidateRoutes(service),
      ...RESHAPER_ROUTES,
    }),
    ...routesOf(service, { ...OWN_ROUTES, ...POD_ROUTES, ...BINDING_ROUTES }, exact),
  ];
  return routes;
}
