/** hcand: which sets of providers satisfy a structured request. */
import { NO_NODE, type Snapshot } from '../../../htools/cluster/snapshot.ts';
import { Scorer } from '../../../htools/model/score/scorer.ts';
import { wholeScope } from '../../../htools/model/state/scope.ts';
import { ClusterState } from '../../../htools/model/state/state.ts';
import { sizedInstance } from '../../../htools/planners/allocate/sized-instance.ts';
import { TentativePlacement } from '../../../htools/planners/allocate/tentative-placement.ts';
import { reportWhatIf } from '../../../htools/programs/shared/questions/report-what-if.ts';
import { allSaid, refuse } from '../../../kit/cli/all-said.ts';
import { EXIT } from '../../../kit/exit-status.ts';
import { ExecutionError } from '../../../kit/faults.ts';
import { documentHead } from '../../../kit/report/json.ts';
import { printErr, printOut } from '../../../kit/report/output.ts';
import { fitTables } from '../../../kit/report/report-table.ts';
import type { DocumentOf } from '../../../kit/results/members.ts';
import { explainNone } from '../../candidates/misses/explain.ts';
import type { CandidateRequest, QueryPair } from '../../candidates/request/request.ts';
import { SearchTooWide } from '../../candidates/search/anchor-walk.ts';
import { findCandidates } from '../../candidates/search/find-candidates.ts';
import { allocationsOf, type Candidate, mappedNames, type Slot } from '../../candidates/search/slots.ts';
import { claim } from '../../claims/claim/claim.ts';
import type { Ledger } from '../../claims/claim/ledger.ts';
import { diskMibOf } from '../../claims/cluster/from-snapshot.ts';
import { keptName } from '../../claims/model/names.ts';
import type { hcand } from '../../results/hcand.ts';
import { checkHolders, ledgerUrl, thisUser } from '../shared/access/ledger-url.ts';
import { openCurrentLedger } from '../shared/access/open-current-ledger.ts';
import { closing, documentText } from '../shared/document/ending.ts';
import {
  fromCluster,
  fromLedger,
  type Options,
  queryPairs,
  requestOf,
  type Source,
  wantsCluster,
} from './sources.ts';
import { type CandidateFacts, candidatesText, explanationText } from './text.ts';

/** What a candidate takes of memory, processors and disk, and where the disk is. */
function sizeOf(candidate: Candidate, slots: readonly Slot[]) {
  const size = { memMib: 0, vcpus: 0, diskMib: 0, isShared: false };
  for (const [provider, taken] of allocationsOf(candidate, slots)) {
    const amount = (name: string): number => taken.get(name) ?? 0;
    const diskMib = diskMibOf(taken);
    size.memMib += amount('MEMORY_MB');
    size.vcpus += amount('VCPU');
    size.diskMib += diskMib;
    if (diskMib > 0 && provider.root !== candidate.anchor) size.isShared = true;
  }
  return size;
}

/**
 * The cluster's score with a candidate placed as an instance: memory and processors on the candidate's node,
 * disk there or on the shared pool. undefined for what runs on no node, such as a pool alone.
 */
function scorerOf(snapshot: Snapshot): (candidate: Candidate, slots: readonly Slot[]) => number | undefined {
  const state = new ClusterState(snapshot);
  const nodeByName = new Map(snapshot.nodes.map(({ name }, n) => [name, n]));
  return (candidate, slots) => {
    const primary = nodeByName.get(candidate.anchor.name);
    if (primary === undefined) return undefined;
    const { isShared, ...size } = sizeOf(candidate, slots);
    const instance = sizedInstance({ ...size, spindles: 0 }, isShared ? 'ext' : 'plain', 1);
    const placed = new TentativePlacement(state, instance, { primary, secondary: NO_NODE });
    const { score } = new Scorer(state, wholeScope(snapshot).nodes);
    placed.remove();
    return score;
  };
}

type ClaimResult = NonNullable<DocumentOf<typeof hcand>['claim']>;

/** Claims the first candidate that still can be had. @returns `refused` where others were quicker with all */
async function claimFirst(
  ledger: Ledger,
  candidates: readonly Candidate[],
  slots: readonly Slot[],
  consumer: string,
  { project, user, consumerType: type, step: stepMode }: Options,
): Promise<ClaimResult> {
  for (const [index, candidate] of candidates.entries()) {
    const allocations = [...allocationsOf(candidate, slots)].flatMap(([provider, taken]) =>
      [...taken].map(([name, amount]) => ({ provider: provider.uuid, class: name, amount })),
    );
    const one = { consumer, allocations, generation: null, project, user, type };
    const outcome = await claim(
      ledger,
      { actor: thisUser() },
      { consumers: [one], stepMode, action: 'claim' },
    );
    if (outcome.kind === 'done') return { kind: 'claimed', index };
    if (outcome.kind === 'conflict') {
      const detail =
        outcome.conflict.kind === 'consumer-generation'
          ? `the consumer ${consumer} exists already`
          : 'the ledger is too busy for this claim';
      return { kind: 'conflict', detail };
    }
  }
  return { kind: 'refused' };
}

const factsOf = (
  candidate: Candidate,
  slots: readonly Slot[],
  score: number | undefined,
): CandidateFacts => ({
  tree: candidate.anchor.name,
  allocations: Object.fromEntries(
    [...allocationsOf(candidate, slots)].map(([{ name }, taken]) => [name, Object.fromEntries(taken)]),
  ),
  mappings: mappedNames(candidate, slots),
  ...(score === undefined ? {} : { score }),
});

/** All that query and limit ask for. @throws {ExecutionError} when there are too many without a limit */
function search({ forest, snapshot }: Source, request: CandidateRequest, options: Options) {
  const { order, distinct, step: stepMode } = options;
  const scorer = order === 'score' ? scorerOf(snapshot!) : undefined;
  const wanted = scorer ? { ...request, limit: undefined } : request;
  const { slots, candidates } = findCandidates(forest, wanted, { stepMode, distinct });
  try {
    const found = Array.from(candidates, (candidate) => ({ candidate, score: scorer?.(candidate, slots) }));
    // Equal scores keep the order of names; what has no score comes last.
    found.sort((a, b) => (a.score ?? Number.POSITIVE_INFINITY) - (b.score ?? Number.POSITIVE_INFINITY) || 0);
    const chosen = found.slice(0, request.limit);
    return {
      slots,
      candidates: chosen.map(({ candidate }) => candidate),
      facts: chosen.map(({ candidate, score }) => factsOf(candidate, slots, score)),
    };
  } catch (error) {
    if (!(error instanceof SearchTooWide)) throw error;
    const remedy = request.limit === undefined ? 'add limit=100' : 'ask for more exact groups';
    throw new ExecutionError(
      `too many candidates: ${error.message}`,
      scorer ? 'ask for more exact groups: --order score looks at all, whatever the limit' : remedy,
    );
  }
}

async function answer(
  source: Source,
  ledger: Ledger | undefined,
  options: Options,
  query: readonly QueryPair[],
): Promise<number> {
  const { claimFor, json, step: stepMode } = options;
  const request = requestOf(query, source.vocabulary);
  const { slots, candidates, facts } = search(source, request, options);
  const isNone = facts.length === 0;
  const explanation =
    isNone && options.explainNone ? explainNone(source.forest, request, { stepMode }) : undefined;
  const claim =
    isNone || !ledger || claimFor === undefined
      ? undefined
      : await claimFirst(ledger, candidates, slots, keptName(claimFor), options);
  const whatIf = source.snapshot ? await reportWhatIf(source.snapshot, options) : {};
  if (json) {
    const found = { count: facts.length, candidates: facts };
    const more = { ...(explanation && { explanation }), ...(claim && { claim }), ...whatIf };
    printOut(await documentText(options, { ...documentHead('hcand'), ...found, ...more }));
  } else {
    if (isNone) printErr('No candidate.\n');
    else printOut(candidatesText(facts));
    if (explanation) printOut(explanationText(explanation));
    if (claim?.kind === 'claimed') printOut(`Claimed candidate ${claim.index + 1} for ${claimFor}.\n`);
    if (claim?.kind === 'refused') printErr('No candidate was still available.\n');
    if (claim?.kind === 'conflict') printErr(`Conflict: ${claim.detail}.\n`);
  }
  if (claim?.kind === 'conflict') return EXIT.changed;
  return isNone || claim?.kind === 'refused' ? EXIT.no : EXIT.done;
}

export async function main(options: Options, words: readonly string[]): Promise<number> {
  await fitTables();
  const { claimFor, project, user, consumerType } = options;
  const isCluster = wantsCluster(options);
  const needy = [
    ...(options.order === 'score' ? ['--order score'] : []),
    ...(options.whatIf.length > 0 ? ['--what-if'] : []),
    ...(options.diff ? ['--diff'] : []),
    ...(options.reserve === undefined ? [] : ['--reserve']),
  ];
  const [query] = allSaid(
    () => queryPairs(options, words),
    () => checkHolders({ '--claim': claimFor, '--project': project, '--user': user, '--type': consumerType }),
    refuse(
      isCluster && claimFor !== undefined,
      '--claim needs a ledger',
      'import the cluster into one: hclaim import',
    ),
    refuse(
      !isCluster && needy.length > 0,
      `${needy.join(' and ')} ${needy.length === 1 ? 'needs' : 'need'} a cluster`,
      'name one, as in --text-data FILE',
    ),
  );
  if (isCluster) return answer(await fromCluster(options), undefined, options, query);
  return closing(
    await openCurrentLedger(ledgerUrl(options, '; or a cluster, with -L, -m or -t')),
    async (ledger) => answer(await fromLedger(ledger), ledger, options, query),
  );
}
