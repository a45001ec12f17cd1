/** The lines of a balancing run on stdout, each with its end (byte contract); scripts read them. */
import { padLeft, padRight, textTable, textWidth } from '../../../../kit/report/text-table.ts';
import { toned } from '../../../../kit/report/tone.ts';
import { printfFixed, printfGeneral, showInt } from '../../../../kit/text/numbers.ts';
import { showList, showString } from '../../../../kit/text/show.ts';
import { aliasPair } from '../../../cluster/names.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import type { Coefficient } from '../../../explain/state/coefficients.ts';
import type { NodeHealth } from '../../../explain/state/group-health.ts';
import { moveNotation } from '../../../plan/commands.ts';
import type { PlanStep } from '../../../plan/plan.ts';

const SCORE_DECIMALS = 8;
const SCORE_WIDTH = 12;
const STEP_NUMBER_WIDTH = 3;
const GENERAL_DECIMALS = 6;

const showScore = (score: number): string => printfFixed(score, SCORE_DECIMALS);

export const emptyCluster = (): string => 'Cluster is empty, exiting.\n';

export const loadedTags = (tags: readonly string[]): string => `Loaded cluster tags: ${tags.join(',')}\n`;

export const loadedCounts = (nodes: number, instances: number): string =>
  `Loaded ${nodes} nodes, ${instances} instances\n`;

/** @param suffix the suffix that aliases leave out; not empty */
export const strippedSuffix = (suffix: string): string =>
  `Note: Stripping common suffix of '${suffix}' from names\n`;

const indentedNames = (names: readonly string[]): string => names.map((name) => `  ${name}\n`).join('');

/** For stderr: instances whose nodes are in two groups. */
export const splitInstances = (names: readonly string[]): string =>
  `Found instances belonging to multiple node groups:\n${indentedNames(names)}These instances will not be moved.\n`;

/** For stderr, ahead of the error that ends the program: there are several groups and none is chosen. */
export const severalGroups = (names: readonly string[]): string =>
  `Found multiple node groups:\n${indentedNames(names)}`;

/** For stderr, ahead of the error that ends the program: the chosen group does not exist. */
export const unknownGroup = (wanted: string, names: readonly string[]): string =>
  `Node group ${wanted} not found. Node group list is:\n${indentedNames(names)}`;

export const selectedGroup = (name: string, nodes: number, instances: number): string =>
  `Group size ${nodes} nodes, ${instances} instances\nSelected node group: ${name}\n`;

export const initialCheck = (badNodes: number, badInstances: number): string =>
  `Initial check done: ${badNodes} bad nodes, ${badInstances} bad instances.\n`;

/** Names and policy state of all nodes of the group (verbosity above 4). */
export function nodeHealth(badNodes: readonly string[], otherNodes: readonly NodeHealth[]): string {
  const states = otherNodes.map(
    ({ name, broken }) => `(${showString(name)},${broken === undefined ? 'Ok ()' : `Bad ${broken}`})`,
  );
  return [
    `Bad nodes: ${showList(badNodes.map(showString))}\n`,
    `N+1 happy nodes: ${showList(otherNodes.map(({ name }) => showString(name)))}\n`,
    `Node policy status: ${showList(states)}\n`,
  ].join('');
}

export const notNPlusOneHappy = (): string =>
  toned(
    'bad',
    'Cluster is not N+1 happy, continuing but no guarantee that the cluster will end N+1 happy.\n',
  );

export const policyViolations = (nodes: number, ignoreSoftErrors: boolean): string =>
  `${toned('doubtful', `The cluster contains ${nodes} policy-violating nodes.`)}\n${
    ignoreSoftErrors
      ? 'Continuing, ignoring soft errors.'
      : 'Continuing, but the set of moves might be too restricted; consider using the --ignore-soft-errors option.'
  }\n`;

/** The table `Field Value Weight`. */
export const coefficientTable = (coefficients: readonly Coefficient[]): string =>
  textTable(
    '  ',
    [
      { heading: 'Field', isNumeric: false },
      { heading: 'Value', isNumeric: true },
      { heading: 'Weight', isNumeric: true },
    ],
    coefficients.map(({ name, value, weight }) => [name, showScore(value), `x${printfFixed(weight, 2)}`]),
  );

export const initialScore = (score: number): string => `Initial score: ${showScore(score)}\n`;

/** In place of `initialScore` at high verbosity. */
export const initialCoefficients = (score: number, coefficients: readonly Coefficient[]): string =>
  `Initial coefficients: overall ${showScore(score)}\n${coefficientTable(coefficients)}`;

/** @param minScore the `-e` option */
export function alreadyBalanced(score: number, optimum: number, minScore: number): string {
  const [initial, bound, minimum] = [score, optimum, minScore].map((x) => printfGeneral(x, GENERAL_DECIMALS));
  return [
    toned('good', `Cluster is already well balanced (initial score ${initial},\n`),
    `optimum score due to N+1 reservations ${bound},\n`,
    `minimum score ${minimum}).\nNothing to do, exiting\n`,
  ].join('');
}

export const searchStart = (): string => 'Trying to minimize the CV...\n';

/** Widths of the name columns of step lines, in characters. */
interface StepWidths {
  readonly instance: number;
  readonly node: number;
}

/** Widths for the aliases of a group's instances and nodes, given by position. */
export function stepWidths(
  start: Snapshot,
  instances: readonly number[],
  nodes: readonly number[],
): StepWidths {
  const widest = (aliases: readonly string[]): number =>
    aliases.reduce((width, alias) => Math.max(width, textWidth(alias)), 0);
  return {
    instance: widest(instances.map((position) => start.instances[position]!.alias)),
    node: widest(nodes.map((position) => start.nodes[position]!.alias)),
  };
}

/** A step as it is found. @param number from 1 @param remark said behind it, where no script reads on */
export function stepLine(
  start: Snapshot,
  step: PlanStep,
  number: number,
  widths: StepWidths,
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

export const noSolution = (): string => toned('doubtful', 'No solution found\n');

export const improvedScore = (from: number, to: number): string =>
  toned('good', `Cluster score improved from ${showScore(from)} to ${showScore(to)}\n`);

/** In place of `improvedScore` at high verbosity. */
export const finalCoefficients = (score: number, coefficients: readonly Coefficient[]): string =>
  `Final coefficients:   overall ${showScore(score)}\n${coefficientTable(coefficients)}`;

export const solutionLength = (steps: number): string => `Solution length=${steps}\n`;

/** Free memory and free disk of the group, in MiB. */
export interface FreeResources {
  readonly memMib: number;
  readonly diskMib: number;
}

/** Free resources before and after (verbosity above 3). */
export function freeResources(before: FreeResources, after: FreeResources): string {
  const figures = ({ memMib, diskMib }: FreeResources): string =>
    `mem=${showInt(memMib)} disk=${showInt(diskMib)}`;
  return `Original: ${figures(before)}\nFinal:    ${figures(after)}\n`;
}
