/** What an instance's state means for the resources of its nodes. Source: ganeti(7) and the stock programs. */
import type { Instance } from './snapshot.ts';

/** Whether the instance takes memory of its primary now: not when it is down, set offline, or not yet created. */
export function usesMemory(instance: Pick<Instance, 'status' | 'isForthcoming'>): boolean {
  if (instance.isForthcoming) return false;
  switch (instance.status) {
    case 'ADMIN_down':
    case 'ADMIN_offline':
    case 'ERROR_down':
    case 'USER_down':
      return false;
    default:
      return true;
  }
}

/** Whether the instance's vcpus count on its primary now: not when it is set offline or not yet created. */
export const usesCpus = (instance: Pick<Instance, 'status' | 'isForthcoming'>): boolean =>
  !instance.isForthcoming && instance.status !== 'ADMIN_offline';
