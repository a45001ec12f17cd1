/** Choosing the group to work on, or the groups. */
import { ExecutionError } from '../../../kit/faults.ts';
import { wrapped } from '../../../kit/report/sentences.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { groupsCalled, groupsWithNodes } from '../../model/state/scope.ts';
import type { ProgramOptions } from '../../options/command-options.ts';
import type { BalanceOptions } from '../../planners/balance/options.ts';
import { firstImprovable, type GroupScore, groupScores } from '../../planners/balance/steps/group-scores.ts';
import type { ChoosableGroup } from '../../results/parts/tables.ts';
import { groupTable } from '../shared/groups/group-table.ts';

export interface GroupChoice {
  /** Positions; one of them unless `--all-groups` asks for each. */
  readonly groups: readonly number[];
  /** The list of groups with their scores; empty when there was nothing to choose. */
  readonly text: string;
  readonly json: ChoosableGroup[] | undefined;
}

/** The group of `-G`; else, of several, the worst improvable, or all. @throws as selectGroup does */
export function chooseGroups(
  snapshot: Snapshot,
  options: ProgramOptions<'hbal'>,
  balancing: BalanceOptions,
): GroupChoice {
  const isNamed = options.group !== undefined || options.requireGroup;
  if (isNamed || groupsWithNodes(snapshot).length < (options.allGroups ? 1 : 2))
    return { groups: [selectGroup(snapshot, options.group)], text: '', json: undefined };
  const scores = groupScores(snapshot);
  if (options.allGroups) {
    const groups = scores.map(({ group }) => group);
    return {
      groups,
      text: `${table(scores)}Balancing each of them, in this order.\n`,
      json: groupListJson(scores, groups),
    };
  }
  const improvable = firstImprovable(snapshot, scores, balancing);
  const { group } = improvable ?? scores[0]!;
  return { groups: [group], text: groupChoiceText(scores, improvable), json: groupListJson(scores, [group]) };
}

/** Position of the group that `-G` names, or the only one. @throws ExecutionError for none or several */
function selectGroup(snapshot: Snapshot, wanted: string | undefined): number {
  if (wanted === undefined) {
    const [first, ...others] = groupsWithNodes(snapshot);
    if (first === undefined) throw new ExecutionError('No groups found by splitCluster?!');
    if (others.length === 0) return first;
    const names = [first, ...others].map((group) => snapshot.groups[group]!.name);
    throw new ExecutionError(`Found multiple node groups: ${names.join(', ')}\nAborting.`);
  }
  const fitting = groupsCalled(snapshot, wanted);
  if (fitting.length === 1) return fitting[0]!;
  const names = snapshot.groups.map((group) => group.name);
  throw new ExecutionError(
    `Node group ${wanted} not found. Node group list is: ${names.join(', ')}\nAborting.`,
  );
}

const table = (scores: readonly GroupScore[]): string =>
  `Node groups, the worst score first:\n${groupTable(scores)}`;

/** The list and the choice. @param chosen undefined = nothing improves any: the worst is shown */
function groupChoiceText(scores: readonly GroupScore[], chosen: GroupScore | undefined): string {
  const passed = chosen === undefined ? [] : scores.slice(0, scores.indexOf(chosen));
  const reason =
    passed.length === 0
      ? 'it has the worst score'
      : `nothing improves ${passed.map(({ name }) => name).join(', ')}`;
  const choice =
    chosen === undefined
      ? `No step improves any group; continuing with ${scores[0]!.name}, which has the worst score.`
      : `Chosen: ${chosen.name} (${reason}). Use -G to name another, --all-groups to balance each.`;
  return `${table(scores)}${wrapped('', choice)}`;
}

const groupListJson = (scores: readonly GroupScore[], chosen: readonly number[]): ChoosableGroup[] =>
  scores.map(({ group, score, isNPlusOneHappy, ...counts }) => ({
    ...counts,
    isNPlusOneHappy,
    score,
    isChosen: chosen.includes(group),
  }));
