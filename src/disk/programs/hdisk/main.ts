/** hdisk: lays out the disks of nodes by a schema. */
import { assertWhatIfWords } from '../../../htools/programs/shared/cluster/load-cluster.ts';
import { reportWhatIf, type WhatIfMember } from '../../../htools/programs/shared/questions/report-what-if.ts';
import { saveSnapshot } from '../../../htools/sources/text/text-writer.ts';
import { allSaid, refuse } from '../../../kit/cli/all-said.ts';
import { optimiseLater } from '../../../kit/cli/optimise-later.ts';
import { EXIT } from '../../../kit/exit-status.ts';
import { ExecutionError, InputError, type InputProblem } from '../../../kit/faults.ts';
import { replaceFile } from '../../../kit/files/replace-file.ts';
import { printable } from '../../../kit/printable.ts';
import { colourOutput } from '../../../kit/report/colour.ts';
import { documentHead } from '../../../kit/report/json.ts';
import { printErr, printOut } from '../../../kit/report/output.ts';
import { Progress } from '../../../kit/report/progress.ts';
import { fitTables } from '../../../kit/report/report-table.ts';
import { toned, warning } from '../../../kit/report/tone.ts';
import { documentIn } from '../../../kit/results/document-text.ts';
import type { DocumentOf } from '../../../kit/results/members.ts';
import { type CompiledExpression, compile, ExpressionError } from '../../expressions/index.ts';
import { staticLayout } from '../../facts/comparison.ts';
import { type LaidOut, type NodeOutcome, planner } from '../../facts/node-layout.ts';
import { withPools } from '../../facts/snapshot-nodes.ts';
import { nodePools } from '../../facts/space-totals.ts';
import { volumesOf } from '../../facts/volumes.ts';
import { EXPRESSION_MARK } from '../../model/schema.ts';
import type { ProgramOptions } from '../../options/program-table.ts';
import type { hdisk } from '../../results/hdisk.ts';
import { openHighs } from '../../solve/highs.ts';
import { checkedNodes, checkText } from './check-text.ts';
import { nodeJson, yamlOf } from './documents.ts';
import { type Inputs, readInputs, readNodes, readWritten } from './inputs.ts';
import { lpText } from './lp.ts';
import { svgText } from './svg.ts';
import { explanationText, layoutText, layoutWarnings, outcomesText, poolsText } from './text.ts';
import { reasonWords } from './words.ts';

type Options = ProgramOptions<'hdisk'>;

const documentText = ({ layoutFormat }: Options, document: DocumentOf<typeof hdisk>): Promise<string> =>
  documentIn(layoutFormat, document, async () => (await import('./metrics.ts')).hdiskFamilies);

const isLaidOut = (outcome: NodeOutcome): outcome is LaidOut => outcome.kind === 'layout';

/** @returns 0; 1 when a node has no layout or, with --check, another one than it should have */
export async function main(options: Options): Promise<number> {
  assertSense(options);
  if (options.evaluate !== undefined) return evaluateOnNodes(options.evaluate, options);
  const [inputs] = await Promise.all([readInputs(options), colourOutput(options.color), fitTables()]);
  const { checkLayout, onlyNodes } = options;
  const written = checkLayout === undefined ? undefined : readWritten(checkLayout, onlyNodes);
  // A layout for programs stays by itself.
  const compared = { ...options, machineReadable: !isTable(options) };
  const whatIf = inputs.snapshot ? await reportWhatIf(inputs.snapshot, compared) : {};
  const outcomes = await plan(inputs, options);
  refuseFaultySchema(outcomes, inputs);
  warn(outcomes, inputs.schemaFile, options);
  const laidOut = outcomes.filter(isLaidOut);
  if (options.svg !== undefined) replaceFile(options.svg, svgText(laidOut));
  if (options.savePools !== undefined) savePools(inputs, outcomes, options.savePools);
  if (written) {
    const checked = checkedNodes(outcomes, written);
    const isAll = checked.every(({ isAsWanted }) => isAsWanted);
    if (options.json)
      printOut(await documentText(options, { ...documentHead('hdisk'), nodes: checked, ...whatIf }));
    else if (!isAll || options.quiet === 0) printOut(checkText(checked));
    return isAll ? 0 : EXIT.no;
  }
  const text = await outputOf(outcomes, options, whatIf);
  if (text !== undefined) printOut(text);
  return laidOut.length === outcomes.length ? 0 : EXIT.no;
}

/** For people. */
const isTable = ({ layoutFormat }: Options): boolean => layoutFormat === 'table' || layoutFormat === 'text';

/** @throws {UsageError} with all that do not go together */
function assertSense(options: Options): void {
  const { json, layoutFormat, emitPools, checkLayout, savePools, textFile, whatIf, evaluate } = options;
  const isForPrograms = !json && !isTable(options);
  const isOnly = evaluate !== undefined;
  const files = [options.svg, checkLayout, savePools];
  const asksLayout = json || isForPrograms || options.explainLayout || emitPools || files.some(Boolean);
  allSaid(
    () => assertWhatIfWords(options),
    refuse(
      options.hardware.length > 0 && textFile !== undefined,
      '--hardware and --text-data both say what disks there are',
      'give one of them',
    ),
    refuse(
      whatIf.length > 0 && textFile === undefined,
      '--what-if needs a cluster',
      'name its file with --text-data',
    ),
    refuse(
      isOnly && asksLayout,
      '--evaluate prints what an expression gives, and no layout',
      'leave out --json, --format, --svg, --explain, --check, --emit-pools and --save',
    ),
    refuse(!isOnly && options.schema === undefined, 'no schema is given', 'name its file with --schema'),
    refuse(
      !isOnly && isForPrograms && (emitPools || checkLayout !== undefined),
      `--format ${layoutFormat} applies only to layouts`,
      'leave it out, or say --format json',
    ),
    refuse(
      emitPools && checkLayout !== undefined,
      '--emit-pools and --check ask for different outputs',
      'leave one of them out',
    ),
    refuse(
      !isOnly && savePools !== undefined && !(emitPools && textFile !== undefined),
      '--save writes a snapshot with pools',
      'add --emit-pools and --text-data',
    ),
  );
}

async function plan({ schema, hardware }: Inputs, options: Options): Promise<readonly NodeOutcome[]> {
  optimiseLater();
  const solver = await openHighs(options.timeLimit);
  const settings = { rounding: options.rounding, hasStrictWeights: options.strictWeights };
  const outcomeOf = planner(schema, settings, solver);
  const progress = new Progress();
  const outcomes = hardware.map((one, at) => {
    progress.at(() => `node ${at + 1} of ${hardware.length}: ${one.node}`);
    return outcomeOf(one);
  });
  progress.done();
  return outcomes;
}

/** What is wrong on every node is wrong with the schema. @throws InputError */
function refuseFaultySchema(outcomes: readonly NodeOutcome[], { schemaFile }: Inputs): void {
  const problems = new Map<string, InputProblem>();
  for (const outcome of outcomes) {
    if (outcome.kind !== 'faulty') return;
    for (const problem of outcome.problems) problems.set(JSON.stringify(problem), problem);
  }
  throw new InputError(schemaFile, [...problems.values()]);
}

/** Oddities of the schema once each, and of layouts by node. */
function warn(outcomes: readonly NodeOutcome[], schemaFile: string, { quiet }: Options): void {
  if (quiet > 0) return;
  const said = new Set<string>();
  const say = (text: string): void => {
    if (!said.has(text)) printErr(warning(printable(text)));
    said.add(text);
  };
  for (const { warnings } of outcomes)
    for (const { line, message } of warnings) say(`${schemaFile}, line ${line}: ${message}`);
  for (const outcome of outcomes) {
    if (!isLaidOut(outcome)) continue;
    const prefix = outcomes.length > 1 ? `${outcome.node}: ` : '';
    for (const message of layoutWarnings(outcome)) say(`${prefix}${message}`);
  }
}

/** A node without a layout has no pools. */
function savePools({ snapshot }: Inputs, outcomes: readonly NodeOutcome[], file: string): void {
  const pools = new Map(
    outcomes.map((outcome) => [outcome.node, isLaidOut(outcome) ? nodePools(outcome) : []]),
  );
  saveSnapshot(withPools(snapshot!, pools), file);
}

/** @returns undefined when there is nothing to print: what failed has been said. */
async function outputOf(
  outcomes: readonly NodeOutcome[],
  options: Options,
  whatIf: WhatIfMember,
): Promise<string | undefined> {
  const { metadataSize, metadataCopies } = options;
  const volumes = { metadataSize, metadataCopies };
  const laidOut = outcomes.filter(isLaidOut);
  if (options.emitPools) {
    sayFailures(outcomes);
    if (!options.json) return poolsText(laidOut);
    const nodes = laidOut.map((outcome) => ({ node: outcome.node, pools: nodePools(outcome) }));
    return documentText(options, { ...documentHead('hdisk'), nodes, ...whatIf });
  }
  if (options.json) {
    const nodes = outcomes.map((outcome) => nodeJson(outcome, volumes));
    return documentText(options, { ...documentHead('hdisk'), nodes, ...whatIf });
  }
  const isSingle = outcomes.length === 1;
  if (isSingle && laidOut.length === 0) {
    sayFailures(outcomes);
    return undefined;
  }
  switch (options.layoutFormat) {
    case 'static':
      return yamlOf(outcomes, 'layout', staticLayout);
    case 'volumes':
      return yamlOf(outcomes, 'volumes', (outcome) => volumesOf(outcome, volumes));
    case 'lp':
      if (!isSingle) throw new ExecutionError('--format lp is for one node', 'choose it with --node');
      return lpText(laidOut[0]!);
    default:
      if (!isSingle)
        return outcomesText(outcomes) + (options.explainLayout ? laidOut.map(explainedNode).join('') : '');
      return layoutText(laidOut[0]!) + (options.explainLayout ? explanationText(laidOut[0]!) : '');
  }
}

const explainedNode = (outcome: LaidOut): string =>
  `\n${outcome.node}:\n${layoutText(outcome)}${explanationText(outcome)}`;

function sayFailures(outcomes: readonly NodeOutcome[]): void {
  for (const outcome of outcomes) {
    if (isLaidOut(outcome)) continue;
    const prefix = outcomes.length > 1 ? `${outcome.node}: ` : '';
    printErr(`${toned('bad', `Error: ${prefix}no layout: ${reasonWords(outcome)}`)}\n`);
    if (outcomes.length > 1) continue;
    const remedy =
      outcome.kind === 'unfinished' ? 'allow more time with --time-limit' : 'ask for less, or add disks';
    printErr(`Maybe ${remedy}.\n`);
  }
}

/** A line for each node where it does not fail. @throws InputError for the others, or a bad expression */
async function evaluateOnNodes(text: string, options: Options): Promise<number> {
  const mark = EXPRESSION_MARK.exec(text)?.[0] ?? '';
  const nodes = await readNodes(options);
  const problemOf = (error: unknown, node?: string): InputProblem => {
    if (!(error instanceof ExpressionError)) throw error;
    const problem = node === undefined ? error.message : `${node}: ${error.message}`;
    return { column: mark.length + error.offset + 1, value: text, problem, remedy: error.remedy };
  };
  let compiled: CompiledExpression;
  try {
    compiled = compile(text.slice(mark.length));
  } catch (error) {
    throw new InputError('--evaluate', [problemOf(error)]);
  }
  const problems: InputProblem[] = [];
  for (const { node, record } of nodes) {
    try {
      const value = JSON.stringify(compiled.over(record));
      printOut(nodes.length > 1 ? `${node}: ${value}\n` : `${value}\n`);
    } catch (error) {
      problems.push(problemOf(error, node));
    }
  }
  if (problems.length > 0) throw new InputError('--evaluate', problems);
  return 0;
}
