/**
 * Holds layouts of random problems against a second solver: `npm run compare -- solvers --count 1000 --seed
 * 1`, of each of three shapes.
 */
import { openHighs } from '../../src/disk/solve/highs.ts';
import { randomFrom, randomProblem, type Shape } from '../../test/disk/solve/random-problem.ts';
import { complaintsAbout } from '../../test/disk/solve/second-opinion.ts';
import { readArguments } from '../arguments.ts';

const SOLVER_SECONDS = 30;
const SHAPES: Readonly<Record<string, Shape & { readonly part: number }>> = {
  small: { maxDisks: 5, maxSpaces: 6, part: 1 },
  large: { maxDisks: 24, maxSpaces: 20, part: 0.2 },
  'numbers of disks': { maxDisks: 4, maxSpaces: 4, countsDisks: true, part: 0.3 },
};

const USAGE = 'usage: npm run compare -- solvers [--count N] [--seed S]';

const { values } = readArguments(USAGE, {
  count: { type: 'string', default: '1000' },
  seed: { type: 'string', default: '1' },
});
const first = Number(values.seed);
const solver = await openHighs(SOLVER_SECONDS);
let failed = 0;
for (const [name, { part, ...shape }] of Object.entries(SHAPES)) {
  const count = Math.ceil(Number(values.count) * part);
  for (let seed = first; seed < first + count; seed++) {
    const problem = randomProblem(randomFrom(seed), shape);
    for (const hasStrictWeights of [true, false]) {
      const complaints = complaintsAbout(problem, hasStrictWeights, solver);
      if (complaints.length === 0) continue;
      failed++;
      console.log(`${name}, seed ${seed}: ${complaints.join('; ')}\n${JSON.stringify(problem)}`);
    }
  }
  console.log(`${name}: ${count} problems, each with strict and with soft weights; ${failed} wrong so far`);
}
process.exit(failed > 0 ? 1 : 0);
