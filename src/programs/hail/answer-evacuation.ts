/** Requests to move what is there: relocation, evacuation of nodes, change of group. */

import { type Mirroring, mirroringOf } from '../../cluster/templates.ts';
import type { ClusterState } from '../../model/state/state.ts';
import { GroupAllocation } from '../../planners/allocate/by-group/group-allocation.ts';
import { Evacuator } from '../../planners/evacuate/evacuator.ts';
import type { Evacuation } from '../../planners/evacuate/outcome.ts';
import type { AnswerValue } from '../../stock/json-value.ts';
import { showInt } from '../../stock/numbers.ts';
import { showList } from '../../stock/show.ts';
import {
  type Answer,
  type AnswerOptions,
  granted,
  placementNames,
  type RequestOf,
  refused,
} from './answer.ts';
import { evacuationFailureText } from './evacuation-text.ts';
import { jobOf } from './opcodes-json.ts';

const EXPECTED_NODE: Record<Mirroring, 'secondary' | 'primary' | undefined> = {
  none: undefined,
  internal: 'secondary',
  external: 'primary',
};

/** A new secondary, or a new primary for an instance on shared storage. */
export function relocate(
  state: ClusterState,
  request: RequestOf<'relocate'>,
  options: AnswerOptions,
): Answer {
  const { instance: i, requiredNodes, relocateFrom } = request;
  const { snapshot } = state;
  const record = state.instanceRecord(i);
  if (requiredNodes !== 1) return refused(`Exchange ${showInt(requiredNodes)} nodes mode is not implemented`);
  const expected = EXPECTED_NODE[mirroringOf(record.diskTemplate)];
  if (expected === undefined) return refused("Can't relocate non-mirrored instances");
  const leaving = expected === 'secondary' ? state.secondary[i]! : state.primary[i]!;
  if (relocateFrom.length !== 1 || relocateFrom[0] !== leaving) {
    const indexOf = (n: number): string => showInt(snapshot.nodes[n]?.index ?? n);
    return refused(
      `Unsupported request: excluded nodes not equal to instance's ${expected}(${indexOf(leaving)} versus ${showList(relocateFrom.map(indexOf))})`,
    );
  }
  const evacuator = new Evacuator(state, options.ignoreSoftErrors, options.evacuations);
  const mode = expected === 'secondary' ? 'secondary-only' : 'primary-only';
  const [outcome] = evacuator.evacuate([i], mode);
  if (!outcome!.isMoved) return refused(evacuationFailureText(snapshot, record.name, outcome!.failure));
  const target = expected === 'secondary' ? outcome!.secondary : outcome!.primary;
  return granted('success', [snapshot.nodes[target]!.name]);
}

/**
 * Instances off their nodes, within their group. On a super cluster those that stay may go to another group, if the request or
 * the command line says so; otherwise the answer has a further member that names the groups.
 */
export async function evacuateNodes(
  state: ClusterState,
  request: RequestOf<'node-evacuate'>,
  options: AnswerOptions,
): Promise<Answer> {
  const evacuator = new Evacuator(state, options.ignoreSoftErrors, options.evacuations);
  const { instances, mode } = request;
  const leaving = evacuator.nodesToLeave(instances, mode);
  const outcomes = evacuator.evacuate(instances, mode);
  const failed = new Set(outcomes.flatMap((outcome) => (outcome.isMoved ? [] : [outcome.instance])));
  if (failed.size === 0 || state.snapshot.groups.length === 1) return evacuationAnswer(state, outcomes);
  const { seekElsewhere } = await import('./answer-elsewhere.ts');
  const isAllowed = options.allowIntergroup === true || request.allowIntergroup === true;
  const found = seekElsewhere(state, [...failed], leaving, isAllowed);
  const { stranded } = found;
  if (!isAllowed) {
    const elsewhere = found.moved.map((outcome) => movedEntry(state, outcome));
    return { ...evacuationAnswer(state, outcomes), more: { elsewhere }, stranded };
  }
  const gone = new Set(found.moved.map(({ instance }) => instance));
  const stayed = outcomes.filter((outcome) => outcome.isMoved || !gone.has(outcome.instance));
  const { strandedSentence } = await import('../shared/groups/group-refusals.ts');
  const answer = evacuationAnswer(state, [...stayed, ...found.moved], (instance) => {
    const why = stranded.find((one) => one.instance === instance);
    return `; it cannot go to another group: ${strandedSentence(state.snapshot, why)}`;
  });
  return { ...answer, stranded };
}

/** Instances to other groups: stock looks for these under the command line's rules, and then moves under the usual ones. */
export function changeGroup(
  state: ClusterState,
  request: RequestOf<'change-group'>,
  options: AnswerOptions,
): Answer {
  const evacuator = new Evacuator(state, false, options.evacuations);
  const allocation = new GroupAllocation(state, options);
  return evacuationAnswer(state, evacuator.changeGroup(request.instances, request.targetGroups, allocation));
}

type Moved = Extract<Evacuation, { isMoved: true }>;

/** Name, group and nodes of an instance that moves. */
function movedEntry(state: ClusterState, { instance, group, primary, secondary }: Moved): AnswerValue {
  const { snapshot } = state;
  const record = state.instanceRecord(instance);
  const placement = { primary, secondary: record.diskTemplate === 'drbd' ? secondary : -1 };
  return [record.name, snapshot.groups[group]!.name, placementNames(snapshot, placement)];
}

/** @param addition what stands behind stock's reason that an instance stays */
function evacuationAnswer(
  state: ClusterState,
  outcomes: readonly Evacuation[],
  addition: (instance: number) => string = () => '',
): Answer {
  const { snapshot } = state;
  const moved: AnswerValue[] = [];
  const failed: AnswerValue[] = [];
  const jobs: AnswerValue[] = [];
  for (const outcome of outcomes) {
    const record = state.instanceRecord(outcome.instance);
    if (!outcome.isMoved) {
      const reason = evacuationFailureText(snapshot, record.name, outcome.failure);
      failed.push([record.name, reason + addition(outcome.instance)]);
      continue;
    }
    moved.push(movedEntry(state, outcome));
    jobs.push(jobOf(snapshot, record, outcome.moves));
  }
  const info = `${failed.length} instances failed to move and ${moved.length} were moved successfully`;
  return granted(info, [moved, failed, jobs]);
}
