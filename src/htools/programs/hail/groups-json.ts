/** `groups` and `refused` behind hail's result: what each group offers. Ours; Ganeti passes over them. */
import type { AnswerValue } from '../../../kit/json/ascii-json.ts';
import { FAIL_MODES } from '../../cluster/refusal.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import type {
  GroupAccount,
  GroupChoice,
  LeftOutGroup,
} from '../../planners/allocate/by-group/group-account.ts';
import { type Metric, placementNames } from './allocation-text.ts';

type Members = Readonly<Record<string, AnswerValue>>;

/** @param isMany whether each entry says which instance it is about */
export function groupMembers(
  snapshot: Snapshot,
  accounts: readonly GroupAccount<Metric>[],
  isMany: boolean,
): Members {
  const about = ({ instance }: GroupAccount<Metric>): Members => (isMany ? { instance: instance.name } : {});
  return {
    groups: accounts.flatMap((account) =>
      account.choices.map((choice) => ({ ...about(account), ...choiceMembers(snapshot, choice) })),
    ),
    refused: accounts.flatMap((account) =>
      account.leftOut.map((left) => ({ ...about(account), ...leftOutMembers(snapshot, left) })),
    ),
  };
}

function choiceMembers(snapshot: Snapshot, { group, metric, ...placement }: GroupChoice<Metric>): Members {
  const { name, uuid, allocPolicy } = snapshot.groups[group]!;
  return {
    group: name,
    uuid,
    allocPolicy,
    nodes: placementNames(snapshot, placement),
    score: typeof metric === 'number' ? metric : { lost: metric.lost, freeDiskMib: metric.freeDiskMib },
  };
}

function leftOutMembers({ groups }: Snapshot, { group, reason, detail, refusals }: LeftOutGroup): Members {
  const { name, uuid, allocPolicy } = groups[group]!;
  const failures = (refusals ?? []).flatMap((count, code) =>
    count > 0 ? [[FAIL_MODES[code]!, count] as const] : [],
  );
  return {
    group: name,
    uuid,
    allocPolicy,
    reason,
    ...(detail !== undefined && { detail }),
    ...(refusals !== undefined && { failures: Object.fromEntries(failures) }),
  };
}
