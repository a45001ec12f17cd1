/** hail's full account: as JSON for `--explain`, and its refusals as lines for `-v`. */
import { documentHead } from '../../../kit/report/json.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { refusalFacts } from '../../explain/move-refusal.ts';
import { MOVE_KIND_NAMES } from '../../model/moves/kinds.ts';
import type {
  AllocationTrace,
  CountedRefusal,
  TracedAttempt,
  TriedPrimary,
} from '../../planners/allocate/choose/allocation-trace.ts';
import type { ExplainedRefusal } from '../../planners/allocate/choose/refusal-figures.ts';
import type { EvacuationTrace, TracedEvacuation } from '../../planners/evacuate/evacuation-trace.ts';
import type { Stranded } from '../../planners/groups/refusals/refusals.ts';
import type { ProgramDocument } from '../../results/all.ts';
import type { RuleRefusal } from '../../results/parts/explanation.ts';
import { refusalWords } from '../shared/questions/words.ts';
import type { AnswerDocument } from './answer-document.ts';

export interface AnswerTrace {
  readonly allocations: AllocationTrace;
  readonly evacuations: EvacuationTrace;
}

/**
 * The document that `--explain` writes: the answer, and per instance to be placed every node that was tried
 * as primary with the rule that refused it or its best score, and the nodes that were refused as secondary.
 * Per instance to be moved its moves, or the nodes that refused it, and what other groups said.
 */
export const explanation = (
  snapshot: Snapshot,
  requestType: string,
  document: AnswerDocument,
  stranded: readonly Stranded[] | undefined,
  { allocations, evacuations }: AnswerTrace,
): ProgramDocument<'hail-explanation'> => ({
  ...documentHead('hail'),
  request: requestType,
  // The result is by the type of the request; the tests hold it against the schema.
  ...(document as AnswerDocument & Pick<ProgramDocument<'hail-explanation'>, 'result'>),
  allocations: allocations.attempts.map((attempt) => attemptJson(snapshot, attempt)),
  ...(evacuations.entries.length > 0 && {
    evacuations: evacuations.entries.map((entry) => evacuationJson(snapshot, entry)),
  }),
  ...(stranded && { inOtherGroups: stranded }),
});

function evacuationJson(
  { instances, nodes }: Snapshot,
  { outcome, primary, secondary, refused }: TracedEvacuation,
) {
  const named = (list: readonly number[]): string[] => list.flatMap((n) => nodes[n]?.name ?? []);
  const from = named([primary, secondary]);
  const { name } = instances[outcome.instance]!;
  if (outcome.isMoved) {
    const moves = outcome.moves.map(({ kind, target }) => ({
      kind: MOVE_KIND_NAMES[kind],
      node: nodes[target]?.name,
    }));
    return { instance: name, from, to: named([outcome.primary, outcome.secondary]), moves };
  }
  const refusals = refused.map((refusal) => refusalFacts({ nodes }, refusal.role, refusal));
  return { instance: name, from, failure: outcome.failure.kind, refused: refusals };
}

const attemptJson = (snapshot: Snapshot, { instance, primaries, secondaries }: TracedAttempt) => ({
  instance: instance.name,
  memMib: instance.memMib,
  diskMib: instance.diskMib,
  vcpus: instance.vcpus,
  diskTemplate: instance.diskTemplate,
  primaries: [...primaries.values()].map((tried) => primaryJson(snapshot, tried)),
  refusedAsSecondary: [...secondaries.values()].map((refusal) =>
    countedFacts(snapshot, 'secondary', refusal),
  ),
});

function primaryJson(snapshot: Snapshot, tried: TriedPrimary) {
  const node = snapshot.nodes[tried.node]!;
  const { best } = tried;
  return {
    node: node.name,
    group: snapshot.groups[node.group]!.name,
    allowed: tried.allowed,
    refusal: tried.refusal && countedFacts(snapshot, 'primary', tried.refusal),
    best: best && { secondary: snapshot.nodes[best.secondary]?.name, score: best.score },
    refusedSecondaries:
      tried.refusedSecondaries.size > 0 ? Object.fromEntries(tried.refusedSecondaries) : undefined,
    cannotBeEvacuatedThen:
      tried.stuckNodes.size > 0 ? [...tried.stuckNodes].map((n) => snapshot.nodes[n]!.name) : undefined,
  };
}

const countedFacts = (snapshot: Snapshot, role: RuleRefusal['role'], refusal: CountedRefusal) => ({
  ...refusalFacts(snapshot, role, refusal),
  count: refusal.count,
});

/** One line a refused node: what was needed and what there was. */
export function refusalLines(snapshot: Snapshot, { allocations, evacuations }: AnswerTrace): string {
  const ofEvacuations = evacuations.entries.flatMap(({ outcome, refused }) => {
    const { name } = snapshot.instances[outcome.instance]!;
    return refused.map(({ role, ...refusal }) => refusalLine(snapshot, name, role, refusal));
  });
  const ofAllocations = allocations.attempts.flatMap(({ instance, primaries, secondaries }) => [
    ...[...primaries.values()].flatMap(({ refusal }) =>
      refusal ? [refusalLine(snapshot, instance.name, 'primary', refusal)] : [],
    ),
    ...[...secondaries.values()].map((one) => refusalLine(snapshot, instance.name, 'secondary', one)),
  ]);
  return [...ofAllocations, ...ofEvacuations].join('');
}

function refusalLine(
  snapshot: Snapshot,
  instance: string,
  role: 'primary' | 'secondary',
  refusal: ExplainedRefusal,
): string {
  const facts = refusalFacts(snapshot, role, refusal);
  return `${instance}: ${facts.mode}: ${refusalWords(facts)}\n`;
}
