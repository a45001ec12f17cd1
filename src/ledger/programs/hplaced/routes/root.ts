/** `/`: versions for programs, the page for people; and /healthz, /metrics, /openapi.json. */
import { HTML_TYPE, JSON_TYPE, qualityOf } from '../../../http/accept.ts';
import type { Reply, Request, Route } from '../../../http/route.ts';
import { PAGE_POLICY, pageHtml } from '../page/page.ts';
import { versionText } from '../protocol/microversion.ts';
import { openApi } from '../protocol/openapi.ts';
import type { Routes, Service } from '../service/service.ts';

/** Browsers ask for HTML first; clients of the interface name a version or take JSON as well. */
function wantsPage({ accept, isVersioned }: Request): boolean {
  if (isVersioned) return false;
  return accept !== undefined && qualityOf(accept, HTML_TYPE) > qualityOf(accept, JSON_TYPE);
}

function home({ ledger, latestMinor, mostMinor }: Service, request: Request): Reply {
  if (wantsPage(request))
    return {
      text: [pageHtml(versionText(mostMinor))],
      contentType: `${HTML_TYPE}; charset=utf-8`,
      headers: { 'content-security-policy': PAGE_POLICY, 'referrer-policy': 'no-referrer' },
    };
  const version = {
    id: `v${versionText(0)}`,
    max_version: versionText(latestMinor),
    min_version: versionText(0),
    status: 'CURRENT',
    links: [{ rel: 'self', href: '' }],
  };
  return { body: { versions: [version] }, lastModified: ledger.now() };
}

async function health({ ledger }: Service): Promise<Reply> {
  await ledger.store.read((session) => session.get('SELECT max(id) AS id FROM history'));
  return { body: { status: 'ok', store: ledger.store.dialect } };
}

/** @param metricsText what /metrics says now */
export const rootRoutes = (
  service: Service,
  metricsText: () => Promise<string>,
  allRoutes: () => readonly Route[],
): Routes => ({
  'GET /': {
    id: 'home',
    isAtDoor: true,
    summary: 'Versions of the interface; for browsers the page',
    access: 'open',
    handle: async (_, request) => home(service, request),
  },
  'GET /healthz': {
    id: 'health',
    isAtDoor: true,
    summary: 'Whether the service can read its ledger',
    access: 'open',
    handle: health,
  },
  'GET /metrics': {
    id: 'metrics',
    isAtDoor: true,
    summary: 'Figures for Prometheus',
    access: service.isClosed ? 'read' : 'open',
    handle: async () => ({
      text: [await metricsText()],
      contentType: 'text/plain; version=0.0.4; charset=utf-8',
    }),
  },
  'GET /openapi.json': {
    id: 'describe',
    isAtDoor: true,
    summary: 'This description',
    access: service.isClosed ? 'read' : 'open',
    handle: async () => ({ body: openApi(allRoutes(), service.mostMinor) }),
  },
});
