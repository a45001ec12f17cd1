/** HiGHS as the solver. The package (3.5 MB of WebAssembly) is loaded by `openHighs` and nowhere else. */
import type { Highs, ModelData } from 'highs';
import { InternalError } from '../../kit/faults.ts';
import { type LinearProgram, type Solution, type Solver, slackOf } from './linear-program.ts';

/**
 * The costs of two disks and two spaces can differ by 1e-9 and less, crosswise, and the solver takes what is
 * below its tolerance for nothing. So costs are multiplied by a power of two, which changes no digit of them.
 */
const COST_SCALE = 2 ** 20;

const TOLERANCE = 1e-9;

const OPTIONS = {
  output_flag: false,
  random_seed: 0,
  dual_feasibility_tolerance: TOLERANCE,
  // The best, not one that is nearly as good.
  mip_rel_gap: 0,
  mip_abs_gap: 0,
} as const;

/** @param timeLimitSeconds for one program. */
export async function openHighs(timeLimitSeconds: number): Promise<Solver> {
  // The package's types describe its CommonJS form; the loader is the default export of both.
  const load = (await import('highs')).default as unknown as () => Promise<Highs>;
  const highs = await load();
  return { solve: (program) => solve(highs, program, timeLimitSeconds) };
}

const solve = (highs: Highs, program: LinearProgram, timeLimitSeconds: number): Solution =>
  highs.withModel(modelOf(highs, program), (model): Solution => {
    const isMixed = program.columns.some(({ isInteger }) => isInteger);
    // Simplifying a program without integers takes longer than solving it.
    const tolerance = slackOf(TOLERANCE, largestBound(program));
    model.options.set({
      ...OPTIONS,
      primal_feasibility_tolerance: tolerance,
      mip_feasibility_tolerance: tolerance,
      presolve: isMixed ? 'on' : 'off',
      time_limit: timeLimitSeconds,
    });
    model.run();
    const { modelStatus } = highs.constants;
    const status = model.getModelStatus();
    switch (status) {
      case modelStatus.optimal:
        return { kind: 'optimal', values: [...model.getSolution().colValue] };
      case modelStatus.infeasible:
        return { kind: 'infeasible' };
      case modelStatus.timeLimit:
      // It cannot make out whether there is anything better.
      case modelStatus.unknown: {
        const hasSolution =
          Number(model.info.get('primal_solution_status')) === highs.constants.solutionStatus.feasible;
        return { kind: 'unfinished', values: hasSolution ? [...model.getSolution().colValue] : undefined };
      }
      default:
        throw new InternalError(`the solver ended with status ${status}`);
    }
  });

const largestBound = ({ rows }: LinearProgram): number =>
  rows.reduce((most, { lower, upper }) => {
    const ends = [lower, upper].filter(Number.isFinite).map(Math.abs);
    return Math.max(most, ...ends);
  }, 0);

function modelOf({ infinity, constants }: Highs, { columns, rows }: LinearProgram): ModelData {
  const bound = (value: number): number => (Number.isFinite(value) ? value : Math.sign(value) * infinity);
  const starts = [0];
  for (const row of rows) starts.push(starts.at(-1)! + row.columns.length);
  const { continuous, integer } = constants.variableType;
  return {
    sense: constants.objectiveSense.maximize,
    numCols: columns.length,
    numRows: rows.length,
    colCost: columns.map(({ cost }) => cost * COST_SCALE),
    colLower: columns.map(({ lower }) => bound(lower)),
    colUpper: columns.map(({ upper }) => bound(upper)),
    rowLower: rows.map(({ lower }) => bound(lower)),
    rowUpper: rows.map(({ upper }) => bound(upper)),
    matrix: {
      format: 'csr',
      numRows: rows.length,
      numCols: columns.length,
      starts,
      indices: rows.flatMap((row) => row.columns),
      values: rows.flatMap((row) => row.values),
    },
    ...(columns.some(({ isInteger }) => isInteger)
      ? { integrality: columns.map(({ isInteger }) => (isInteger ? integer : continuous)) }
      : {}),
  };
}
