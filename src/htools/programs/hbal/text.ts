/** What hbal says and at which verbosity, each line with its end (byte contract); scripts read them. */
import { padLeft, padRight, widest } from '../../../kit/report/text-table.ts';
import { toned } from '../../../kit/report/tone.ts';
import { printfGeneral, showInt, showList, showString } from '../../../kit/text/numbers.ts';
import { aliasPair } from '../../cluster/names.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { GroupHealth } from '../../explain/state/state-facts.ts';
import { splitInstances } from '../../model/state/scope.ts';
import { moveNotation } from '../../plan/commands.ts';
import type { PlanStep } from '../../plan/plan.ts';
import { policyLine } from '../shared/listings/policy-text.ts';
import {
  coefficientTable,
  indentedNames,
  initialCoefficients,
  loadedTags,
  showScore,
  strippedSuffix,
} from '../shared/steps/said.ts';
import type { GroupPicture, GroupTask } from './group-task.ts';

/** Verbosity from which on each kind of detail is said. */
const CHECKS = 1;
const TAGS = 2;
const COEFFICIENTS = 3;
const RESOURCES = 4;
const NODE_HEALTH = 5;

const SCORE_WIDTH = 12;
const STEP_NUMBER_WIDTH = 3;
const GENERAL_DECIMALS = 6;

export const EMPTY_CLUSTER = 'Cluster is empty, exiting.\n';
export const SEARCH_START = 'Trying to minimize the CV...\n';

/** Tags and policy, ahead of everything. */
export const loadedText = (snapshot: Snapshot, verbosity: number): string =>
  verbosity >= TAGS ? loadedTags(snapshot.tags) + policyLine(snapshot.policy) : '';

/** Names of instances whose nodes are in two groups, for standard error. */
export function splitText(snapshot: Snapshot, verbosity: number): string {
  const names = splitInstances(snapshot).map((i) => snapshot.instances[i]!.name);
  if (names.length === 0 || verbosity < TAGS) return '';
  return `Found instances belonging to multiple node groups:\n${indentedNames(names)}These instances will not be moved.\n`;
}

export const clusterText = (snapshot: Snapshot, verbosity: number): string =>
  `Loaded ${snapshot.nodes.length} nodes, ${snapshot.instances.length} instances\n${
    verbosity >= TAGS ? strippedSuffix(snapshot) : ''
  }`;

function nodeHealth({ badNodes, others }: GroupHealth): string {
  const states = others.map(
    ({ name, broken }) => `(${showString(name)},${broken === undefined ? 'Ok ()' : `Bad ${broken}`})`,
  );
  return [
    `Bad nodes: ${showList(badNodes.map(showString))}\n`,
    `N+1 happy nodes: ${showList(others.map(({ name }) => showString(name)))}\n`,
    `Node policy status: ${showList(states)}\n`,
  ].join('');
}

const UNHAPPY =
  'Cluster is not N+1 happy, continuing but no guarantee that the cluster will end N+1 happy.\n';

const policyViolations = (nodes: number, ignoreSoftErrors: boolean): string =>
  `${toned('doubtful', `The cluster contains ${nodes} policy-violating nodes.`)}\n${
    ignoreSoftErrors
      ? 'Continuing, ignoring soft errors.'
      : 'Continuing, but the set of moves might be too restricted; consider using the --ignore-soft-errors option.'
  }\n`;

export function groupText({
  name,
  scope: { nodes, instances },
  health,
  options: { verbosity, ignoreSoftErrors },
}: Pick<GroupTask, 'name' | 'scope' | 'health' | 'options'>): string {
  const { badNodes, badInstances, others } = health;
  const violating = others.filter((node) => node.broken !== undefined).length;
  return [
    `Group size ${nodes.length} nodes, ${instances.length} instances\nSelected node group: ${name}\n`,
    verbosity >= CHECKS
      ? `Initial check done: ${badNodes.length} bad nodes, ${badInstances} bad instances.\n`
      : '',
    verbosity >= NODE_HEALTH ? nodeHealth(health) : '',
    badNodes.length > 0 ? toned('bad', UNHAPPY) : '',
    violating > 0 ? policyViolations(violating, ignoreSoftErrors) : '',
  ].join('');
}

type Scored = Pick<GroupPicture, 'score' | 'metrics'>;

export const scoreText = ({ score, metrics }: Scored, verbosity: number): string =>
  verbosity >= COEFFICIENTS ? initialCoefficients(score, metrics) : `Initial score: ${showScore(score)}\n`;

/** @param minScore the `-e` option */
export function alreadyBalanced(score: number, optimum: number, minScore: number): string {
  const [initial, bound, minimum] = [score, optimum, minScore].map((x) => printfGeneral(x, GENERAL_DECIMALS));
  return [
    toned('good', `Cluster is already well balanced (initial score ${initial},\n`),
    `optimum score due to N+1 reservations ${bound},\n`,
    `minimum score ${minimum}).\nNothing to do, exiting\n`,
  ].join('');
}

/** Widths of the name columns of step lines, for instances and nodes given by position. */
export const stepWidths = (start: Snapshot, instances: readonly number[], nodes: readonly number[]) => ({
  instance: widest(instances.map((position) => start.instances[position]!.alias)),
  node: widest(nodes.map((position) => start.nodes[position]!.alias)),
});

/** A step as it is found. @param number from 1 @param remark said behind it, where no script reads on */
export function stepLine(
  start: Snapshot,
  step: PlanStep,
  number: number,
  widths: ReturnType<typeof stepWidths>,
  remark = '',
): string {
  const pairWidth = 2 * widths.node + 1;
  const pair = (primary: number, secondary: number): string =>
    padRight(aliasPair(start, primary, secondary), pairWidth);
  const instance = padRight(start.instances[step.instance]!.alias, widths.instance);
  const from = pair(step.fromPrimary, step.fromSecondary);
  const to = pair(step.toPrimary, step.toSecondary);
  const score = padLeft(showScore(step.score), SCORE_WIDTH);
  const head = `  ${padLeft(`${number}`, STEP_NUMBER_WIDTH)}. ${instance} ${from} => ${to} ${score}`;
  return `${head} ${toned('deed', `a=${moveNotation(start, step)}${remark}`)}\n`;
}

export function endText(before: Scored, after: Scored, steps: number, verbosity: number): string {
  const length = verbosity >= CHECKS ? `Solution length=${steps}\n` : '';
  if (steps === 0) return toned('doubtful', 'No solution found\n') + length;
  const [from, to] = [showScore(before.score), showScore(after.score)];
  return (
    (verbosity >= COEFFICIENTS
      ? `Final coefficients:   overall ${to}\n${coefficientTable(after.metrics)}`
      : toned('good', `Cluster score improved from ${from} to ${to}\n`)) + length
  );
}

/** Free memory and disk of the group's nodes before and after, at high verbosity. */
export function resourcesText(
  before: Pick<GroupPicture, 'free'>,
  after: Pick<GroupPicture, 'free'>,
  verbosity: number,
): string {
  const figures = ({ free }: Pick<GroupPicture, 'free'>): string =>
    `mem=${showInt(free.memMib)} disk=${showInt(free.diskMib)}`;
  return verbosity >= RESOURCES ? `Original: ${figures(before)}\nFinal:    ${figures(after)}\n` : '';
}
