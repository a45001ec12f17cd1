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
