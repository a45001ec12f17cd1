/** The whole routing table. */
import { type Route, routesOf } from '../../../http/route.ts';
import { BINDING_ROUTES } from '../pods/bindings.ts';
import { POD_ROUTES } from '../pods/pods.ts';
import type { Service } from '../service/service.ts';
import { ALLOCATION_ROUTES } from './allocations.ts';
import { candidateRoutes } from './candidates.ts';
import { INVENTORY_ROUTES } from './inventories.ts';
import { LABEL_ROUTES } from './labels.ts';
import { NAME_ROUTES } from './names.ts';
import { OWN_ROUTES } from './own.ts';
import { PROVIDER_ROUTES } from './providers.ts';
import { RESHAPER_ROUTES } from './reshaper.ts';
import { rootRoutes } from './root.ts';
import { USAGE_ROUTES } from './usages.ts';

/** @param metricsText what /metrics answers */
export function makeRoutes(service: Service, metricsText: () => Promise<string>): readonly Route[] {
  const routes: readonly Route[] = routesOf(service, {
    ...rootRoutes(service, metricsText, () => routes),
    ...PROVIDER_ROUTES,
    ...INVENTORY_ROUTES,
    ...LABEL_ROUTES,
    ...USAGE_ROUTES,
    ...ALLOCATION_ROUTES,
    ...NAME_ROUTES,
    ...candidateRoutes(service),
    ...RESHAPER_ROUTES,
    ...OWN_ROUTES,
    ...POD_ROUTES,
    ...BINDING_ROUTES,
  });
  return routes;
}
