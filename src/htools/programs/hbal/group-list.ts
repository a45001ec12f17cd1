/** The list of groups that hbal prints ahead of its usual lines when there are several and none is named. */
import { wrapped } from '../../../kit/report/wrap.ts';
import type { DocumentOf } from '../../../kit/results/members.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { GroupScore } from '../../planners/balance/steps/group-scores.ts';
import type { groupChoice } from '../../results/parts/tables.ts';
import { groupRow, groupTable } from '../shared/groups/group-table.ts';

/** The table, in the order of the list. */
const table = (snapshot: Snapshot, scores: readonly GroupScore[]): string =>
  `Node groups, the worst score first:\n${groupTable(scores.map((one) => groupRow(snapshot, one)))}`;

/** The list and the choice. @param chosen undefined = nothing improves any: the worst is shown */
export function groupChoiceText(
  snapshot: Snapshot,
  scores: readonly GroupScore[],
  chosen: GroupScore | undefined,
): string {
  const nameOf = ({ group }: GroupScore): string => snapshot.groups[group]!.name;
  const passed = chosen === undefined ? [] : scores.slice(0, scores.indexOf(chosen));
  const reason =
    passed.length === 0 ? 'it has the worst score' : `nothing improves ${passed.map(nameOf).join(', ')}`;
  const choice =
    chosen === undefined
      ? `No step improves any group; continuing with ${nameOf(scores[0]!)}, which has the worst score.`
      : `Chosen: ${nameOf(chosen)} (${reason}). Use -G to name another, --all-groups to balance each.`;
  return `${table(snapshot, scores)}${wrapped('', choice)}`;
}

/** The list ahead of `--all-groups`. */
export const allGroupsText = (snapshot: Snapshot, scores: readonly GroupScore[]): string =>
  `${table(snapshot, scores)}Balancing each of them, in this order.\n`;

/** The list for JSON documents. */
export const groupListJson = (
  snapshot: Snapshot,
  scores: readonly GroupScore[],
  chosen: readonly number[],
): DocumentOf<typeof groupChoice>[] =>
  scores.map((one) => {
    const { score, ...counts } = groupRow(snapshot, one);
    return {
      ...counts,
      isNPlusOneHappy: one.badNodes === 0,
      score,
      isChosen: chosen.includes(one.group),
    };
  });
