/**
 * Holds the work between groups against trying everything, on thousands of small clusters.
 *
 *   npm run compare -- groups [--count 2000] [--seed 1]
 *
 * Prints each fault with the seed of its cluster, and one JSON line at the end. `--show SEED` prints that
 * cluster.
 */
import { readArguments } from '../../../arguments.ts';
import { compareWithTruth } from './brute-force/compare.ts';
import { oddCluster } from './brute-force/odd-cluster.ts';

const USAGE = 'usage: npm run compare -- groups [--count N] [--seed S] [--show SEED]';
const { values } = readArguments(USAGE, {
  count: { type: 'string', default: '2000' },
  seed: { type: 'string', default: '1' },
  show: { type: 'string' },
});

if (values.show !== undefined) {
  process.stdout.write(oddCluster(Number(values.show)));
} else {
  const count = Number(values.count);
  const first = Number(values.seed);
  const total = {
    clusters: count,
    firstSeed: first,
    questions: 0,
    tooManyWays: 0,
    priced: 0,
    dearer: 0,
    cheaper: 0,
    faults: 0,
  };
  for (let seed = first; seed < first + count; seed++) {
    const { faults, asked, skipped, priced, dearer, cheaper } = compareWithTruth(
      oddCluster(seed),
      `seed ${seed}`,
    );
    for (const fault of faults) process.stdout.write(`seed ${seed}: ${fault}\n`);
    total.questions += asked;
    total.tooManyWays += skipped;
    total.priced += priced;
    total.dearer += dearer;
    total.cheaper += cheaper;
    total.faults += faults.length;
  }
  process.stdout.write(`${JSON.stringify({ name: 'groups against trying everything', ...total })}\n`);
  process.exitCode = total.faults > 0 ? 1 : 0;
}
