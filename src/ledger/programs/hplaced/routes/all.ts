/** The whole routing table. */
import type { Route } from '../../../http/route.ts';
import { bindingRoutes } from '../pods/bindings.ts';
import { podRoutes } from '../pods/pods.ts';
import type { Service } from '../service/service.ts';
import { allocationRoutes } from './allocations.ts';
import { candidateRoutes } from './candidates.ts';
import { inventoryRoutes } from './inventories.ts';
import { labelRoutes } from './labels.ts';
import { nameRoutes } from './names.ts';
import { ownRoutes } from './own.ts';
import { providerRoutes } from './providers.ts';
import { reshaperRoutes } from './reshaper.ts';
import { rootRoutes } from './root.ts';
import { usageRoutes } from './usages.ts';

/** @param metricsText what /metrics answers */
export function makeRoutes(service: Service, metricsText: () => Promise<string>): readonly Route[] {
  const routes: readonly Route[] = [
    ...rootRoutes(service, metricsText, () => routes),
    ...providerRoutes(service),
    ...inventoryRoutes(service),
    ...labelRoutes(service),
    ...usageRoutes(service),
    ...allocationRoutes(service),
    ...nameRoutes(service),
    ...candidateRoutes(service),
    ...reshaperRoutes(service),
    ...ownRoutes(service),
    ...podRoutes(service),
    ...bindingRoutes(service),
  ];
  return routes;
}
