/** Relocations, evacuations and changes of group as plans, so that the checker can replay them. */
import type { IallocatorRequest } from '../../cluster/iallocator-request.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { hasSecondary } from '../../cluster/templates.ts';
import { type Plan, type PlanStep, unscoredPlan } from '../../plan/plan.ts';
import { stepFrom } from '../../plan/step.ts';
import type { Evacuation } from '../evacuate/outcome.ts';
import type { Answer } from './answer.ts';

/** An answer's moves in order, scores not followed; undefined where nothing moves. */
export function planOfAnswer(
  start: Snapshot,
  request: IallocatorRequest,
  answer: Answer,
  ignoreSoftErrors: boolean,
): Plan | undefined {
  const outcomes = outcomesOf(answer);
  if (outcomes.length === 0) return undefined;
  return unscoredPlan(
    start,
    outcomes.flatMap((outcome) => stepsOf(start, outcome)),
    {
      // As the stock program has it, changes of group keep to the soft rules whatever the command line says.
      ignoreSoftErrors: ignoreSoftErrors && request.type !== 'change-group',
      diskMoves: true,
      requestedInstances:
        'instances' in request ? request.instances : 'instance' in request ? [request.instance] : [],
      requestedGroups: requestedGroups(start, request),
      closedNodes: leftNodes(start, request),
    },
  );
}

/** The outcomes of an answer about moves; none for others. */
export function outcomesOf(answer: Answer): readonly Evacuation[] {
  if (answer.kind === 'evacuation') return answer.outcomes;
  return answer.kind === 'relocation' && answer.isGranted ? [answer.outcome] : [];
}

function stepsOf(start: Snapshot, outcome: Evacuation): PlanStep[] {
  if (!outcome.isMoved) return [];
  const { instance, moves } = outcome;
  let { primary, secondary } = start.instances[instance]!;
  return moves.map((move) => {
    const step = stepFrom({ instance, ...move }, primary, secondary, 0);
    ({ toPrimary: primary, toSecondary: secondary } = step);
    return step;
  });
}

/** The groups of a change of group: those that are named, or any. */
function requestedGroups({ groups }: Snapshot, request: IallocatorRequest): readonly number[] | undefined {
  if (request.type !== 'change-group') return undefined;
  return request.targetGroups.length > 0 ? request.targetGroups : [...groups.keys()];
}

/** Nodes that the request wants to see left, which must take nothing. */
function leftNodes({ instances }: Snapshot, request: IallocatorRequest): readonly number[] {
  if (request.type === 'relocate') return request.relocateFrom;
  if (request.type !== 'node-evacuate') return [];
  const left = request.instances.flatMap((i) => {
    const { diskTemplate, primary, secondary } = instances[i]!;
    return [
      ...(request.mode === 'secondary-only' ? [] : [primary]),
      ...(request.mode === 'primary-only' || !hasSecondary(diskTemplate) ? [] : [secondary]),
    ];
  });
  return [...new Set(left)];
}
