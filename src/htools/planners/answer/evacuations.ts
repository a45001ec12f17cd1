/** Requests to move what is there: relocation, evacuation of nodes, change of group. */
import type { RequestOf } from '../../cluster/iallocator-request.ts';
import { type Mirroring, mirroringOf } from '../../cluster/templates.ts';
import type { ClusterState } from '../../model/state/state.ts';
import { GroupAllocation } from '../allocate/by-group/group-allocation.ts';
import { Evacuator } from '../evacuate/evacuator.ts';
import type { AnswerOptions, EvacuationAnswer, RelocationAnswer, RelocationRefusal } from './answer.ts';

const LEAVES: Record<Mirroring, 'secondary' | 'primary' | undefined> = {
  none: undefined,
  internal: 'secondary',
  external: 'primary',
};

/** A new secondary, or a new primary for an instance on shared storage. */
export function relocate(
  state: ClusterState,
  { instance, requiredNodes, relocateFrom }: RequestOf<'relocate'>,
  options: AnswerOptions,
): RelocationAnswer {
  const refuse = (refusal: RelocationRefusal): RelocationAnswer => ({
    kind: 'relocation',
    isGranted: false,
    instance,
    refusal,
  });
  if (requiredNodes !== 1) return refuse({ kind: 'node-count', count: requiredNodes });
  const role = LEAVES[mirroringOf(state.instanceRecord(instance).diskTemplate)];
  if (role === undefined) return refuse({ kind: 'not-mirrored' });
  const leaving = state[role][instance]!;
  if (relocateFrom.length !== 1 || relocateFrom[0] !== leaving)
    return refuse({ kind: 'other-nodes', role, leaving, asked: relocateFrom });
  const evacuator = new Evacuator(state, options.ignoreSoftErrors, options.evacuations);
  const outcome = evacuator.evacuate([instance], `${role}-only`)[0]!;
  if (!outcome.isMoved) return refuse({ kind: 'no-node', failure: outcome.failure });
  return { kind: 'relocation', isGranted: true, instance, outcome, target: outcome[role] };
}

/**
 * Instances off their nodes, within their group. On a super cluster those that stay may go to another group,
 * if the request or the options say so; otherwise the answer tells which groups would take them.
 */
export async function evacuateNodes(
  state: ClusterState,
  { instances, mode, allowIntergroup }: RequestOf<'node-evacuate'>,
  options: AnswerOptions,
): Promise<EvacuationAnswer> {
  const evacuator = new Evacuator(state, options.ignoreSoftErrors, options.evacuations);
  const leaving = evacuator.nodesToLeave(instances, mode);
  const outcomes = options.evacuate
    ? options.evacuate(state, instances, mode, options)
    : evacuator.evacuate(instances, mode);
  const failed = new Set(outcomes.flatMap((outcome) => (outcome.isMoved ? [] : [outcome.instance])));
  const answer = { kind: 'evacuation', isGranted: true } as const;
  if (failed.size === 0 || state.snapshot.groups.length === 1) return { ...answer, outcomes };
  const isAllowed = options.allowIntergroup === true || allowIntergroup === true;
  const { seekElsewhere } = await import('./elsewhere.ts');
  const elsewhere = seekElsewhere(state, [...failed], leaving, isAllowed);
  if (!isAllowed) return { ...answer, outcomes, elsewhere };
  const gone = new Set(elsewhere.moved.map(({ instance }) => instance));
  const stayed = outcomes.filter((outcome) => outcome.isMoved || !gone.has(outcome.instance));
  return { ...answer, outcomes: [...stayed, ...elsewhere.moved], elsewhere };
}

/** Instances to other groups: stock looks by the command line's rules, and moves by the usual ones. */
export function changeGroup(
  state: ClusterState,
  { instances, targetGroups }: RequestOf<'change-group'>,
  options: AnswerOptions,
): EvacuationAnswer {
  const evacuator = new Evacuator(state, false, options.evacuations);
  const allocation = new GroupAllocation(state, options);
  const outcomes = evacuator.changeGroup(instances, targetGroups, allocation);
  return { kind: 'evacuation', isGranted: true, outcomes };
}
