/**
 * Compares our expressions with Debian's python3-yaql, on the table that the tests use: `npm run
 * compare-expressions`.
 */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { outcomeOf } from '../../test/disk/expressions/shown.ts';
import { DATA, DIFFERENCES, OUTCOMES } from '../../test/disk/expressions/table.ts';
import { readArguments } from '../arguments.ts';

readArguments('usage: npm run compare-expressions', {});

const SCRIPT = fileURLToPath(new URL('yaql-outcomes.py', import.meta.url));
// The distribution's own Python has the package; another one on the path need not.
const PYTHON = '/usr/bin/python3';
const EXIT_DIFFERENT = 1;

const expected = [
  ...OUTCOMES.map(([expression, outcome]) => ({ expression, outcome, reference: outcome })),
  ...DIFFERENCES,
];
const expressions = expected.map(({ expression }) => expression);
const { stdout, stderr, status } = spawnSync(PYTHON, [SCRIPT], {
  input: JSON.stringify({ data: DATA, expressions }),
  encoding: 'utf8',
});
if (status !== 0) {
  console.error(`python3-yaql cannot be asked: ${stderr?.trim().split('\n').at(-1) ?? PYTHON}`);
  process.exit(EXIT_DIFFERENT);
}
const references = JSON.parse(stdout) as readonly string[];
const surprises = expected.flatMap(({ expression, outcome, reference }, at) => {
  const ours = outcomeOf(expression, DATA);
  const isAsListed = ours === outcome && references[at] === reference;
  return isAsListed ? [] : [`${expression}\n  ours      ${ours}\n  reference ${references[at]}`];
});
for (const surprise of surprises) console.log(surprise);
for (const { expression, outcome, reference, reason } of DIFFERENCES)
  console.log(`listed: ${expression}: ${outcome}, not ${reference}: ${reason}`);
console.log(
  `${expected.length} expressions, ${OUTCOMES.length} alike, ${DIFFERENCES.length} listed differences, ${surprises.length} surprises`,
);
process.exit(surprises.length > 0 ? EXIT_DIFFERENT : 0);
