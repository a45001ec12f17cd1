/** HiGHS, a solver of linear programmes in WebAssembly, loaded when a bound is asked for. */
import type { LegacyHighs } from 'highs';
import type { SolveProgramme } from '../../../planners/search/bound/lower-bound.ts';

/** Loads the solver: some tens of milliseconds. */
export async function loadSolver(): Promise<SolveProgramme> {
  const loaded = await import('highs');
  // A CommonJS module: what it exports is its default, whatever its types say.
  const load = loaded.default as unknown as () => Promise<LegacyHighs>;
  const highs = await load();
  return (text) => {
    const solution = highs.solve(text);
    if (solution.Status !== 'Optimal') return undefined;
    const columns: Readonly<Record<string, object>> = solution.Columns;
    return {
      objective: solution.ObjectiveValue,
      valueOf: (name) => {
        const column = columns[name];
        return column && 'Primal' in column ? Number(column.Primal) : 0;
      },
    };
  };
}
