/** Whether each node has room for one more. Source: hsqueeze(1), --minimal-resources, --target-resources. */
import { ALLOWED } from '../../../cluster/refusal.ts';
import type { Instance, InstanceSpec } from '../../../cluster/snapshot.ts';
import { primaryRoomRefusal } from '../../../model/rules/admission.ts';
import type { ClusterState } from '../../../model/state/state.ts';
import { sizedInstance } from '../../allocate/sized-instance.ts';

/** An instance of `factor` times the standard size, figures rounded down, that needs no disk of a node. */
export function roomOf(standard: InstanceSpec, factor: number): Instance {
  const size = {
    memMib: Math.floor(factor * standard.memoryMib),
    diskMib: 0,
    vcpus: Math.floor(factor * standard.cpuCount),
    spindles: 0,
  };
  return { ...sizedInstance(size, 'ext', Math.floor(factor * standard.spindleUse)), isAutoBalanced: false };
}

/**
 * Whether each node could take the instance by all rules. Offline nodes are asked, too, as in the stock
 * program; of one that a live cluster knows to be without power nothing is free, and so a cluster that was
 * just squeezed would want all its nodes back.
 * @param isSteady whether only nodes are asked that are online
 */
export function everyNodeTakes(state: ClusterState, instance: Instance, isSteady = false): boolean {
  const i = state.addInstance(instance);
  // Access to a storage pool is not asked for: the instance stands for room and nothing else.
  const fits = [...state.isOffline.keys()].every(
    (n) => (isSteady && state.isOffline[n] === 1) || primaryRoomRefusal(state, i, n, false) === ALLOWED,
  );
  state.dropLastInstance();
  return fits;
}
