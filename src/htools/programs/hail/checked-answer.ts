/** The checker's word on moves before they are answered: what it refuses stays, and is a fault to be told. */
import { printErr } from '../../../kit/report/output.ts';
import { warning } from '../../../kit/report/tone.ts';
import type { IallocatorRequest } from '../../cluster/iallocator-request.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { Answer } from '../../planners/answer/answer.ts';
import { judged } from '../../planners/answer/judged.ts';

/** The answer without what the checker refuses, which goes to standard error. */
export function checkedAnswer(
  snapshot: Snapshot,
  request: IallocatorRequest,
  found: Answer,
  ignoreSoftErrors: boolean,
): Answer {
  const { answer, faults } = judged(snapshot, request, found, ignoreSoftErrors);
  for (const { rule, message } of faults)
    printErr(
      warning(`internal error: moves that break a rule are left out of the answer: ${rule}: ${message}`),
    );
  return answer;
}
