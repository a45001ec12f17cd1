/** The list of groups that hbal prints ahead of its usual lines when there are several and none is named. */
import { printfFixed } from '../cluster/haskell-numbers.ts';
import type { Snapshot } from '../cluster/snapshot.ts';
import type { GroupScore } from '../groups/group-scores.ts';
import { textTable } from './text-table.ts';

const SCORE_DECIMALS = 8;

const COLUMNS = [
  { heading: 'Group', isNumeric: false },
  { heading: 'Nodes', isNumeric: true },
  { heading: 'Instances', isNumeric: true },
  { heading: 'Bad_Nodes', isNumeric: true },
  { heading: 'Bad_Instances', isNumeric: true },
  { heading: 'N+1', isNumeric: false },
  { heading: 'Score', isNumeric: true },
];

/** The table, in the order of the list. */
function table(snapshot: Snapshot, scores: readonly GroupScore[]): string {
  const rows = scores.map((row) => [
    snapshot.groups[row.group]!.name,
    `${row.scope.nodes.length}`,
    `${row.scope.instances.length}`,
    `${row.badNodes}`,
    `${row.badInstances}`,
    row.badNodes === 0 ? 'True' : 'False',
    printfFixed(row.score, SCORE_DECIMALS),
  ]);
  return `Node groups, the worst score first:\n${textTable('  ', COLUMNS, rows)}`;
}

/** The list and the choice. @param chosen undefined = nothing improves any of them, so the worst one is shown */
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
      ? `No step improves any group; going on with ${nameOf(scores[0]!)}, which has the worst score.`
      : `Chosen: ${nameOf(chosen)} (${reason}). Use -G to name another, --all-groups to balance each.`;
  return `${table(snapshot, scores)}${choice}\n`;
}

/** The list ahead of `--all-groups`. */
export const allGroupsText = (snapshot: Snapshot, scores: readonly GroupScore[]): string =>
  `${table(snapshot, scores)}Balancing each of them, in this order.\n`;

/** The list for JSON documents. */
export const groupListJson = (
  snapshot: Snapshot,
  scores: readonly GroupScore[],
  chosen: readonly number[],
): object[] =>
  scores.map((row) => ({
    name: snapshot.groups[row.group]!.name,
    nodes: row.scope.nodes.length,
    instances: row.scope.instances.length,
    badNodes: row.badNodes,
    badInstances: row.badInstances,
    isNPlusOneHappy: row.badNodes === 0,
    score: row.score,
    isChosen: chosen.includes(row.group),
  }));
