/** Answers in the stock hail's members and sentences (byte contract). Source: ganeti(7), iallocator. */
import type { AnswerValue } from '../../../kit/json/ascii-json.ts';
import { showInt, showList } from '../../../kit/text/numbers.ts';
import { FAIL_MODES } from '../../cluster/refusal.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { moveOpcodes } from '../../plan/move-opcodes.ts';
import { isRefusal } from '../../planners/allocate/solution.ts';
import type {
  AllocationOutcome,
  Answer,
  EvacuationAnswer,
  GroupAccount,
  GroupChoice,
  LeftOutGroup,
  MovedInstance,
  RelocationAnswer,
  RelocationRefusal,
  SecondaryAnswer,
} from '../../planners/answer/answer.ts';
import {
  evacuationFailureText,
  groupAnswerText,
  type Metric,
  placementNames,
  searchText,
  solutionText,
} from './answer-text.ts';

/** Members in the order in which they are written; behind stock's three stand further ones. */
export interface AnswerDocument {
  readonly success: boolean;
  readonly info: string;
  readonly result: AnswerValue;
  readonly [more: string]: AnswerValue;
}

const refused = (info: string): AnswerDocument => ({
  success: false,
  info: `Request failed: ${info}`,
  result: [],
});

const granted = (info: string, result: AnswerValue): AnswerDocument => ({
  success: true,
  info: `Request successful: ${info}`,
  result,
});

/** @param snapshot the cluster before the answer was carried out */
export async function answerDocument(snapshot: Snapshot, answer: Answer): Promise<AnswerDocument> {
  switch (answer.kind) {
    case 'allocation':
      return allocationDocument(snapshot, answer);
    case 'secondary':
      return secondaryDocument(snapshot, answer);
    case 'relocation':
      return relocationDocument(snapshot, answer);
    case 'evacuation':
      return evacuationDocument(snapshot, answer);
  }
}

type Allocation = Extract<Answer, { kind: 'allocation' }>;

function allocationDocument(snapshot: Snapshot, answer: Allocation): AnswerDocument {
  const document = answer.isMany ? manyDocument(snapshot, answer) : oneDocument(snapshot, answer);
  if (snapshot.groups.length < 2) return document;
  return { ...document, ...groupMembers(snapshot, answer.accounts, answer.isMany) };
}

function oneDocument(snapshot: Snapshot, answer: Allocation): AnswerDocument {
  const outcome = answer.outcomes[0]!;
  return outcome.placement
    ? granted(attemptText(snapshot, answer, outcome), placementNames(snapshot, outcome.placement))
    : refused(attemptText(snapshot, answer, outcome));
}

function manyDocument(snapshot: Snapshot, answer: Allocation): AnswerDocument {
  const { isGranted, outcomes } = answer;
  if (!isGranted) return refused(attemptText(snapshot, answer, outcomes.at(-1)!));
  const placed: AnswerValue[] = [];
  const failed: AnswerValue[] = [];
  for (const outcome of outcomes) {
    const { name } = outcome.instance;
    if (outcome.placement) placed.push([name, placementNames(snapshot, outcome.placement)]);
    else failed.push([name, attemptText(snapshot, answer, outcome)]);
  }
  const counts = `${failed.length} instances failed to allocate and ${placed.length} were allocated successfully`;
  return granted(counts, [placed, failed]);
}

/** Among many, stock names no group that a dedicated cluster asked, and is silent without any. */
function attemptText(
  snapshot: Snapshot,
  { measure, isMany }: Allocation,
  { instance, attempt }: AllocationOutcome<Metric>,
): string {
  const isDedicated = measure === 'lost-allocations';
  switch (attempt.kind) {
    case 'no-such-group':
      return `Wrong number of elems found with name ${attempt.name}`;
    case 'in-group': {
      const { group, answer } = attempt;
      return isDedicated && isMany && !isRefusal(answer)
        ? solutionText(snapshot, answer)
        : groupAnswerText(snapshot, group, instance.name, answer);
    }
    case 'over-groups':
      return isDedicated && attempt.search.candidates.length === 0
        ? ''
        : searchText(snapshot, instance.name, attempt.search);
  }
}

function secondaryDocument(snapshot: Snapshot, answer: SecondaryAnswer): AnswerDocument {
  if (answer.refusal !== undefined) return refused('Instance already has a secondary');
  const { solution } = answer;
  const info = solutionText(snapshot, solution);
  return solution.best ? granted(info, snapshot.nodes[solution.best.secondary]!.name) : refused(info);
}

const relocationDocument = (snapshot: Snapshot, answer: RelocationAnswer): AnswerDocument =>
  answer.isGranted
    ? granted('success', [snapshot.nodes[answer.target]!.name])
    : refused(relocationRefusalText(snapshot, answer.instance, answer.refusal));

function relocationRefusalText(snapshot: Snapshot, instance: number, refusal: RelocationRefusal): string {
  switch (refusal.kind) {
    case 'node-count':
      return `Exchange ${showInt(refusal.count)} nodes mode is not implemented`;
    case 'not-mirrored':
      return "Can't relocate non-mirrored instances";
    case 'other-nodes': {
      const indexOf = (n: number): string => showInt(snapshot.nodes[n]?.index ?? n);
      const { role, leaving, asked } = refusal;
      return `Unsupported request: excluded nodes not equal to instance's ${role}(${indexOf(leaving)} versus ${showList(asked.map(indexOf))})`;
    }
    case 'no-node':
      return evacuationFailureText(snapshot, snapshot.instances[instance]!.name, refusal.failure);
  }
}

function movedEntry(snapshot: Snapshot, { instance, group, primary, secondary }: MovedInstance): AnswerValue {
  const { name, diskTemplate } = snapshot.instances[instance]!;
  const placement = { primary, secondary: diskTemplate === 'drbd' ? secondary : -1 };
  return [name, snapshot.groups[group]!.name, placementNames(snapshot, placement)];
}

async function evacuationDocument(
  snapshot: Snapshot,
  { outcomes, elsewhere }: EvacuationAnswer,
): Promise<AnswerDocument> {
  if (!elsewhere) return outcomesDocument(snapshot, outcomes, () => '');
  if (!elsewhere.isCarriedOut) {
    const where = elsewhere.moved.map((outcome) => movedEntry(snapshot, outcome));
    return { ...outcomesDocument(snapshot, outcomes, () => ''), elsewhere: where };
  }
  const { strandedSentence } = await import('../shared/groups/refusal-text.ts');
  return outcomesDocument(snapshot, outcomes, (name) => {
    const why = elsewhere.stranded.find(({ instance }) => instance === name);
    return `; it cannot go to another group: ${strandedSentence(snapshot, why)}`;
  });
}

/** @param addition what stands behind stock's reason that an instance stays */
function outcomesDocument(
  snapshot: Snapshot,
  outcomes: EvacuationAnswer['outcomes'],
  addition: (name: string) => string,
): AnswerDocument {
  const moved: AnswerValue[] = [];
  const failed: AnswerValue[] = [];
  const jobs: AnswerValue[] = [];
  for (const outcome of outcomes) {
    const record = snapshot.instances[outcome.instance]!;
    if (outcome.isMoved) {
      moved.push(movedEntry(snapshot, outcome));
      jobs.push(
        outcome.moves.flatMap(({ kind, target }) => moveOpcodes(record, kind, snapshot.nodes[target]?.name)),
      );
    } else {
      const reason = evacuationFailureText(snapshot, record.name, outcome.failure);
      const more = outcome.failure.kind === 'check-refused' ? '' : addition(record.name);
      failed.push([record.name, reason + more]);
    }
  }
  const info = `${failed.length} instances failed to move and ${moved.length} were moved successfully`;
  return granted(info, [moved, failed, jobs]);
}

type Members = Readonly<Record<string, AnswerValue>>;

/** @param isMany whether each entry says which instance it is about */
function groupMembers(
  snapshot: Snapshot,
  accounts: readonly GroupAccount<Metric>[],
  isMany: boolean,
): Members {
  const about = ({ instance }: GroupAccount<Metric>, group: number): Members => {
    const { name, uuid, allocPolicy } = snapshot.groups[group]!;
    return { ...(isMany && { instance: instance.name }), group: name, uuid, allocPolicy };
  };
  return {
    groups: accounts.flatMap((account) =>
      account.choices.map((one) => ({ ...about(account, one.group), ...choiceMembers(snapshot, one) })),
    ),
    refused: accounts.flatMap((account) =>
      account.leftOut.map((one) => ({ ...about(account, one.group), ...leftOutMembers(one) })),
    ),
  };
}

const choiceMembers = (snapshot: Snapshot, { metric, ...placement }: GroupChoice<Metric>): Members => ({
  nodes: placementNames(snapshot, placement),
  score: typeof metric === 'number' ? metric : { lost: metric.lost, freeDiskMib: metric.freeDiskMib },
});

function leftOutMembers({ reason, detail, refusals }: LeftOutGroup): Members {
  const failures = (refusals ?? []).flatMap((count, code) =>
    count > 0 ? [[FAIL_MODES[code]!, count] as const] : [],
  );
  return {
    reason,
    ...(detail !== undefined && { detail }),
    ...(refusals !== undefined && { failures: Object.fromEntries(failures) }),
  };
}
