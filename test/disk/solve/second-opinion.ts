/** Holds a layout against its own constraints and against a second solver. */
import { layOut } from '../../../src/disk/solve/lay-out.ts';
import type { LayoutProblem } from '../../../src/disk/solve/layout-program.ts';
import type { Solver } from '../../../src/disk/solve/linear-program.ts';
import { broken, hasBetterExchange, objectiveByYalps } from './judge.ts';

/** What is wrong with the answer to a problem: an empty list when nothing. */
export function complaintsAbout(
  problem: LayoutProblem,
  hasStrictWeights: boolean,
  solver: Solver,
): readonly string[] {
  const result = layOut(problem, { rounding: 'largest', hasStrictWeights }, solver);
  if (result.kind === 'unfinished') return ['unfinished'];
  if (result.kind === 'infeasible')
    return objectiveByYalps(problem, hasStrictWeights) === undefined
      ? []
      : ['the second solver has a layout'];
  const { sharing, exact, sizes, objective } = result;
  const sharesAll = sharing.every(({ outcome }) => outcome === 'kept');
  const complaints = [
    ...broken(problem, exact, sharesAll).map((what) => `exact sizes: ${what}`),
    ...broken(problem, sizes, false).map((what) => `whole sizes: ${what}`),
  ];
  if (hasBetterExchange(problem, exact)) complaints.push('an exchange makes it worth more');
  const other = objectiveByYalps(problem, true);
  if (sharesAll !== (other !== undefined)) complaints.push(`sharing: the second solver finds ${other}`);
  else if (other !== undefined && Math.abs(other - objective) > 1e-6 * Math.max(1, other))
    complaints.push(`worth ${objective}, the second solver finds ${other}`);
  return complaints;
}
