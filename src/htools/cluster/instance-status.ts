/** What the state of an instance means for its nodes' resources. Source: ganeti(7), the stock programs. */

import type { Instance, RawInstance, RawNode } from './snapshot.ts';

/** Whether it takes memory of its primary now: not when it is down, set offline, or not yet created. */
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

/** Whether the instance runs, as far as its node can tell. */
export const isRunning = ({ status }: Pick<Instance, 'status'>): boolean =>
  status === 'running' || status === 'ERROR_up';

/** Whether the instance's vcpus count on its primary now: not when it is set offline or not yet created. */
export const usesCpus = (instance: Pick<Instance, 'status' | 'isForthcoming'>): boolean =>
  !instance.isForthcoming && instance.status !== 'ADMIN_offline';

/**
 * Whether Ganeti can ask each node about its disks and instances: it is online, or its source says that it is
 * only drained; where that cannot tell (text snapshots, `-O`), an instance that runs there does. One rule for
 * all programs: docs/reference/rules.md.
 */
export function reachableNodes(snapshot: {
  readonly nodes: readonly RawNode[];
  readonly instances: readonly RawInstance[];
}): boolean[] {
  const { nodes, instances } = snapshot;
  const isReachable = nodes.map((node) => !node.isOffline || node.isReachable === true);
  if (!isReachable.includes(false)) return isReachable;
  for (const instance of instances) {
    const node = nodes[instance.primary];
    if (node && node.isReachable === undefined && isRunning(instance)) isReachable[instance.primary] = true;
  }
  return isReachable;
}

/** The same by their names. */
export function reachableNames(snapshot: Parameters<typeof reachableNodes>[0]): ReadonlySet<string> {
  const isReachable = reachableNodes(snapshot);
  return new Set(snapshot.nodes.flatMap(({ name }, n) => (isReachable[n] ? [name] : [])));
}

export const isStray = ({ status }: Pick<Instance, 'status'>): boolean => status === 'ERROR_wrongnode';
