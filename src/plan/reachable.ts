/** Whether Ganeti can ask the node of an instance to do something with its disks. */
import type { ClusterState } from '../model/state/state.ts';
import { isRunning } from './commands.ts';

/**
 * Whether the primary can be reached: it is online, or the instance runs there all the same, as on a node that is drained or offline
 * by option only. hbal decides by the instance, too, between migration and failover.
 */
export const isReachable = (state: ClusterState, i: number): boolean =>
  !state.isOffline[state.primary[i]!] || isRunning(state.instanceRecord(i));
