/** What one expression gives on each node (`--evaluate`), for whoever writes a schema. */
import { ExecutionError, InputError, type InputProblem } from '../../../kit/faults.ts';
import { printOut } from '../../../kit/report/output.ts';
import { type CompiledExpression, compile, ExpressionError } from '../../expressions/index.ts';
import { EXPRESSION_MARK } from '../../model/schema.ts';
import type { ProgramOptions } from '../../options/program-table.ts';
import { readNodes } from './inputs.ts';

type Options = ProgramOptions<'hdisk'>;

/** A line for each node where it does not fail. @throws InputError for the others, or a bad expression */
export async function evaluateOnNodes(text: string, options: Options): Promise<number> {
  refuseLayouts(options);
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

function refuseLayouts({ json, layoutFormat, svg, explainLayout, checkLayout, emitPools }: Options): void {
  const isAsked = json || layoutFormat !== 'table' || explainLayout || emitPools;
  if (isAsked || svg !== undefined || checkLayout !== undefined)
    throw new ExecutionError(
      '--evaluate prints what an expression gives, and no layout',
      'leave out --json, --format, --svg, --explain, --check and --emit-pools',
    );
}
