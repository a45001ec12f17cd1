/** A secondary for an instance that had none and becomes a mirrored one. */
import type { RequestOf } from '../../cluster/iallocator-request.ts';
import type { Instance } from '../../cluster/snapshot.ts';
import { removePrimary } from '../../model/moves/transitions.ts';
import { groupScope } from '../../model/state/scope.ts';
import type { ClusterState } from '../../model/state/state.ts';
import { GroupAllocation } from '../allocate/by-group/group-allocation.ts';
import type { AnswerOptions, SecondaryAnswer } from './answer.ts';

/** The instance is taken over anew, as a copy with the next position; the old one leaves its node. */
export function allocateSecondary(
  state: ClusterState,
  { instance: i }: RequestOf<'allocate-secondary'>,
  options: AnswerOptions,
): SecondaryAnswer {
  const kind = 'secondary';
  if (state.secondary[i]! >= 0) return { kind, isGranted: false, refusal: 'has-secondary' };
  const primary = state.primary[i]!;
  const members = groupScope(state.snapshot, state.groupOf[primary]!).nodes;
  const secondaries = members.filter((n) => n !== primary);
  removePrimary(state, i, primary, state.locationScore[i]!);
  const instance: Instance = { ...state.instanceRecord(i), diskTemplate: 'drbd', isMovable: true };
  const allocation = new GroupAllocation(state, options);
  const nodes = { kind: 'pairs', pairs: [{ primary, secondaries }] } as const;
  const solution = allocation.onNodes(instance, nodes, i);
  if (solution.best) allocation.commit(instance, solution.best);
  return { kind, isGranted: solution.best !== undefined, solution };
}
