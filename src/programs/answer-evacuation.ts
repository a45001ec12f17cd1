/** Requests to move what is there: relocation, evacuation of nodes, change of group. */
import { GroupAllocation } from '../allocate/group-allocation.ts';
import { showInt } from '../cluster/haskell-numbers.ts';
import type { ClusterState } from '../cluster/state.ts';
import { type Mirroring, mirroringOf } from '../cluster/templates.ts';
import { Evacuator } from '../evacuate/evacuator.ts';
import type { Evacuation } from '../evacuate/outcome.ts';
import { evacuationFailureText } from '../report/evacuation-text.ts';
import { showList } from '../report/haskell-show.ts';
import type { AnswerValue } from '../report/iallocator-json.ts';
import { jobOf } from '../report/iallocator-opcodes.ts';
import {
  type Answer,
  type AnswerOptions,
  granted,
  placementNames,
  type RequestOf,
  refused,
} from './answer.ts';

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
  const evacuator = new Evacuator(state, options.ignoreSoftErrors);
  const mode = expected === 'secondary' ? 'secondary-only' : 'primary-only';
  const [outcome] = evacuator.evacuate([i], mode);
  if (!outcome!.isMoved) return refused(evacuationFailureText(snapshot, record.name, outcome!.failure));
  const target = expected === 'secondary' ? outcome!.secondary : outcome!.primary;
  return granted('success', [snapshot.nodes[target]!.name]);
}

/** Instances off their nodes, within their group. */
export function evacuateNodes(
  state: ClusterState,
  request: RequestOf<'node-evacuate'>,
  options: AnswerOptions,
): Answer {
  const evacuator = new Evacuator(state, options.ignoreSoftErrors);
  return evacuationAnswer(state, evacuator.evacuate(request.instances, request.mode));
}

/** Instances to other groups: stock looks for these under the command line's rules, and then moves under the usual ones. */
export function changeGroup(
  state: ClusterState,
  request: RequestOf<'change-group'>,
  options: AnswerOptions,
): Answer {
  const evacuator = new Evacuator(state, false);
  const allocation = new GroupAllocation(state, options);
  return evacuationAnswer(state, evacuator.changeGroup(request.instances, request.targetGroups, allocation));
}

function evacuationAnswer(state: ClusterState, outcomes: readonly Evacuation[]): Answer {
  const { snapshot } = state;
  const moved: AnswerValue[] = [];
  const failed: AnswerValue[] = [];
  const jobs: AnswerValue[] = [];
  for (const outcome of outcomes) {
    const record = state.instanceRecord(outcome.instance);
    if (!outcome.isMoved) {
      failed.push([record.name, evacuationFailureText(snapshot, record.name, outcome.failure)]);
      continue;
    }
    const { primary, secondary } = outcome;
    const placement = { primary, secondary: record.diskTemplate === 'drbd' ? secondary : -1 };
    moved.push([record.name, snapshot.groups[outcome.group]!.name, placementNames(snapshot, placement)]);
    jobs.push(jobOf(snapshot, record, outcome.moves));
  }
  const info = `${failed.length} instances failed to move and ${moved.length} were moved successfully`;
  return granted(info, [moved, failed, jobs]);
}
