/** Rule "migration": the target must accept the source's migration tags. Source: hbal(1), migration tags. */
import { ALLOWED, FAIL_MIG, type FailCode } from '../../cluster/refusal.ts';
import type { ClusterState } from '../state/state.ts';

export const migrationRefusal = (state: ClusterState, from: number, to: number): FailCode =>
  state.tags.mayMigrate(from, to) ? ALLOWED : FAIL_MIG;
