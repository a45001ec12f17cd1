/** Claiming the first candidate that still can be had. */
import { ExecutionError } from '../../../kit/faults.ts';
import type { DocumentOf } from '../../../kit/results/members.ts';
import { allocationsOf, type Candidate } from '../../candidates/search/candidate.ts';
import type { Slot } from '../../candidates/search/slots.ts';
import { claim } from '../../claims/claim/claim.ts';
import type { Ledger } from '../../claims/claim/ledger.ts';
import { isHolderName, MAX_NAME_LENGTH } from '../../claims/model/names.ts';
import type { hcand } from '../../results/hcand.ts';
import { thisUser } from '../shared/access/ledger-url.ts';
import type { Options } from './sources.ts';

type ClaimResult = NonNullable<DocumentOf<typeof hcand>['claim']>;

/** @returns `refused` where others were quicker with every one */
export async function claimFirst(
  ledger: Ledger,
  candidates: readonly Candidate[],
  slots: readonly Slot[],
  consumer: string,
  { project, user, consumerType: type, step: stepMode }: Options,
): Promise<ClaimResult> {
  if (!isHolderName(consumer))
    throw new ExecutionError(
      `--claim ${consumer}: this cannot be a consumer`,
      `name it in 1 to ${MAX_NAME_LENGTH} printable characters`,
    );
  for (const [index, candidate] of candidates.entries()) {
    const allocations = [...allocationsOf(candidate, slots)].flatMap(([provider, taken]) =>
      [...taken].map(([name, amount]) => ({ provider: provider.uuid, class: name, amount })),
    );
    const outcome = await claim(
      ledger,
      { actor: thisUser() },
      {
        consumers: [{ consumer, allocations, generation: null, project, user, type }],
        stepMode,
        action: 'claim',
      },
    );
    if (outcome.kind === 'done') return { kind: 'claimed', index };
    if (outcome.kind === 'conflict') {
      const { conflict } = outcome;
      const detail =
        conflict.kind === 'consumer-generation'
          ? `the consumer ${consumer} exists already`
          : 'the ledger is too busy for this claim';
      return { kind: 'conflict', detail };
    }
  }
  return { kind: 'refused' };
}
