/** hcand: which sets of providers satisfy a structured request. */
import { randomUUID } from 'node:crypto';
import { reportWhatIf, type WhatIfMember } from '../../../htools/programs/shared/questions/report-what-if.ts';
import { EXIT } from '../../../kit/exit-status.ts';
import { ExecutionError, UsageError } from '../../../kit/faults.ts';
import { documentHead } from '../../../kit/report/json.ts';
import { printErr, printOut } from '../../../kit/report/output.ts';
import { fitTables } from '../../../kit/report/report-table.ts';
import { type Explanation, explainNone } from '../../candidates/misses/explain.ts';
import type { CandidateRequest } from '../../candidates/request/request.ts';
import { SearchTooWide } from '../../candidates/search/budget.ts';
import type { Candidate } from '../../candidates/search/candidate.ts';
import { findCandidates, type SearchOptions } from '../../candidates/search/find-candidates.ts';
import type { Slot } from '../../candidates/search/slots.ts';
import type { Ledger } from '../../claims/claim/ledger.ts';
import { ledgerUrl, thisUser } from '../shared/access/ledger-url.ts';
import { openCurrentLedger } from '../shared/access/open-current-ledger.ts';
import { documentText } from '../shared/document/ending.ts';
import { type CandidateFacts, factsOf } from './answer.ts';
import { type ClaimResult, claimFirst } from './claim.ts';
import { queryPairs, requestOf } from './query.ts';
import { CandidateScorer } from './score.ts';
import { fromCluster, fromLedger, type Options, type Source, wantsCluster } from './sources.ts';
import { candidatesText, explanationText } from './text.ts';

interface Answer {
  readonly slots: readonly Slot[];
  readonly candidates: readonly Candidate[];
  /** By candidate; undefined where nothing is scored. */
  readonly scores: readonly (number | undefined)[];
}

/**
 * All candidates that the query and its limit ask for.
 * @throws {ExecutionError} when there are too many without a limit
 */
function search(
  { forest, snapshot }: Source,
  request: CandidateRequest,
  options: Options,
  rules: SearchOptions,
): Answer {
  const isScored = options.order === 'score';
  const { slots, candidates } = findCandidates(
    forest,
    isScored ? { ...request, limit: undefined } : request,
    { ...rules, distinct: options.distinct === 'allocations' ? 'allocations' : 'mappings' },
  );
  try {
    const found = [...candidates];
    if (!isScored) return { slots, candidates: found, scores: found.map(() => undefined) };
    const scorer = new CandidateScorer(snapshot!);
    const scored = found.map((candidate) => ({ candidate, score: scorer.scoreOf(candidate, slots) }));
    // Equal scores keep the order of names; what has no score comes last.
    scored.sort((a, b) => (a.score ?? Number.POSITIVE_INFINITY) - (b.score ?? Number.POSITIVE_INFINITY) || 0);
    const chosen = scored.slice(0, request.limit);
    return {
      slots,
      candidates: chosen.map((one) => one.candidate),
      scores: chosen.map(({ score }) => score),
    };
  } catch (error) {
    if (!(error instanceof SearchTooWide)) throw error;
    throw new ExecutionError(
      `too many candidates: ${error.message}`,
      request.limit === undefined ? 'add limit=100' : 'ask for more exact groups',
    );
  }
}

interface Outcome {
  readonly facts: readonly CandidateFacts[];
  readonly explanation: Explanation | undefined;
  readonly claimed: ClaimResult | undefined;
  readonly whatIf: WhatIfMember;
}

function exitStatus({ facts, claimed }: Outcome): number {
  if (claimed?.kind === 'conflict') return EXIT.changed;
  return facts.length === 0 || claimed?.kind === 'refused' ? EXIT.no : 0;
}

async function say(outcome: Outcome, options: Options): Promise<void> {
  const { facts, explanation, claimed, whatIf } = outcome;
  if (options.json) {
    printOut(
      await documentText(options, {
        ...documentHead('hcand'),
        count: facts.length,
        candidates: facts,
        ...(explanation ? { explanation } : {}),
        ...(claimed ? { claim: claimed } : {}),
        ...whatIf,
      }),
    );
    return;
  }
  if (facts.length > 0) printOut(candidatesText(facts));
  else printErr('No candidate.\n');
  if (explanation) printOut(explanationText(explanation));
  if (claimed?.kind === 'claimed')
    printOut(`Claimed candidate ${claimed.index + 1} for ${options.claimFor}.\n`);
  if (claimed?.kind === 'refused') printErr('No candidate was still available.\n');
  if (claimed?.kind === 'conflict') printErr(`Conflict: ${claimed.detail}.\n`);
}

async function answer(
  source: Source,
  ledger: Ledger | undefined,
  options: Options,
  words: readonly string[],
): Promise<number> {
  const stepMode = options.step === 'strict' ? 'strict' : 'exempt';
  const request = requestOf(queryPairs(options, words), source.vocabulary);
  const { slots, candidates, scores } = search(source, request, options, { stepRule: stepMode });
  const isAsked = options.explainNone && candidates.length === 0;
  const author = { actor: thisUser() };
  const outcome: Outcome = {
    facts: candidates.map((candidate, k) => factsOf(candidate, slots, scores[k])),
    explanation: isAsked ? explainNone(source.forest, request, { stepRule: stepMode }) : undefined,
    claimed:
      ledger && options.claimFor !== undefined && candidates.length > 0
        ? await claimFirst(ledger, author, candidates, slots, {
            consumer: options.claimFor,
            project: options.project,
            user: options.user,
            type: options.consumerType,
            stepMode,
          })
        : undefined,
    whatIf: source.snapshot ? await reportWhatIf(source.snapshot, options) : {},
  };
  await say(outcome, options);
  return exitStatus(outcome);
}

/** @returns 0, or 1 when there is no candidate or none could be claimed, or 3 for a conflict */
export async function main(options: Options, words: readonly string[]): Promise<number> {
  await fitTables();
  const isCluster = wantsCluster(options);
  if (isCluster && options.claimFor !== undefined)
    throw new UsageError('--claim needs a ledger', 'import the cluster into one: hclaim import');
  if (!isCluster && options.order === 'score')
    throw new UsageError('--order score needs a cluster', 'name one, as in --text-data FILE');
  const needy = [
    ...(options.whatIf.length > 0 ? ['--what-if'] : []),
    ...(options.diff ? ['--diff'] : []),
    ...(options.reserve === undefined ? [] : ['--reserve']),
  ];
  if (!isCluster && needy.length > 0)
    throw new UsageError(`${needy[0]} needs a cluster`, 'name one, as in --text-data FILE');
  if (isCluster) return answer(await fromCluster(options), undefined, options, words);
  const ledger = await openCurrentLedger(ledgerUrl(options), { now: Date.now, newRequest: randomUUID });
  try {
    return await answer(await fromLedger(ledger), ledger, options, words);
  } finally {
    await ledger.store.close();
  }
}
